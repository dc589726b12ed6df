// Watches a match in a page and prints each update: node page.js URL[,URL] MATCH
import { openPage } from "./chromium.js";

const [urls = "", id = ""] = process.argv.slice(2);
const { page, close } = await openPage(urls);
await page.exposeFunction("print", (line: string) => console.log(line));
await page.evaluate(async (matchId) => {
  const { print } = globalThis as unknown as { print: (line: string) => Promise<void> };
  for await (const { kind, revision } of client.match(matchId).watch()) {
    await print(JSON.stringify({ kind, revision }));
  }
}, id);
await close();
