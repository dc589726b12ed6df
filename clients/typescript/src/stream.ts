import type { DescMessage, DescMethodStreaming, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";

import { fromCall, lost } from "./errors.js";

/** Requests that are sent as they are pushed. */
export class Outbox<T> implements AsyncIterable<T> {
  private readonly waiting: T[] = [];
  private closed = false;
  private wake: () => void = () => undefined;

  /** Send a request; return whether the stream is open. */
  push(request: T): boolean {
    if (this.closed) return false;
    this.waiting.push(request);
    this.wake();
    return true;
  }

  close(): void {
    this.closed = true;
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const next = this.waiting.shift();
      if (next !== undefined) yield next;
      else if (this.closed) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}

/** An open stream, whose loss and silence are errors of the client. */
export class Stream<I extends DescMessage, O extends DescMessage> {
  readonly requests = new Outbox<MessageInitShape<I>>();
  private readonly controller = new AbortController();
  private readonly responses: Promise<AsyncIterator<MessageShape<O>>>;
  private readonly stop: () => void;

  constructor(
    transport: Transport,
    method: DescMethodStreaming<I, O>,
    header: HeadersInit,
    /** Returns for how many milliseconds the server may say nothing. */
    private readonly silence: () => number,
    private readonly language: string,
    private readonly signal?: AbortSignal,
  ) {
    this.stop = () => this.controller.abort(signal?.reason);
    signal?.addEventListener("abort", this.stop, { once: true });
    this.responses = transport
      .stream(method, this.controller.signal, undefined, header, this.requests)
      .then(({ message }) => message[Symbol.asyncIterator]());
    this.responses.catch(() => undefined); // `next` reports it
  }

  /** Return the next message, or `undefined` at the end; throw if the stream is lost or silent. */
  async next(): Promise<MessageShape<O> | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const failure = lost("the stream fell silent");
        reject(failure);
        this.controller.abort(failure);
      }, this.silence());
    });
    const read = this.responses.then((responses) => responses.next());
    try {
      const result = await Promise.race([read, silence]);
      return result.done ? undefined : result.value;
    } catch (failure) {
      read.catch(() => undefined);
      this.signal?.throwIfAborted();
      throw fromCall(failure, this.language);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Cancel the stream, on the server too. */
  cancel(): void {
    this.signal?.removeEventListener("abort", this.stop);
    this.requests.close();
    this.controller.abort();
  }
}
