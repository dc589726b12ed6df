// Starts a server for all tests that need no one of their own.
import type { TestProject } from "vitest/node";

import { Server } from "./server";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of the page. */
    url: string;
    /** The address for other clients than browsers. */
    address: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await Server.start();
  project.provide("url", server.url);
  project.provide("address", server.address);
  return () => server.stop();
}
