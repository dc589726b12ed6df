/** Unary calls of gRPC in Node: each follows the events of one HTTP/2 stream. */
import type { ClientHttp2Stream, IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http2";
import { constants } from "node:http2";

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Http2SessionManager } from "@connectrpc/connect-node";
import { findTrailerError, validateResponse } from "@connectrpc/connect/protocol-grpc";

/** A message is preceded by whether it is compressed, in a byte, and its length, in four. */
const PREFIX_BYTES = 5;

/** The longest delay of a timer; a longer one would expire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** What a server has sent in reply to a call. */
interface Reply {
  readonly header: IncomingHttpHeaders;
  readonly trailer: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Return what makes unary calls over the connection of a session. That of `createGrpcTransport` sends
 * the one message through the same pipeline as a stream of them, and takes more than twice the time.
 */
export function unaryOver(session: Http2SessionManager): Transport["unary"] {
  return async (method, signal, timeoutMs, header = {}, input) => {
    const headers: OutgoingHttpHeaders = {
      "content-type": "application/grpc+proto",
      "user-agent": "taflhall-typescript",
      te: "trailers",
      ...(timeoutMs === undefined ? {} : { "grpc-timeout": grpcTimeout(timeoutMs) }),
      ...(Symbol.iterator in header ? Object.fromEntries(header) : header),
    };
    const path = `/${method.parent.typeName}/${method.name}`;
    const request = framed(toBinary(method.input, create(method.input, input)));
    const opening = session.request("POST", path, headers, {});
    const heard = (stream: ClientHttp2Stream): void => session.notifyResponseByteRead(stream);
    const reply = await exchange(opening, request, heard, timeoutMs, signal);
    const failed = reply.trailer["grpc-status"] !== "0" && failureOf(reply);
    if (failed) throw failed;
    return {
      stream: false,
      service: method.parent,
      method,
      message: fromBinary(method.output, unframed(reply.body)),
      get header() {
        return webHeaders(reply.header);
      },
      get trailer() {
        return webHeaders(reply.trailer);
      },
    };
  };
}

/** Return a timeout as gRPC writes it: a whole number of at most eight digits, and its unit. */
export function grpcTimeout(ms: number): string {
  const whole = Math.max(0, Math.ceil(ms));
  if (whole < 1e8) return `${whole}m`;
  return `${Math.min(Math.ceil(whole / 1000), 99_999_999)}S`;
}

/** Send a request on a stream that is being opened, and return the whole reply. */
function exchange(
  opening: Promise<ClientHttp2Stream>,
  request: Uint8Array,
  heard: (stream: ClientHttp2Stream) => void,
  timeoutMs: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    let header: IncomingHttpHeaders = {};
    let trailer: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    let opened: ClientHttp2Stream | undefined;
    let settled = false;

    function settle(): void {
      settled = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
    function leave(why: unknown): void {
      if (settled) return;
      settle();
      opened?.close(constants.NGHTTP2_CANCEL);
      reject(why);
    }
    const abort = (): void => leave(signal?.reason);
    const lose = (why: unknown): void => leave(lost(why));
    const expire = (): void => leave(new ConnectError("no answer in time", Code.DeadlineExceeded));
    const timer = timeoutMs === undefined ? undefined : setTimeout(expire, Math.min(timeoutMs, MAX_TIMER_MS));

    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    opening.then((stream) => {
      stream.on("error", lose);
      if (settled) {
        stream.close(constants.NGHTTP2_CANCEL);
        return;
      }
      opened = stream;
      stream.on("response", (headers) => void (header = headers));
      stream.on("trailers", (trailers) => void (trailer = trailers));
      stream.on("data", (chunk: Buffer) => {
        heard(stream);
        chunks.push(chunk);
      });
      stream.on("close", () => {
        if (stream.rstCode !== constants.NGHTTP2_NO_ERROR || header[":status"] === undefined) {
          lose(new Error(`the server closed the stream with code ${stream.rstCode}`));
        } else if (!settled) {
          settle();
          resolve({ header, trailer, body: Buffer.concat(chunks) });
        }
      });
      stream.end(request);
    }, lose);
  });
}

/** Return the error of a stream that was lost: nothing says whether the call was carried out. */
function lost(why: unknown): ConnectError {
  if (why instanceof ConnectError) return why;
  const message = why instanceof Error ? why.message : String(why);
  return new ConnectError(message, Code.Unavailable, undefined, undefined, why);
}

/** Return the error that a reply reports, in its trailer or, if it is nothing else, in its header. */
function failureOf(reply: Reply): ConnectError | undefined {
  const header = webHeaders(reply.header);
  const { headerError } = validateResponse(Number(reply.header[":status"]), header);
  return headerError ?? findTrailerError(webHeaders(reply.trailer));
}

function framed(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(PREFIX_BYTES + message.length);
  new DataView(frame.buffer).setUint32(1, message.length);
  frame.set(message, PREFIX_BYTES);
  return frame;
}

function unframed({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  const frame = new DataView(buffer, byteOffset, byteLength);
  const length = byteLength - PREFIX_BYTES;
  if (length < 0 || frame.getUint8(0) !== 0 || frame.getUint32(1) !== length) {
    throw new ConnectError("the server did not send one whole message", Code.Internal);
  }
  return new Uint8Array(buffer, byteOffset + PREFIX_BYTES, length);
}

function webHeaders(received: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    if (name.startsWith(":") || value === undefined) continue;
    for (const one of [value].flat()) headers.append(name, one);
  }
  return headers;
}
