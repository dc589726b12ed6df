import type { Transport } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { TaflhallError } from "taflhall";

/** What is seen of the calls that a transport makes. */
export interface Observer {
  /** The server has answered a call, or sent a message of the stream of a method. */
  heard(method: string): void;
  /** A call, or the stream of a method, was lost. */
  lost(method: string): void;
}

/** A transport whose open streams can be cut, and which reports what it hears. */
export interface ObservedTransport extends Transport {
  /** Lose all open streams at once, as if the network had; clients open them again. */
  cut(): void;
}

const CALLS = "calls";

/** Return *inner*, observed. */
export function observed(inner: Transport, observer: Observer): ObservedTransport {
  const open = new Set<AbortController>();
  return {
    async unary(...call) {
      try {
        const response = await inner.unary(...call);
        observer.heard(CALLS);
        return response;
      } catch (error) {
        const [, signal] = call;
        if (!signal?.aborted) report(error, CALLS, observer);
        throw error;
      }
    },
    async stream(method, signal, ...rest) {
      const cutter = new AbortController();
      const both = signal ? AbortSignal.any([signal, cutter.signal]) : cutter.signal;
      const name = method.name;
      open.add(cutter);
      const failed = (error: unknown): unknown => {
        const isSilent = signal?.reason instanceof TaflhallError; // the SDK has given it up
        if (signal?.aborted && !isSilent) return error;
        const isCut = isSilent || cutter.signal.aborted;
        const failure = isCut ? new ConnectError("the stream was cut", Code.Unavailable) : error;
        report(failure, name, observer);
        return failure;
      };
      try {
        const response = await inner.stream(method, both, ...rest);
        return { ...response, message: messages(response.message) };
      } catch (error) {
        open.delete(cutter);
        throw failed(error);
      }

      async function* messages<T>(all: AsyncIterable<T>): AsyncGenerator<T> {
        try {
          for await (const message of all) {
            observer.heard(name);
            yield message;
          }
        } catch (error) {
          throw failed(error);
        } finally {
          open.delete(cutter);
        }
      }
    },
    cut() {
      for (const cutter of open) cutter.abort();
    },
  };
}

const LOST = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Unknown, Code.Canceled]);

/** Report an error: a definite one is an answer of the server, too. */
function report(error: unknown, method: string, observer: Observer): void {
  if (LOST.has(ConnectError.from(error).code)) observer.lost(method);
  else observer.heard(method);
}
