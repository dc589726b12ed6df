/** The client for browsers (and Node from 22): Connect over HTTP, and WebSockets. */
import { createConnectTransport } from "@connectrpc/connect-web";

import { webUrls } from "./address.js";
import type { ClientOptions } from "./client.js";
import { Client } from "./client.js";
import { failover } from "./failover.js";
import { webSocketTransport } from "./websocket.js";

export * from "./common.js";

/**
 * Return a client of a server's web port, such as `https://play.example.org`, or of several with
 * commas between, which are replicas of one service: the client uses one that answers.
 *
 * @throws {@link TaflhallError} with the reason `INVALID_ADDRESS` or `API_KEY_INVALID`.
 */
export function connect(url: string, options: ClientOptions = {}): Client {
  const urls = webUrls(url);
  const transports = urls.map((baseUrl) => {
    const unary = createConnectTransport({ baseUrl, useBinaryFormat: true, useHttpGet: false });
    return webSocketTransport(unary, baseUrl);
  });
  return new Client(failover(transports), options, undefined, urls);
}
