// What a player sees when the connection is cut, in two tabs, and when the server is replaced.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { useBrowser } from "./kit/browser";
import { answersOf, revisionOf } from "./kit/calls";
import { Server } from "./kit/server";

const open = useBrowser();
let server: Server;
beforeAll(async () => void (server = await Server.start()));
afterAll(() => server.stop());

const OPTIONS = ".options:not([aria-busy=true]) button.option:enabled";
const LOST = "No connection";

/** Begin a match of Yggdrasil beside a bot; return its id once a decision waits for the person. */
async function begin(page: Page): Promise<string> {
  const game = page.getByRole("article", { name: "Yggdrasil" });
  await game.getByRole("button", { name: "Play a bot" }).click();
  await page.locator(OPTIONS).first().waitFor();
  return /match\/([^/@]+)/.exec(page.url())?.[1] ?? "";
}

/** Expect that a match has gone on, and that the page shows it as it is now. */
async function expectGoneOn(page: Page, id: string, from: number): Promise<void> {
  const now = () => revisionOf(server.url, id);
  await expect.poll(now).toBeGreaterThan(from);
  await page.locator(OPTIONS).first().waitFor();
  const shown = page.locator(".log-revision").first();
  await expect.poll(async () => Number(await shown.textContent()) - (await now())).toBe(0);
}

describe("a player", () => {
  test("whose connection is cut is told so, and a click while it is has one effect", async () => {
    const person = await open(server.url);
    const { page, context } = person;
    const id = await begin(page);
    const before = await revisionOf(server.url, id);
    await context.setOffline(true);
    await page.getByText(LOST).waitFor();
    await person.picture("cut");
    await page.locator(OPTIONS).first().click();
    await context.setOffline(false);
    await page.getByText(LOST).waitFor({ state: "detached" });
    await expectGoneOn(page, id, before);
  });

  test("with two tabs may click in both at once: both go on with the same match", async () => {
    const person = await open(server.url);
    const { page } = person;
    const id = await begin(page);
    const other = await person.secondTab();
    await other.goto(page.url());
    await other.locator(OPTIONS).first().waitFor();
    const clicks = [page, other].map((tab) => tab.locator(OPTIONS).first().click({ timeout: 5000 }));
    await Promise.all(clicks.map((click) => click.catch(() => undefined))); // one may come too late
    for (const tab of [page, other]) {
      await tab.goto(`${server.url}/#/`);
      await tab.goto(`${server.url}/#/match/${id}`);
    }
    for (const tab of [page, other]) await tab.locator(OPTIONS).first().waitFor();
    const asked = () => Promise.all([page, other].map((tab) => tab.locator(".asked").textContent()));
    await expect.poll(async () => new Set(await asked()).size).toBe(1); // the bot may still answer
  });

  test("goes on at the server that has taken the place of a killed one", async () => {
    const { page } = await open(server.url);
    const id = await begin(page);
    const before = await revisionOf(server.url, id);
    await server.kill();
    await page.getByText(LOST).waitFor();
    await server.run();
    await page.getByText(LOST).waitFor({ state: "detached" });
    expect(await revisionOf(server.url, id)).toBe(before);
    await page.locator(OPTIONS).first().click();
    await expectGoneOn(page, id, before);
  });

  test("who clicks while no server is there has answered once when it is back", async () => {
    const { page } = await open(server.url);
    const id = await begin(page);
    const before = await revisionOf(server.url, id);
    await server.kill();
    await page.getByText(LOST).waitFor();
    const attempts: boolean[] = [];
    page.on("requestfailed", (request) => attempts.push(request.url().endsWith("/SubmitAnswers")));
    await page.locator(OPTIONS).first().click();
    await expect.poll(() => attempts.filter(Boolean).length).toBeGreaterThan(2); // sent again and again
    await server.run();
    await expectGoneOn(page, id, before);
    expect(await answersOf(server.url, id, 0, before)).toBe(1);
  });

  test("whose server is drained and replaced loses no click", async () => {
    const { page } = await open(server.url);
    const id = await begin(page);
    const before = await revisionOf(server.url, id);
    const replaced = server.replace();
    await page.locator(OPTIONS).first().click();
    await replaced;
    await expectGoneOn(page, id, before);
  });
});
