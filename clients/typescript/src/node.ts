/** The client for Node: gRPC over HTTP/2. */
import type { SecureClientSessionOptions } from "node:http2";

import { Http2SessionManager, createGrpcTransport } from "@connectrpc/connect-node";

import { hostsAndPorts } from "./address.js";
import type { ClientOptions } from "./client.js";
import { Client } from "./client.js";
import { failover } from "./failover.js";
import { unaryOver } from "./unary.js";

export * from "./common.js";

export interface NodeOptions extends ClientOptions {
  /** TLS: `true` as a browser does, or with own certificates (PEM). */
  readonly tls?: boolean | Pick<SecureClientSessionOptions, "ca" | "cert" | "key">;
}

/** Servers close a connection whose client pings more often than every 20 s. */
const PING_MS = 25_000;
const PONG_MS = 10_000;

/**
 * Return a client of the server at `host:port`, or of several with commas between, which are replicas
 * of one service: the client uses one that answers. Nothing is sent yet.
 *
 * @throws {@link TaflhallError} with the reason `INVALID_ADDRESS` or `API_KEY_INVALID`.
 */
export function connect(address: string, options: NodeOptions = {}): Client {
  const { tls = false, ...rest } = options;
  const pings = { pingIntervalMs: PING_MS, pingTimeoutMs: PONG_MS };
  const addresses = hostsAndPorts(address);
  const sessions = addresses.map((replica) => {
    const authority = `${tls ? "https" : "http"}://${replica}`;
    return new Http2SessionManager(authority, pings, typeof tls === "object" ? tls : {});
  });
  const transports = sessions.map((sessionManager) => ({
    ...createGrpcTransport({
      baseUrl: sessionManager.authority,
      sessionManager,
      acceptCompression: [],
    }),
    unary: unaryOver(sessionManager),
  }));
  const close = (): void => sessions.forEach((session) => session.abort());
  return new Client(failover(transports), rest, close, addresses);
}
