// The client in a page of another origin, in Chromium without a window.
import { existsSync } from "node:fs";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { CHROMIUM, openPage } from "./chromium.js";

const skipped = !existsSync(CHROMIUM) && process.env["CI"] !== "true";

describe.skipIf(skipped)("in a browser", () => {
  let page: Page;
  let close: () => Promise<void>;

  beforeAll(async () => void ({ page, close } = await openPage(inject("web"))));
  afterAll(() => close?.());

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
