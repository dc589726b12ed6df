/** The client for Node: gRPC over HTTP/2. */
import type { SecureClientSessionOptions } from "node:http2";

import { Http2SessionManager, createGrpcTransport } from "@connectrpc/connect-node";

import type { ClientOptions } from "./client.js";
import { Client } from "./client.js";

export * from "./common.js";

export interface NodeOptions extends ClientOptions {
  /** TLS: `true` as a browser does, or with own certificates (PEM). */
  readonly tls?: boolean | Pick<SecureClientSessionOptions, "ca" | "cert" | "key">;
}

/** Servers close a connection whose client pings more often than every 20 s. */
const PING_MS = 25_000;
const PONG_MS = 10_000;

/** Return a client of the server at `host:port`; nothing is sent yet. */
export function connect(address: string, options: NodeOptions = {}): Client {
  const { tls = false, ...rest } = options;
  const baseUrl = `${tls ? "https" : "http"}://${address}`;
  const pings = { pingIntervalMs: PING_MS, pingTimeoutMs: PONG_MS };
  const sessionManager = new Http2SessionManager(baseUrl, pings, typeof tls === "object" ? tls : {});
  const transport = createGrpcTransport({ baseUrl, sessionManager, acceptCompression: [] });
  return new Client(transport, rest, () => sessionManager.abort());
}
