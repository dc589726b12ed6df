/** The client for browsers (and Node from 22): Connect over HTTP, and WebSockets. */
import { createConnectTransport } from "@connectrpc/connect-web";

import type { ClientOptions } from "./client.js";
import { Client } from "./client.js";
import { failover } from "./failover.js";
import { webSocketTransport } from "./websocket.js";

export * from "./common.js";

/**
 * Return a client of a server's web port, such as `https://play.example.org`, or of several with
 * commas between, which are replicas of one service: the client uses one that answers.
 */
export function connect(url: string, options: ClientOptions = {}): Client {
  const transports = url.split(",").map((replica) => {
    const baseUrl = replica.trim().replace(/\/+$/, "");
    const unary = createConnectTransport({ baseUrl, useBinaryFormat: true, useHttpGet: false });
    return webSocketTransport(unary, baseUrl);
  });
  return new Client(failover(transports), options);
}
