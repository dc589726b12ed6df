// A real server with an embedded store, its page, and the SDK as other callers use it.
import type { ChildProcess } from "node:child_process";
import { execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PYTHON =
  process.env["TAFLHALL_PYTHON"] ??
  fileURLToPath(new URL("../../../../.venv/bin/python", import.meta.url));

/** A server process that can be replaced by another one at the same port, over the same store. */
export class Server {
  /** Where other clients than browsers call it. */
  address = "";
  private hasPage = false;
  private process: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  private get store(): string {
    return `embedded:${this.folder}`;
  }

  /** Where the page is. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  static async start(): Promise<Server> {
    const server = await Server.prepare();
    await server.run();
    return server;
  }

  /** Return a server that does not run yet. */
  static async prepare(): Promise<Server> {
    return new Server(await mkdtemp(join(tmpdir(), "taflhall-page-")), await freePort());
  }

  /** Open an account while the server does not run; return its API key. */
  account(name: string, role: "player" | "host"): string {
    const command = ["admin", "create-account", name, "--role", role, "--store", this.store];
    const said = execFileSync(PYTHON, ["-m", "taflhall_service.main", ...command], { encoding: "utf-8" });
    const [key] = /tfk_\S+/.exec(said) ?? [];
    if (key === undefined) throw new Error(`no key: ${said}`);
    return key;
  }

  /** Kill the process without warning. */
  async kill(): Promise<void> {
    await this.end("SIGKILL");
  }

  /** Begin again after a kill. */
  async run(): Promise<void> {
    this.address = "";
    this.hasPage = false;
    const places = ["--listen", "127.0.0.1:0", "--web", `127.0.0.1:${this.port}`];
    const started = spawn(
      PYTHON,
      ["-m", "taflhall_service.main", "--store", this.store, ...places],
      { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, TAFLHALL_LOG_LEVEL: "error" } },
    );
    this.process = started;
    for await (const line of createInterface({ input: started.stdout })) {
      this.address = /^listening on (\S+)/.exec(line)?.[1] ?? this.address;
      this.hasPage ||= line.startsWith("page at ");
      if (!this.hasPage || this.address === "") continue;
      started.stdout.resume();
      return;
    }
    throw new Error("the server did not start, or has no page: run `make page`");
  }

  /** Drain this process and start another one in its place. */
  async replace(): Promise<void> {
    await this.end("SIGTERM");
    await this.run();
  }

  async stop(): Promise<void> {
    await this.end("SIGTERM");
    await rm(this.folder, { recursive: true, force: true });
  }

  private async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const ending = this.process;
    this.process = undefined;
    if (ending === undefined || ending.exitCode !== null) return;
    const ended = new Promise((resolve) => ending.once("exit", resolve));
    ending.kill(signal);
    await ended;
  }
}

/** Run a command of the command line; return what it has written. */
export function taflhall(...command: readonly string[]): string {
  return execFileSync(PYTHON, ["-m", "taflhall_client", ...command], { encoding: "utf-8" });
}

/**
 * Return a port that nobody uses. It lies below the range from which the system gives ports to
 * connections: one of those could take it while the server is away.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}
