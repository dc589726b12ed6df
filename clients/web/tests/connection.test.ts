// Calls and streams over a connection that is lost and comes back.
import type { Transport } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { Client } from "taflhall";
import { CatalogService } from "taflhall/gen/v1/catalog_service";
import { MatchService } from "taflhall/gen/v1/match_service";
import { afterEach, describe, expect, test, vi } from "vitest";

import { observed } from "../src/connection/transport";

/** A server that does what it is told to with each call and stream, by how often it was tried. */
class Scripted {
  attempts = 0;
  readonly seen: string[] = [];
  readonly transport = observed(
    {
      unary: (_: unknown, signal?: AbortSignal) => this.meet(signal),
      stream: (_: unknown, signal?: AbortSignal) => this.meet(signal),
    } as unknown as Transport,
    { heard: (method) => this.seen.push(`heard ${method}`), lost: (method) => this.seen.push(`lost ${method}`) },
  );

  constructor(private readonly script: (attempt: number, signal: AbortSignal | undefined) => Promise<object>) {}

  private async meet(signal: AbortSignal | undefined): Promise<object> {
    this.attempts += 1;
    return this.script(this.attempts, signal);
  }
}

const ANSWER = { message: { games: [] } };

function refused(): never {
  throw new ConnectError("no server answers", Code.Unavailable);
}

/** Say nothing until the signal is aborted. */
function silent(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(new ConnectError("cancelled", Code.Canceled)));
  });
}

afterEach(() => void vi.useRealTimers());

describe("a call", () => {
  test("that waits to be repeated is repeated at once when the server is back", async () => {
    const server = new Scripted(async (attempt) => (attempt === 1 ? refused() : ANSWER));
    const long = { firstPauseMs: 1e8, longestPauseMs: 1e8, callMs: 1e9, connectMs: 1e9 };
    const client = new Client(server.transport, long);
    const games = client.games();
    await expect.poll(() => (client.retryNow(), server.attempts)).toBe(2);
    expect(await games).toEqual([]);
  });

  test("whose pause the server has asked for is not repeated before", async () => {
    const server = new Scripted(async (attempt) => {
      if (attempt > 1) return ANSWER;
      throw new ConnectError("too many", Code.Unavailable, { "grpc-retry-pushback-ms": "1000" });
    });
    const client = new Client(server.transport);
    vi.useFakeTimers();
    const games = client.games();
    await vi.advanceTimersByTimeAsync(900);
    client.retryNow();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.attempts).toBe(1);
    await vi.advanceTimersByTimeAsync(3000);
    expect(await games).toEqual([]);
  });

  test("that hangs is cut, and repeated", async () => {
    const server = new Scripted(async (attempt, signal) => (attempt === 1 ? silent(signal) : ANSWER));
    const client = new Client(server.transport);
    const games = client.games();
    await expect.poll(() => server.attempts).toBe(1);
    server.transport.cut();
    expect(await games).toEqual([]);
    expect(server.seen).toEqual(["lost calls", "heard calls"]);
  });

  test("that its caller has given up is no loss", async () => {
    const server = new Scripted((_, signal) => silent(signal));
    const stop = new AbortController();
    const call = server.transport.unary(CatalogService.method.listGames, stop.signal, undefined, undefined, {});
    stop.abort();
    await expect(call).rejects.toThrow();
    expect(server.seen).toEqual([]);
  });
});

test("a stream that does not open is lost after ten seconds", async () => {
  vi.useFakeTimers();
  const server = new Scripted((_, signal) => silent(signal));
  const { watchMatch } = MatchService.method;
  const opening = server.transport.stream(watchMatch, undefined, undefined, undefined, (async function* () {})());
  const failed = expect(opening).rejects.toThrow("the connection was cut");
  await vi.advanceTimersByTimeAsync(9_900);
  expect(server.seen).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  await failed;
  expect(server.seen).toEqual(["lost WatchMatch"]);
});
