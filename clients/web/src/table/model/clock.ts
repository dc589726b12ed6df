/**
 * The clocks of a match, by the store's time.
 *
 * The clock of this machine may be off, and may be corrected while the page is open. Each message
 * with clocks is a sample of the difference; the smallest of the latest samples is the best one,
 * since a message never arrives before it was made.
 */
import type { Duration, Timestamp } from "@bufbuild/protobuf/wkt";

import type { MatchClocks, SeatClock } from "taflhall/gen/v1/match";

const SAMPLES = 8;
/** A sample that is further from the estimate than this shows that a clock was set. */
const JUMP_MS = 5_000;

/** An estimate of the store's time from this machine's. */
export class ServerClock {
  private samples: number[] = [];

  /** Take a message into account: its time by the store, and when it arrived by this machine. */
  sample(readMs: number, arrivedMs: number): void {
    const offset = arrivedMs - readMs;
    const known = this.offset;
    if (known !== undefined && Math.abs(offset - known) > JUMP_MS) this.samples = [];
    this.samples = [...this.samples, offset].slice(-SAMPLES);
  }

  /** Return the store's time now, or `undefined` before the first sample. */
  now(localMs: number): number | undefined {
    const { offset } = this;
    return offset === undefined ? undefined : localMs - offset;
  }

  private get offset(): number | undefined {
    return this.samples.length === 0 ? undefined : Math.min(...this.samples);
  }
}

/** What a clock shows. */
export interface ClockFace {
  readonly leftMs: number;
  /** It counts down: a decision of the seat is pending. */
  readonly running: boolean;
}

/** Return what the clock of a seat shows at a time of this machine. */
export function faceOf(clock: SeatClock, server: ServerClock, localMs: number): ClockFace {
  const left = millis(clock.remaining);
  const now = server.now(localMs);
  if (clock.deadline === undefined || clock.paused || now === undefined) {
    return { leftMs: Math.max(0, left), running: false };
  }
  return { leftMs: Math.max(0, timeOf(clock.deadline) - now), running: true };
}

/** Take the clocks of a message into account. */
export function readClocks(clocks: MatchClocks | undefined, server: ServerClock, localMs: number): void {
  if (clocks?.readTime !== undefined) server.sample(timeOf(clocks.readTime), localMs);
}

/** Write a length of time as h:mm:ss, or m:ss, with tenths in the last ten seconds. */
export function clockText(ms: number): string {
  if (ms < 10_000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.floor(ms / 1000);
  const two = (n: number): string => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** Return a timestamp in milliseconds. */
export function timeOf(timestamp: Timestamp): number {
  return Number(timestamp.seconds) * 1000 + timestamp.nanos / 1e6;
}

function millis(duration: Duration | undefined): number {
  return duration === undefined ? 0 : Number(duration.seconds) * 1000 + duration.nanos / 1e6;
}
