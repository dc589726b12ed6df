// Starts a server for all tests.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The address for gRPC. */
    address: string;
    /** The URL of the web port. */
    web: string;
  }
}

const PYTHON = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));
const ARGUMENTS = "--store memory: --listen 127.0.0.1:0 --web 127.0.0.1:0 --web-origins *";

export default async function setup(project: TestProject): Promise<() => void> {
  const python = process.env["TAFLHALL_PYTHON"] ?? PYTHON;
  const server = spawn(python, ["-m", "taflhall_service.main", ...ARGUMENTS.split(" ")], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TAFLHALL_LOG_LEVEL: "error" },
  });
  for await (const line of createInterface({ input: server.stdout })) {
    const address = line.replace(/^.* /, "");
    if (line.startsWith("listening on ")) project.provide("address", address);
    if (!line.startsWith("web at ")) continue;
    project.provide("web", `http://${address}`);
    return () => void server.kill();
  }
  throw new Error("the server did not start");
}
