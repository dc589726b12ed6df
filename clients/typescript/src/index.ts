/** The client for browsers (and Node from 22): Connect over HTTP, and WebSockets. */
import { createConnectTransport } from "@connectrpc/connect-web";

import type { ClientOptions } from "./client.js";
import { Client } from "./client.js";
import { webSocketTransport } from "./websocket.js";

export * from "./common.js";

/** Return a client of a server's web port, such as `https://play.example.org`. */
export function connect(url: string, options: ClientOptions = {}): Client {
  const baseUrl = url.replace(/\/+$/, "");
  const unary = createConnectTransport({ baseUrl, useBinaryFormat: true, useHttpGet: false });
  return new Client(webSocketTransport(unary, baseUrl), options);
}
