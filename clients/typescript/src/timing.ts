import type { Client } from "./client.js";
import type { Reason, TaflhallError } from "./errors.js";

/** Lengths of time in milliseconds. */
export interface Timing {
  /** What a call may take with all its repetitions. */
  readonly callMs: number;
  /** The same, and the patience of a stream, until a server has answered for the first time. */
  readonly connectMs: number;
  /** What a single attempt of a call may take. */
  readonly attemptMs: number;
  /** A stream without even a heartbeat for this long counts as lost. */
  readonly silenceMs: number;
  /** A lost stream is given up if no server answers for this long. */
  readonly patienceMs: number;
  /** The shortest pause before a repetition. */
  readonly firstPauseMs: number;
  /** The longest pause, unless the server asks for more. */
  readonly longestPauseMs: number;
}

export const DEFAULT_TIMING: Timing = {
  callMs: 30_000,
  connectMs: 5_000,
  attemptMs: 10_000,
  silenceMs: 60_000,
  patienceMs: 300_000,
  firstPauseMs: 200,
  longestPauseMs: 5_000,
};

/** The pauses between attempts that fail in a row: exponential, with jitter. */
export class Backoff {
  private failures = 0;

  constructor(private readonly timing: Timing) {}

  /** Start over: an attempt succeeded. */
  reset(): void {
    this.failures = 0;
  }

  /** Return how long to wait before what failed so is repeated. */
  pauseFor(failure: TaflhallError): number {
    if (failure.reason === "RATE_LIMITED") {
      return failure.retryAfterMs * between(1.05, 1.3) + 5; // others wait for the same moment
    }
    this.failures += 1;
    const { firstPauseMs, longestPauseMs } = this.timing;
    const most = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(this.failures, 10));
    return Math.max(between(firstPauseMs, most), failure.retryAfterMs);
  }
}

/** The pauses before repetitions, which can be ended together. */
export class Pauses {
  private readonly running = new Set<AbortController>();

  /** Pause before what failed so is repeated; throw the reason of *signal* as soon as it is aborted. */
  async wait(ms: number, failure: TaflhallError, signal?: AbortSignal): Promise<void> {
    const pause = new AbortController();
    if (failure.retryAfterMs === 0) this.running.add(pause); // the server has not asked for the pause
    try {
      await sleep(ms, signal ? AbortSignal.any([signal, pause.signal]) : pause.signal);
    } catch {
      signal?.throwIfAborted();
    } finally {
      this.running.delete(pause);
    }
  }

  /** End all pauses at once, but those that the server has asked for. */
  end(): void {
    for (const pause of this.running) pause.abort();
  }
}

/** Reasons to open a stream again, besides those whose outcome is unknown. */
const PASSING = new Set<Reason>(["SLOW_CONSUMER", "RATE_LIMITED"]);

/** When to open a lost stream again, and when to give up. */
export class Patience {
  private alive = Date.now();
  private readonly backoff: Backoff;

  constructor(private readonly client: Client) {
    this.backoff = new Backoff(client.timing);
  }

  /** The server spoke. */
  heard(): void {
    this.client.reach.notice();
    this.alive = Date.now();
    this.backoff.reset();
  }

  /** Pause before the next attempt; throw *failure* if waiting does not help. */
  async wait(failure: TaflhallError, signal?: AbortSignal): Promise<void> {
    const { reach, timing, pauses } = this.client;
    reach.notice(failure);
    const passes = failure.uncertain || PASSING.has(failure.reason);
    const pause = this.backoff.pauseFor(failure);
    const late = Date.now() + pause - this.alive > reach.limit(timing.patienceMs);
    if (!passes || late) throw reach.explain(failure);
    await pauses.wait(pause, failure, signal);
  }
}

/** Wait; throw the reason of *signal* as soon as it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

function between(least: number, most: number): number {
  return least + Math.random() * (most - least);
}
