import { create } from "@bufbuild/protobuf";
import { TaflhallError } from "taflhall";
import { SubmitAnswersResponseSchema } from "taflhall/gen/v1/match_service";
import { describe, expect, test } from "vitest";

import { Submitter } from "../../src/table/model/pending";
import type { Outcome, PendingAnswer, Store } from "../../src/table/model/pending";

const DONE = create(SubmitAnswersResponseSchema, { revision: 5, firstRevision: 5, applied: 1 });
const LOST = new TaflhallError("UNAVAILABLE", "no server answers", { uncertain: true });

class Box implements Store {
  readonly kept = new Map<string, string>();
  getItem(key: string): string | null {
    return this.kept.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.kept.set(key, value);
  }
  removeItem(key: string): void {
    this.kept.delete(key);
  }
}

/** A page with a submitter whose calls end as *ends* say, one after the other. */
function page(box: Box, ...ends: (typeof DONE | TaflhallError)[]) {
  const sent: PendingAnswer[] = [];
  const outcomes: Outcome[] = [];
  const later: (() => void)[] = [];
  let ids = 0;
  const submitter = new Submitter(
    "pending.m1",
    box,
    async (answer) => {
      sent.push(answer);
      const end = ends.shift() ?? DONE;
      if (end instanceof TaflhallError) throw end;
      return end;
    },
    () => `request-${++ids}`,
    (outcome) => outcomes.push(outcome),
    (again) => later.push(again),
  );
  return { submitter, sent, outcomes, later };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

describe("an answer on its way", () => {
  test("is sent once, and is forgotten when the server has said what became of it", async () => {
    const box = new Box();
    const { submitter, sent, outcomes } = page(box);
    expect(submitter.give("d1", [2])).toBe(true);
    await settled();
    expect(sent).toHaveLength(1);
    expect(outcomes).toEqual([{ kind: "applied", response: DONE }]);
    expect(submitter.pending).toBeUndefined();
    expect(box.kept.size).toBe(0);
  });

  test("keeps a second click from being sent", async () => {
    const { submitter, sent } = page(new Box());
    submitter.give("d1", [2]);
    expect(submitter.give("d1", [3])).toBe(false);
    await settled();
    expect(sent.map(({ answers }) => answers[0]?.answer.value)).toEqual([2]);
  });

  test("is sent again under the same id when its outcome is unknown", async () => {
    const { submitter, sent, outcomes, later } = page(new Box(), LOST);
    submitter.give("d1", [0]);
    await settled();
    expect(outcomes).toEqual([]);
    expect(submitter.pending?.requestId).toBe("request-1");
    later.shift()?.();
    await settled();
    expect(sent.map(({ requestId }) => requestId)).toEqual(["request-1", "request-1"]);
    expect(outcomes).toHaveLength(1);
  });

  test("survives a reload of the page, with its id", async () => {
    const box = new Box();
    const before = page(box, LOST);
    before.submitter.give("d1", [7, 8]);
    await settled();
    const after = page(box);
    await after.submitter.again();
    expect(after.sent).toEqual(before.sent);
  });

  test("is gone when the server refuses it: nothing has changed, and another can be given", async () => {
    const stale = new TaflhallError("STALE_DECISION", "the decision is over");
    const { submitter, outcomes } = page(new Box(), stale);
    submitter.give("d1", [0]);
    await settled();
    expect(outcomes).toEqual([{ kind: "refused", failure: stale }]);
    expect(submitter.give("d2", [0])).toBe(true);
  });

  test("of another version of the page is dropped", () => {
    const box = new Box();
    box.setItem("pending.m1", "{}");
    expect(page(box).submitter.pending).toBeUndefined();
  });
});
