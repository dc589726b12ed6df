import type { TaflhallError } from "./errors.js";
import { UnreachableError } from "./errors.js";
import type { Timing } from "./timing.js";

/** Whether any of the addresses of a client has ever answered, and how long that is waited for. */
export class Reach {
  private reached = false;

  constructor(
    private readonly addresses: readonly string[],
    private readonly timing: Timing,
  ) {}

  /** Note that a server has answered, if a failure (or none) shows it. */
  notice(failure?: TaflhallError): void {
    this.reached ||= failure === undefined || !isUnheard(failure);
  }

  /** Return how long to wait for a server: not long before one has ever answered. */
  limit(usualMs: number): number {
    return this.reached ? usualMs : Math.min(usualMs, this.timing.connectMs);
  }

  /** Return how long to wait for one answer: before the first, every address is tried in time. */
  answerLimit(usualMs: number): number {
    const share = this.timing.connectMs / Math.max(1, this.addresses.length);
    return this.reached ? usualMs : Math.min(usualMs, share);
  }

  /** Return a failure with what to check, if no server has ever answered. */
  explain(failure: TaflhallError): TaflhallError {
    if (this.reached || !isUnheard(failure) || this.addresses.length === 0) return failure;
    return new UnreachableError(this.addresses, failure);
  }
}

/** Return whether a failure is no answer of a server. */
function isUnheard({ reason }: TaflhallError): boolean {
  return reason === "UNAVAILABLE" || reason === "DEADLINE_EXCEEDED";
}
