import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { afterAll, beforeAll, expect, inject, test } from "vitest";

import { connect as connectBrowser } from "../src/index.js";
import type { Client, Match, NewBot, Update } from "../src/node.js";
import {
  MatchStatus,
  Reaction,
  TaflhallError,
  UnreachableError,
  connect,
  hasReason,
} from "../src/node.js";

let client: Client;
beforeAll(() => void (client = connect(inject("address"), { language: "en" })));
afterAll(() => client.close());

const random = ({ options }: { options: unknown[] }) => Math.floor(Math.random() * options.length);

async function table(): Promise<Match> {
  const match = await client.create({ game: "yggdrasil", seats: 2 }, { title: "Test" });
  const seat = await match.join("Ann", { seats: [0, 1] });
  await match.start();
  return seat;
}

test("a bot plays a match to its end while a spectator watches", async () => {
  const seat = await table();
  const watched = (async () => {
    let changes = 0;
    let last: Update | undefined;
    for await (last of client.match(seat.id).watch()) changes += last.kind === "change" ? 1 : 0;
    return { changes, last };
  })();
  const end = await seat.play(random);
  expect(end?.status).toBe(MatchStatus.FINISHED);
  expect(end?.result?.seats).toHaveLength(2);
  const { changes, last } = await watched;
  expect(changes).toBe(end?.revision);
  expect(last?.kind).toBe("end");
  expect((await seat.record())?.commands.length).toBeGreaterThan(0);
});

test("one stream plays several matches", async () => {
  const seats = await Promise.all([table(), table()]);
  const entered: string[] = [];
  const ended = new Map<string, unknown>();
  const newBot: NewBot = ({ match }) => {
    entered.push(match?.id ?? "");
    return random;
  };
  await client.playAll(newBot, {
    seats,
    onEnd: (id, outcome) => ended.set(id, "status" in outcome && outcome.status),
  });
  expect(entered.sort()).toEqual(seats.map(({ id }) => id).sort());
  expect([...ended.keys()].sort()).toEqual(seats.map(({ id }) => id).sort());
  expect([...ended.values()]).toEqual([MatchStatus.FINISHED, MatchStatus.FINISHED]);
});

test("a decision is answered by unary calls, and a repeated request has one effect", async () => {
  const seat = await table();
  const decision = await seat.decision();
  expect(decision?.options.length).toBeGreaterThan(0);
  expect(decision?.options[0]?.text).not.toBe("");
  const given = { decision: decision?.id ?? "", requestId: "once" };
  const first = await seat.submit(0, given);
  const again = await seat.submit(0, given);
  expect(again.replayed).toBe(true);
  expect(again.revision).toBe(first.revision);
});

test("an error is typed by its reason", async () => {
  const failure = await client.match("nowhere").get().catch((error: unknown) => error);
  expect(hasReason(failure, "MATCH_NOT_FOUND")).toBe(true);
  expect((failure as TaflhallError).metadata).toEqual({ match_id: "nowhere" });
  expect((failure as TaflhallError).text("de-AT")).toBe("diese Partie gibt es nicht");
});

test("the texts of an error are in the language of the client", async () => {
  const german = connect(inject("address"), { language: "de" });
  const failure = await german.create({ game: "yggdrasil", seats: 99 }).catch((error) => error);
  expect(failure.message).toBe(failure.text("de"));
  expect(failure.violations[0].text).toMatch(/^es gibt/);
  german.close();
});

test("an answer is taken back, and who plays alone abandons without asking", async () => {
  const seat = await table();
  await seat.submit(0);
  const revision = (await seat.get()).match?.revision ?? 0;
  const undone = await seat.undo().catch((error: unknown) => error);
  expect(undone instanceof TaflhallError ? undone.reason : "").toMatch(/^(CANNOT_UNDO)?$/);
  expect(revision).toBe(1);
  expect((await seat.abandon())?.status).toBe(MatchStatus.ABANDONED);
});

test("a faulty setup names its fields", async () => {
  const failure = await client.create({ game: "yggdrasil", seats: 99 }).catch((error) => error);
  expect(failure.reason).toBe("INVALID_SETUP");
  expect(failure.violations[0].field).toBe("setup.seats");
});

test("a watch ends at once when its signal is aborted", async () => {
  const seat = await table();
  const stop = new AbortController();
  const updates = seat.watch({ signal: stop.signal });
  await updates.next();
  setTimeout(() => stop.abort(), 10);
  await expect(updates.next()).rejects.toThrow(/abort/i);
});

test("a watch continues where another one stopped", async () => {
  const seat = await table();
  const updates = seat.watch();
  const { value } = await updates.next();
  await updates.return(undefined);
  await seat.submit(0);
  const resumed = seat.watch({ resumeToken: (value as Update).resumeToken });
  const next = await resumed.next();
  expect((next.value as Update).kind).toBe("change");
  await resumed.return(undefined);
});

test("without a server a call fails at its deadline, as uncertain", async () => {
  const nobody = connect("127.0.0.1:1", { callMs: 300, firstPauseMs: 10 });
  const failure = await nobody.games().catch((error: unknown) => error);
  expect((failure as TaflhallError).reason).toBe("UNAVAILABLE");
  expect((failure as TaflhallError).uncertain).toBe(true);
  nobody.close();
});

test("where nobody ever answered, calls and streams end soon", async () => {
  const timing = { callMs: 3_600_000, patienceMs: 3_600_000, connectMs: 300, firstPauseMs: 10 };
  const nobody = connect("127.0.0.1:1, 127.0.0.1:2", { ...timing, longestPauseMs: 20 });
  const called = await nobody.games().catch((error: unknown) => error);
  const watched = await nobody.match("m").watch().next().catch((error: unknown) => error);
  for (const failure of [called, watched]) {
    expect(failure).toBeInstanceOf(UnreachableError);
    expect((failure as UnreachableError).addresses).toEqual(["127.0.0.1:1", "127.0.0.1:2"]);
  }
  nobody.close();
});

test("a port that accepts and says nothing is unreachable", async () => {
  const mute = createServer();
  await new Promise<void>((listening) => mute.listen(0, "127.0.0.1", listening));
  const { port } = mute.address() as AddressInfo;
  const client = connect(`127.0.0.1:${port}`, { connectMs: 300 });
  const seat = client.match("m", "secret");
  await expect(client.games()).rejects.toThrow(UnreachableError);
  await expect(seat.watch().next()).rejects.toThrow(UnreachableError);
  await expect(seat.play(random)).rejects.toThrow(UnreachableError);
  await expect(client.playAll(() => random, { seats: [seat] })).rejects.toThrow(UnreachableError);
  client.close();
  mute.close();
});

test("what cannot be an address or a key is refused at once", () => {
  const faulty = ["", "localhost", "host:port", "127.0.0.1:99999", "a:1,b", "http://a:1", "::1:50051"];
  for (const address of faulty) {
    expect(() => connect(address), address).toThrow(/is not an address: write HOST:PORT/);
  }
  for (const address of ["localhost:1", "[::1]:50051", "a:1, b:2"]) connect(address).close();
  expect(() => connectBrowser("no address")).toThrow(/is not an address: write http/);
  expect(() => connect("localhost:1", { key: "hunter2" })).toThrow(/not an API key/);
});

test("a bot that fails ends its play with the error", async () => {
  const seat = await table();
  const broken = async () => {
    await sleep(1);
    throw new RangeError("no idea");
  };
  await expect(seat.play(broken)).rejects.toThrow("no idea");
});

test("players find each other, and the lobby shows it", async () => {
  const stop = new AbortController();
  const filter = { game: "yggdrasil", labels: { club: "lobby test" } };
  const lobby = client.watchLobby(filter, { signal: stop.signal });
  const next = lobby.next();
  const found: string[] = [];
  let heard: Awaited<typeof next> | undefined;
  while (heard === undefined) { // on a busy machine the first may be found before the lobby is watched
    const name = `Ann ${found.length}`;
    const seat = await client.findMatch({ game: "yggdrasil", seats: 3 }, name, { labels: filter.labels });
    found.push(seat.id);
    heard = await Promise.race([next, sleep(2000, undefined)]);
  }
  const { value } = heard;
  expect(found).toContain(value?.case === "match" && value.value.id);
  stop.abort();
  const other = await client.findMatch({ game: "yggdrasil", seats: 3 }, "Ben", { labels: filter.labels });
  const seated = found.length % 3;
  expect(other.seats).toEqual([seated]);
  if (seated > 0) expect(other.id).toBe(found.at(-1));
});

test("a creator invites and removes, and a code lets in", async () => {
  const setup = { game: "yggdrasil", seats: 2 };
  const match = await client.create(setup, { unlisted: true, invitationRequired: true });
  const seat = await client.joinByCode(match.joinCode, "Ann");
  expect(seat.id).toBe(match.id);
  expect((await match.remove(0))?.seats[0]?.name).toBe("");
  const nobody = await match.invite("nobody").catch((error: unknown) => error);
  expect(hasReason(nobody, "ACCOUNT_NOT_FOUND")).toBe(true);
  const unasked = await seat.decline().catch((error: unknown) => error);
  expect((unasked as TaflhallError).reason).toMatch(/INVITATION_NOT_FOUND|ACCOUNT_REQUIRED|SECRET_INVALID/);
});

test("a history has every revision", async () => {
  const seat = await table();
  const end = await seat.play(random);
  const revisions = [];
  for await (const { revision } of client.match(seat.id).history(2)) revisions.push(revision);
  expect(revisions).toEqual(Array.from({ length: (end?.revision ?? 0) - 1 }, (_, n) => n + 2));
});

test("of several replicas one that answers is used", async () => {
  const several = connect(`127.0.0.1:1,${inject("address")}`, { firstPauseMs: 10 });
  const seat = await table();
  expect((await several.games()).length).toBe(3);
  expect((await several.match(seat.id, seat.secret).play(random))?.status).toBe(MatchStatus.FINISHED);
  several.close();
});

test("presence and reactions are shown to those who want them", async () => {
  const seat = await table();
  const kinds = [];
  for await (const update of seat.watch({ withPresence: true, withReactions: true })) {
    kinds.push(update.kind);
    if (update.kind === "presence") await seat.react(Reaction.HELLO);
    if (update.kind === "reaction") {
      expect([update.value.seat, update.value.reaction]).toEqual([0, Reaction.HELLO]);
      break;
    }
  }
  expect(kinds).toContain("presence");
});

test("players of a match that is over meet again", async () => {
  const seat = await table();
  await seat.play(random);
  const again = await seat.rematch();
  expect(again.id).not.toBe(seat.id);
  expect([...again.seats].sort()).toEqual([0, 1]);
});

test("a bot of the server takes a seat", async () => {
  const games = await client.games();
  const bot = games.find(({ id }) => id === "yggdrasil")?.bots[0]?.id ?? "";
  const match = await client.create({ game: "yggdrasil", seats: 2 });
  expect((await match.addBot(bot, { seat: 1 }))?.seats[1]?.botId).toBe(bot);
});
