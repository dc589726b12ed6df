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

/** A transport whose calls and streams can be cut, and which reports what it hears. */
export interface ObservedTransport extends Transport {
  /** Lose all calls and streams at once, as if the network had; clients make them again. */
  cut(): void;
}

const CALLS = "calls";
/** A stream that is not open by then is lost: there may be nobody behind the connection. */
const OPENING_MS = 10_000;
const CUT = new ConnectError("the connection was cut", Code.Unavailable);

/** Return *inner*, observed. */
export function observed(inner: Transport, observer: Observer): ObservedTransport {
  const open = new Set<AbortController>();
  return {
    async unary(method, signal, ...rest) {
      const cutter = new AbortController();
      const both = signal ? AbortSignal.any([signal, cutter.signal]) : cutter.signal;
      open.add(cutter);
      try {
        const response = await inner.unary(method, both, ...rest);
        observer.heard(CALLS);
        return response;
      } catch (error) {
        if (signal?.aborted) throw error;
        const failure = cutter.signal.aborted ? CUT : error;
        report(failure, CALLS, observer);
        throw failure;
      } finally {
        open.delete(cutter);
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
        const failure = isCut ? CUT : error;
        report(failure, name, observer);
        return failure;
      };
      const late = setTimeout(() => cutter.abort(), OPENING_MS);
      try {
        const response = await inner.stream(method, both, ...rest);
        return { ...response, message: messages(response.message) };
      } catch (error) {
        open.delete(cutter);
        throw failed(error);
      } finally {
        clearTimeout(late);
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
