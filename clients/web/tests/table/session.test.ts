import { create } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { TaflhallError } from "taflhall";
import type { Choice, Update } from "taflhall";
import { MatchStatus } from "taflhall/gen/v1/match";
import {
  MatchChangeSchema,
  MatchSnapshotSchema,
  SubmitAnswersResponseSchema,
} from "taflhall/gen/v1/match_service";
import { DecisionSchema, ViewSchema } from "taflhall/gen/v1/table";
import { Card } from "taflhall/gen/yggdrasil/v1/yggdrasil";
import { describe, expect, test } from "vitest";

import { commandOf } from "../../src/table/model/candidates";
import type { Server } from "../../src/table/model/session";
import { TableSession } from "../../src/table/model/session";

type Response = MessageInitShape<typeof SubmitAnswersResponseSchema>;

/** A server that says what the test lets it say. */
class Script {
  /** The seats from which the match was watched. */
  readonly watched: (number | undefined)[] = [];
  readonly submitted: { choices: readonly Choice[]; decision: string | undefined }[] = [];
  private readonly updates: Update[] = [];
  private wake: () => void = () => undefined;

  constructor(private readonly responses: (Response | TaflhallError)[] = []) {}

  say(update: Update): void {
    this.updates.push(update);
    this.wake();
  }

  get server(): Server {
    const script = this;
    return {
      id: "m1",
      async *watch({ seat, signal }: { seat?: number; signal: AbortSignal }) {
        script.watched.push(seat);
        signal.addEventListener("abort", () => script.wake());
        while (!signal.aborted) {
          const next = script.updates.shift();
          if (next !== undefined) yield next;
          else await new Promise<void>((resolve) => (script.wake = resolve));
        }
        throw signal.reason;
      },
      async submit(choices: Choice | readonly Choice[], options: { decision?: string }) {
        script.submitted.push({ choices: [choices].flat() as Choice[], decision: options.decision });
        const response = script.responses.shift() ?? {};
        if (response instanceof TaflhallError) throw response;
        return create(SubmitAnswersResponseSchema, response);
      },
      async *history() {},
    } as unknown as Server;
  }
}

function decisionOf(id: string, options: MessageInitShape<typeof DecisionSchema>["options"]) {
  return create(DecisionSchema, { id, seat: 0, text: `asks ${id}`, options });
}

function snapshot(revision: number, decisions: ReturnType<typeof decisionOf>[]): Update {
  const match = { id: "m1", status: MatchStatus.PLAYING };
  const value = create(MatchSnapshotSchema, { match, decisions } as never);
  return { kind: "snapshot", revision, resumeToken: `t${revision}`, value };
}

function change(revision: number, decisions: ReturnType<typeof decisionOf>[]): Update {
  const value = create(MatchChangeSchema, { decisions, status: MatchStatus.PLAYING } as never);
  return { kind: "change", revision, resumeToken: `t${revision}`, value };
}

const put = (card: Card) => ({ command: commandOf("yggdrasil", "putNext", { card }), text: `card ${card}` });
const D1 = decisionOf("d1", [put(Card.LOKI), put(Card.HEL), put(Card.SURT)]);
const settled = () => new Promise((resolve) => setTimeout(resolve));

async function seated(...responses: (Response | TaflhallError)[]) {
  const script = new Script(responses);
  const kept = new Map<string, string>();
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  let ids = 0;
  const listener = { changed: () => undefined, happened: () => undefined };
  const stores = { session: store, local: store };
  const session = new TableSession(script.server, "en", listener, stores, () => `r${++ids}`, () => 0);
  void session.follow(new AbortController().signal);
  script.say(snapshot(3, [D1]));
  await settled();
  return { script, session };
}

describe("two seats of one person", () => {
  const seen = (revision: number, from: number, decides: number): Update => {
    const decision = create(DecisionSchema, { ...decisionOf(`d${revision}`, [put(Card.LOKI)]), seat: decides });
    const { value, ...rest } = snapshot(revision, [decision]) as Update & { kind: "snapshot" };
    return { ...rest, value: { ...value, view: create(ViewSchema, { seat: from }) } };
  };

  test("are looked from in turn: from the one that has to decide", async () => {
    const { script, session } = await seated();
    script.say(seen(4, 0, 1));
    await settled();
    expect(session.decision).toBeUndefined(); // it is not that of the seat whose view is shown
    await settled();
    expect(script.watched.at(-1)).toBe(1);
    script.say(seen(4, 1, 1));
    await settled();
    expect(session.decision?.id).toBe("d4");
  });

  test("can be chosen, and the choice holds until there is something to decide", async () => {
    const { script, session } = await seated();
    script.say(seen(4, 0, 0));
    await settled();
    session.lookFrom(1);
    await settled();
    expect(script.watched.at(-1)).toBe(1);
    script.say(seen(4, 1, 0));
    await settled();
    expect(script.watched.at(-1)).toBe(1);
    expect(session.decision).toBeUndefined();
    script.say(seen(5, 1, 0));
    await settled();
    await settled();
    expect(script.watched.at(-1)).toBe(0);
  });
});

describe("a session at a table", () => {
  test("an option is answered by its index, once, and nothing else until it shows", async () => {
    const { script, session } = await seated({ revision: 4, firstRevision: 4, applied: 1 });
    const [loki, hel] = D1.options;
    if (!loki || !hel) throw new Error("there are no options");
    expect(session.answer(D1, [hel])).toBe(true);
    expect(session.answer(D1, [loki])).toBe(false);
    await settled();
    expect(script.submitted).toEqual([{ choices: [1], decision: "d1" }]);
    expect(session.isSending).toBe(true); // the watch has not brought revision 4 yet
    script.say(change(4, []));
    await settled();
    expect(session.isSending).toBe(false);
    expect(session.decision).toBeUndefined();
  });

  test("a step that does not complete the answer leads to the next one, and can be withdrawn", async () => {
    const next = decisionOf("d1/1", [put(Card.LOKI), put(Card.SURT)]);
    const { session } = await seated({ revision: 3, firstRevision: 0, applied: 1, decision: next });
    session.answer(D1, D1.options.slice(1, 2));
    await settled();
    expect(session.decision?.id).toBe("d1/1");
    expect(session.draft?.steps).toEqual([{ asked: "asks d1", chosen: "card 2" }]);
    session.withdraw();
    expect(session.decision?.id).toBe("d1");
  });

  test("a half-given answer is gone when its decision was answered otherwise", async () => {
    const next = decisionOf("d1/1", [put(Card.LOKI)]);
    const { script, session } = await seated({ firstRevision: 0, applied: 1, decision: next });
    session.answer(D1, D1.options.slice(1, 2));
    await settled();
    script.say(change(4, [decisionOf("d2", [put(Card.HEL)])]));
    await settled();
    expect(session.draft).toBeUndefined();
    expect(session.decision?.id).toBe("d2");
  });

  test("a list goes on where a step was not asked", async () => {
    const next = decisionOf("d1/1", [put(Card.SURT), put(Card.HEL)]);
    const refusal = { rule: "YG-7.9e", code: "invalid_order", text: "not among the cards" };
    const { script, session } = await seated(
      { firstRevision: 0, applied: 1, decision: next, refusal },
      { revision: 4, firstRevision: 4, applied: 1 },
    );
    const commands = [Card.LOKI, Card.FENRIR, Card.SURT].map((card) => put(card).command);
    session.answer(D1, commands);
    await settled();
    expect(script.submitted).toEqual([
      { choices: commands, decision: "d1" },
      { choices: commands.slice(2), decision: "d1/1" },
    ]);
    expect(session.notice).toBeUndefined();
  });

  test("a refusal says why and by which rule", async () => {
    const texts = new Map([["en", "The world is blocked."]]);
    const illegal = new TaflhallError("ILLEGAL_COMMAND", "", { metadata: { rule: "YG-7.2" }, texts });
    const { session } = await seated(illegal);
    session.answer(D1, D1.options.slice(0, 1));
    await settled();
    expect(session.notice).toEqual({ kind: "refused", text: "The world is blocked.", rule: "YG-7.2" });
    expect(session.isSending).toBe(false);
  });

  test("an answer that another tab has given first comes too late", async () => {
    const { session } = await seated(new TaflhallError("STALE_DECISION", "the decision is over"));
    session.answer(D1, D1.options.slice(0, 1));
    await settled();
    expect(session.notice?.kind).toBe("late");
  });

  test("an answer whose outcome is unknown is sent again as soon as the server speaks", async () => {
    const lost = new TaflhallError("UNAVAILABLE", "lost", { uncertain: true });
    const { script, session } = await seated(lost, { revision: 4, firstRevision: 4, applied: 1 });
    session.answer(D1, D1.options.slice(0, 1));
    await settled();
    expect(session.isSending).toBe(true);
    script.say(snapshot(3, [D1]));
    await settled();
    expect(script.submitted.map(({ decision }) => decision)).toEqual(["d1", "d1"]);
  });
});
