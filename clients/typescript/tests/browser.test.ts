// The client in a page of another origin, in Chromium without a window.
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

import { chromium } from "playwright-core";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import type * as taflhall from "../src/index.js";

declare global {
  /** The client, in the page. */
  var client: ReturnType<typeof taflhall.connect>;
  var hasReason: typeof taflhall.hasReason;
}

const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const PAGE = `<!doctype html><meta charset="utf-8"><script type="module">
  import { connect, hasReason } from "/client.js";
  Object.assign(globalThis, { client: connect(location.hash.slice(1), { language: "en" }), hasReason });
</script>`;

/** Return the client as one module, as a page would load it. */
async function bundle(): Promise<string> {
  const lib = { entry: "src/index.ts", formats: ["es" as const], fileName: "client" };
  const built = await build({ configFile: false, logLevel: "silent", build: { lib, write: false } });
  const [first] = [built].flat();
  if (first === undefined || !("output" in first)) throw new Error("nothing was built");
  return first.output[0].code;
}

const skipped = !existsSync(CHROMIUM) && process.env["CI"] !== "true";

describe.skipIf(skipped)("in a browser", () => {
  let browser: Browser;
  let page: Page;
  let site: Server;

  beforeAll(async () => {
    const code = await bundle();
    site = createServer((request, response) => {
      const isCode = request.url === "/client.js";
      response.setHeader("content-type", isCode ? "text/javascript" : "text/html");
      response.end(isCode ? code : PAGE);
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
    });
    page = await browser.newPage();
    const { port } = site.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/#${inject("web")}`);
    await page.waitForFunction(() => "client" in globalThis);
  });

  afterAll(async () => {
    await browser?.close();
    site?.close();
  });

  test("a page creates a match, plays it over a WebSocket and watches it", async () => {
    const found = await page.evaluate(async () => {
      const match = await client.create({ game: "yggdrasil", seats: 2 });
      const seat = await match.join("Ann", { seats: [0, 1] });
      await match.start();
      const watched = (async () => {
        let changes = 0;
        for await (const { kind } of client.match(match.id).watch()) {
          changes += kind === "change" ? 1 : 0;
        }
        return changes;
      })();
      const end = await seat.play(({ options }) => Math.floor(Math.random() * options.length));
      return { revision: end?.revision, seats: end?.result?.seats.length, changes: await watched };
    });
    expect(found.seats).toBe(2);
    expect(found.changes).toBe(found.revision);
  });

  test("an error comes with its reason, over unary calls and streams", async () => {
    const found = await page.evaluate(async () => {
      const lost = await client.match("nowhere").get().catch((error) => error);
      const refused = await client.match("nowhere").play(() => 0).catch((error) => error);
      return [lost, refused].map((error) => [error.reason, hasReason(error, "MATCH_NOT_FOUND")]);
    });
    expect(found).toEqual([
      ["MATCH_NOT_FOUND", true],
      ["MATCH_NOT_FOUND", true],
    ]);
  });

  test("an aborted watch ends at once", async () => {
    const message = await page.evaluate(async () => {
      const match = await client.create({ game: "yggdrasil", seats: 2 });
      const stop = new AbortController();
      const updates = match.watch({ signal: stop.signal });
      await updates.next();
      stop.abort();
      return updates.next().catch((error: Error) => error.name);
    });
    expect(message).toBe("AbortError");
  });
});
