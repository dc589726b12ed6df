import type { DescMessage, DescMethodStreaming, MessageInitShape, MessageShape } from "@bufbuild/protobuf";

import type { CallOptions, Client } from "./client.js";
import { TaflhallError, lost } from "./errors.js";
import type { Stream } from "./stream.js";
import { Patience } from "./timing.js";

/** Opens the streams of one watch, and says what is new in their messages. */
export interface Source<O extends DescMessage, U> {
  /** Whether nothing follows what was taken. */
  over: boolean;
  /** Open a stream that begins after the last message. */
  open(): Pick<Stream<DescMessage, O>, "next" | "cancel">;
  /** Return what is new in a message; throw why the stream has to be opened again. */
  take(message: MessageShape<O>): Iterable<U>;
}

/** Open a stream of the server with its one request. */
export function request<I extends DescMessage, O extends DescMessage>(
  client: Client,
  method: DescMethodStreaming<I, O>,
  message: MessageInitShape<I>,
  options: CallOptions & { readonly secret?: string | undefined },
): Stream<I, O> {
  const stream = client.open(method, options);
  stream.requests.push(message);
  stream.requests.close();
  return stream;
}

/** Yield what is new until the source is over; a lost stream is opened again. */
export async function* updates<O extends DescMessage, U>(
  client: Client,
  source: Source<O, U>,
  { signal }: CallOptions,
): AsyncGenerator<U> {
  const patience = new Patience(client);
  for (;;) {
    const stream = source.open();
    let failure: TaflhallError;
    try {
      while (!source.over) {
        const message = await stream.next();
        if (message === undefined) throw lost("the stream ended");
        patience.heard();
        yield* source.take(message);
      }
      return;
    } catch (error) {
      if (!(error instanceof TaflhallError)) throw error;
      failure = error;
    } finally {
      stream.cancel();
    }
    await patience.wait(failure, signal);
  }
}
