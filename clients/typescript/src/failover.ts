import type { Transport } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";

import { TaflhallError } from "./errors.js";

/**
 * Return a transport to one of several servers that serve the same matches: the first, and the next
 * one as soon as that does not answer.
 */
export function failover(transports: readonly Transport[]): Transport {
  const [first, ...others] = transports;
  if (first === undefined) throw new TypeError("no address is given");
  if (others.length === 0) return first;
  let at = 0;
  const current = (): Transport => transports[at] ?? first;
  const leave = (used: number, why: unknown): void => {
    if (used === at && isGone(why)) at = (at + 1) % transports.length;
  };
  return {
    async unary(...call) {
      const used = at;
      try {
        return await current().unary(...call);
      } catch (error) {
        leave(used, error);
        throw error;
      }
    },
    async stream(...call) {
      const used = at;
      const [, signal] = call;
      signal?.addEventListener("abort", () => leave(used, signal.reason), { once: true });
      try {
        const response = await current().stream(...call);
        return { ...response, message: noticed(response.message, (error) => leave(used, error)) };
      } catch (error) {
        leave(used, error);
        throw error;
      }
    },
  };
}

async function* noticed<T>(
  messages: AsyncIterable<T>,
  onError: (error: unknown) => void,
): AsyncGenerator<T> {
  try {
    yield* messages;
  } catch (error) {
    onError(error);
    throw error;
  }
}

/** Return whether an error is of a server that does not answer, or is about to end. */
function isGone(error: unknown): boolean {
  if (error instanceof TaflhallError) return error.reason === "UNAVAILABLE";
  const { code, cause } = ConnectError.from(error);
  const lost = code === Code.Aborted && cause !== undefined; // Node's HTTP/2
  const unreached = cause instanceof TypeError; // fetch
  return lost || unreached || code === Code.Unavailable || code === Code.DeadlineExceeded;
}
