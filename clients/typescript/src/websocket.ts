import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { errorFromJson } from "@connectrpc/connect/protocol-connect";

const ENCODING = "taflhall.proto";
const BEARER = "taflhall.bearer.";

/**
 * Return a transport with streams over WebSockets: they go both ways, and do not count for the
 * six connections that a browser opens to a host. Unary calls go by *unary*.
 */
export function webSocketTransport(unary: Transport, baseUrl: string): Transport {
  return {
    unary: unary.unary.bind(unary),
    async stream(method, signal, _timeoutMs, header, input) {
      const url = `${baseUrl.replace(/^http/, "ws")}/${method.parent.typeName}/${method.name}`;
      const secret = new Headers(header).get("authorization")?.replace(/^Bearer /, "");
      const offered = secret === undefined ? [ENCODING] : [ENCODING, BEARER + secret];
      const socket = new WebSocket(url, offered);
      socket.binaryType = "arraybuffer";
      const messages = received(socket, method.output, signal);
      await opened(socket, signal);
      void send(socket, method.input, input);
      return {
        stream: true,
        service: method.parent,
        method,
        header: new Headers(),
        trailer: new Headers(),
        message: messages,
      };
    },
  };
}

async function opened(socket: WebSocket, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (): void =>
      reject(
        signal?.aborted
          ? new ConnectError("the call was cancelled", Code.Canceled)
          : new ConnectError("no server answers", Code.Unavailable),
      );
    socket.addEventListener("open", () => resolve(), { once: true });
    socket.addEventListener("close", fail, { once: true });
  });
}

async function send<I extends DescMessage>(
  socket: WebSocket,
  schema: I,
  input: AsyncIterable<Parameters<typeof create<I>>[1]>,
): Promise<void> {
  for await (const request of input) {
    if (socket.readyState !== WebSocket.OPEN) return;
    socket.send(toBinary(schema, create(schema, request)) as Uint8Array<ArrayBuffer>);
  }
}

/** Return the messages of a socket, which end or throw as its last one says. */
function received<O extends DescMessage>(
  socket: WebSocket,
  schema: O,
  signal: AbortSignal | undefined,
): AsyncGenerator<MessageShape<O>> {
  const waiting: MessageShape<O>[] = [];
  let end: ConnectError | "ok" | undefined;
  let wake: () => void = () => undefined;
  const finish = (how: ConnectError | "ok"): void => {
    end ??= how;
    wake();
  };
  const abort = (): void => {
    finish(new ConnectError("the call was cancelled", Code.Canceled));
    socket.close();
  };
  socket.addEventListener("message", ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data === "string") finish(endOf(data));
    else waiting.push(fromBinary(schema, new Uint8Array(data)));
    wake();
  });
  socket.addEventListener("close", () =>
    finish(new ConnectError("the stream was lost", Code.Unavailable)),
  );
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();

  async function* messages(): AsyncGenerator<MessageShape<O>> {
    try {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) yield next;
        else if (end === "ok") return;
        else if (end !== undefined) throw end;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      signal?.removeEventListener("abort", abort);
      socket.close();
    }
  }
  return messages();
}

/** Return how a stream ended: the text has Connect's end of a stream. */
function endOf(text: string): ConnectError | "ok" {
  const { endStream } = JSON.parse(text) as {
    endStream: { error?: never; metadata?: Record<string, string[]> };
  };
  if (endStream.error === undefined) return "ok";
  const metadata = Object.entries(endStream.metadata ?? {}).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const fallback = new ConnectError("the stream failed", Code.Unknown);
  return errorFromJson(endStream.error, new Headers(metadata), fallback);
}
