// The client in a page of another origin, in Chromium without a window.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { chromium } from "playwright-core";
import type { Page } from "playwright-core";
import { build } from "vite";

import type * as taflhall from "taflhall";

declare global {
  /** The client, in the page. */
  var client: ReturnType<typeof taflhall.connect>;
  var hasReason: typeof taflhall.hasReason;
}

export const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const PAGE = `<!doctype html><meta charset="utf-8"><script type="module">
  import { connect, hasReason } from "/client.js";
  Object.assign(globalThis, { client: connect(location.hash.slice(1), { language: "en" }), hasReason });
</script>`;

/** Return a page with a client of the servers at these URLs, and what closes it. */
export async function openPage(urls: string): Promise<{ page: Page; close: () => Promise<void> }> {
  const code = await bundle();
  const site = createServer((request, response) => {
    const isCode = request.url === "/client.js";
    response.setHeader("content-type", isCode ? "text/javascript" : "text/html");
    response.end(isCode ? code : PAGE);
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
  });
  const page = await browser.newPage();
  const { port } = site.address() as AddressInfo;
  await page.goto(`http://127.0.0.1:${port}/#${urls}`);
  await page.waitForFunction(() => "client" in globalThis);
  const close = async (): Promise<void> => {
    await browser.close();
    site.close();
  };
  return { page, close };
}

/** Return the client as one module, as a page would load it. */
async function bundle(): Promise<string> {
  const lib = { entry: "src/index.ts", formats: ["es" as const], fileName: "client" };
  const built = await build({ configFile: false, logLevel: "silent", build: { lib, write: false } });
  const [first] = [built].flat();
  if (first === undefined || !("output" in first)) throw new Error("nothing was built");
  return first.output[0].code;
}
