// What a player sees when the connection is cut, in two tabs, and when the server is replaced.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { useBrowser } from "./kit/browser";
import { seen } from "./kit/calls";
import { Server } from "./kit/server";

const open = useBrowser();
let server: Server;
beforeAll(async () => void (server = await Server.start()));
afterAll(() => server.stop());

const OPTIONS = ".options:not([aria-busy=true]) button.option:enabled";
const LOST = "No connection";

/** Begin a match of two seats for one person, so that nobody else answers; return its id. */
async function begin(page: Page, title: string): Promise<string> {
  await page.getByRole("article", { name: title }).getByRole("button", { name: "Play a bot" }).click();
  await page.locator(OPTIONS).first().waitFor();
  return /match\/([^/@]+)/.exec(page.url())?.[1] ?? "";
}

describe("a player", () => {
  test("whose connection is cut is told so, and a click while it is has one effect", async () => {
    const person = await open(server.url);
    const { page, context } = person;
    const id = await begin(page, "Yggdrasil");
    const asked = await page.locator(".asked").textContent();
    const before = (await seen(server.url, id)).revision ?? 0;
    await context.setOffline(true);
    await page.getByText(LOST).waitFor();
    await person.picture("cut");
    await page.locator(OPTIONS).first().click();
    await context.setOffline(false);
    await page.getByText(LOST).waitFor({ state: "detached" });
    await expect.poll(() => page.locator(".asked").textContent(), { timeout: 30_000 }).not.toBe(asked);
    const after = (await seen(server.url, id)).revision ?? 0;
    expect(after).toBeGreaterThanOrEqual(before);
    await page.locator(OPTIONS).first().waitFor();
  });

  test("with two tabs answers in either, and a decision is answered once", async () => {
    const person = await open(server.url);
    const { page } = person;
    const id = await begin(page, "Champions of Midgard");
    const other = await person.secondTab();
    await other.goto(page.url());
    await other.locator(OPTIONS).first().waitFor();
    for (let round = 0; round < 5; round += 1) {
      const asked = await page.locator(".asked").textContent();
      await Promise.all(
        [page, other].map((tab) => tab.locator(OPTIONS).first().click({ timeout: 5000 }).catch(() => undefined)),
      );
      await expect.poll(() => page.locator(".asked").textContent()).not.toBe(asked);
      await page.locator(OPTIONS).first().waitFor();
      await other.locator(OPTIONS).first().waitFor();
      await expect.poll(() => other.locator(".asked").textContent()).toBe(
        await page.locator(".asked").textContent(),
      );
    }
    expect((await seen(server.url, id)).status).toBe("MATCH_STATUS_PLAYING");
  });

  test("goes on at the server that has taken the place of a killed one", async () => {
    const { page } = await open(server.url);
    const id = await begin(page, "Yggdrasil");
    const asked = await page.locator(".asked").textContent();
    await server.kill();
    await page.getByText(LOST).waitFor();
    await server.run();
    await page.getByText(LOST).waitFor({ state: "detached" });
    expect(await page.locator(".asked").textContent()).toBe(asked);
    await page.locator(OPTIONS).first().click();
    await expect.poll(() => page.locator(".asked").textContent()).not.toBe(asked);
    expect((await seen(server.url, id)).status).toBe("MATCH_STATUS_PLAYING");
  });

  test("does not notice that the server was drained and replaced", async () => {
    const { page } = await open(server.url);
    await begin(page, "Yggdrasil");
    await server.replace();
    const asked = await page.locator(".asked").textContent();
    await page.locator(OPTIONS).first().click();
    await expect.poll(() => page.locator(".asked").textContent(), { timeout: 30_000 }).not.toBe(asked);
  });
});
