// The table in Chromium: choosing, why not, two people, looking back, and whole answers in one dialog.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Page } from "playwright-core";
import { describe, expect, inject, test } from "vitest";

import { useBrowser } from "./kit/browser";
import { OPTION, Table, call, choose, expectLive, turn } from "./kit/match";
import { Server, taflhall } from "./kit/server";

const open = useBrowser();
const url = inject("url");
const address = inject("address");

const SETUPS = {
  yggdrasil: { game: "yggdrasil", yggdrasil: { furious: 1 } },
  champions: { game: "champions" },
};

/** Resign for the seat of the page, and return the file of the record that the page saves then. */
async function resignAndSave(page: Page): Promise<string> {
  await page.getByText("Undo, hand over, resign").click();
  await page.getByRole("button", { name: "Resign", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the record" }).click();
  return (await saved).path();
}

describe("choosing", () => {
  test("a lit thing on the board shows its options, and a second click on it answers", async () => {
    const table = await Table.open(url, { setup: SETUPS.champions, people: 2 });
    const { page } = await table.seat(open, await table.decider());
    await turn(page);
    const lit = page.locator(".table-board [data-spot].live").first();
    await lit.click();
    await page.locator(".chosen-thing").waitFor();
    expect(await page.locator(OPTION).count()).toBeGreaterThan(0);
  });

  test("what is not offered says why, and by which rule", async () => {
    const table = await Table.open(url, { setup: SETUPS.yggdrasil, people: 1 });
    const person = await table.seat(open, 0);
    const { page } = person;
    await turn(page);
    const dark = page.locator('.table-board [data-spot^="world:"]:not(.live)').first();
    await dark.click();
    await page.locator(".why li strong").first().waitFor();
    expect(await page.locator(".why .rule").first().textContent()).toMatch(/^YG-/);
    await person.picture("why-not");
    await page.locator(".why .rule").first().click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
  });

  test("works by the keyboard alone: a digit goes to an option, Enter gives it", async () => {
    const table = await Table.open(url, { setup: SETUPS.champions, people: 2 });
    const { page } = await table.seat(open, await table.decider());
    await turn(page);
    const before = await table.revision();
    await page.keyboard.press("2");
    expect(await page.evaluate(() => document.activeElement?.querySelector("kbd")?.textContent)).toBe("2");
    await page.keyboard.press("Enter");
    await expect.poll(() => table.revision()).toBe(before + 1);
  });
});

describe("two people", () => {
  test("see what the other does, agree to an undo, and lose no click to a cut", async () => {
    const table = await Table.open(url, { setup: SETUPS.champions, people: 2 });
    const people = [await table.seat(open, 0), await table.seat(open, 1)];
    const decider = async () => people[await table.decider()]!;
    const first = await decider();
    const other = people.find((person) => person !== first)!;
    await turn(first.page);
    await choose(first.page);
    await expect.poll(() => table.revision()).toBe(1);
    await first.page.getByText("Undo, hand over, resign").click();
    await first.page.getByRole("button", { name: "Take my last answer back" }).click();
    await other.page.getByRole("button", { name: "Agree" }).click();
    await expect.poll(() => table.revision()).toBe(2);
    await turn(first.page);
    await first.context.setOffline(true);
    await expect.poll(() => first.page.locator(".standing").getAttribute("data-state")).toBe("reconnecting");
    await first.page.locator(OPTION).first().click();
    await first.page.getByText("Sending your answer").waitFor();
    await first.context.setOffline(false);
    await expect.poll(() => table.revision()).toBe(3);
    await expectLive(first.page);
  });
});

describe("a click while the server is down", () => {
  test("is carried out once by the next server, also when the page was loaded again", async () => {
    const server = await Server.start();
    try {
      const table = await Table.open(server.url, { setup: SETUPS.champions, people: 2 });
      const { page } = await table.seat(open, await table.decider());
      await turn(page);
      await server.kill();
      await page.locator(OPTION).first().click();
      await page.getByText("Sending your answer").waitFor();
      await page.reload().catch(() => undefined); // nobody is there to answer
      await server.run();
      await page.goto(table.link);
      await expect.poll(() => table.revision()).toBe(1);
      await expectLive(page);
      const left = await page.evaluate(() => Object.keys(sessionStorage));
      expect(left.filter((key) => key.includes("pending"))).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});

describe("a deputy", () => {
  test("opens a link and answers for the seat until its holder takes it back", async () => {
    const table = await Table.open(url, { setup: SETUPS.champions, people: 2 });
    const holder = await table.seat(open, await table.decider());
    await turn(holder.page);
    await holder.page.getByText("Undo, hand over, resign").click();
    await holder.page.getByRole("button", { name: "Hand my seat over" }).click();
    await holder.page.getByRole("dialog").getByRole("button", { name: "Hand my seat over" }).click();
    const link = await holder.page.locator(".secret").textContent();
    await holder.page.keyboard.press("Escape");
    const deputy = await open(link ?? "");
    await turn(deputy.page);
    expect(deputy.page.url()).not.toContain("deputy");
    expect(await holder.page.locator(OPTION).count()).toBe(0);
    await choose(deputy.page);
    await expect.poll(() => table.revision()).toBe(1);
    await holder.page.getByRole("button", { name: "Take my seat back" }).click();
    await expect.poll(() => deputy.page.locator(".standing").getAttribute("data-state")).toBe("replaced");
  });
});

describe("the score if the match ended now", () => {
  test("is opened by the keyboard, counts each line by its rule, and follows the match", async () => {
    const table = await Table.open(url, { setup: SETUPS.champions, people: 2 });
    await table.playOn(60);
    const person = await table.seat(open, await table.decider());
    const { page } = person;
    await turn(page);
    await page.locator("summary", { hasText: "If the match ended now" }).press("Enter");
    const score = page.locator(".projection .scores");
    await score.waitFor();
    const heads = await score.locator("thead th").allTextContents();
    expect(heads.map((head) => head.trim())).toEqual(["Part of the score", "Ann", "Bo"]);
    const points = (cells: readonly string[]): number => cells.reduce((sum, cell) => sum + Number(cell), 0);
    for (const column of [1, 2]) {
      const lines = await score.locator(`tbody td:nth-of-type(${column})`).allTextContents();
      const [total] = await score.locator(`tfoot td:nth-of-type(${column})`).allTextContents();
      expect(points(lines)).toBe(Number(total));
    }
    const asked = page.waitForRequest((request) => request.url().endsWith("/GetMatchView"));
    await choose(page);
    await asked;
    await person.picture("projection");
    await person.expectAccessible();
    await score.locator(".rule").first().click();
    await page.getByRole("dialog").waitFor();
  });

  test("is none in a game without points, which says what decides it", async () => {
    const table = await Table.open(url, { setup: SETUPS.yggdrasil, people: 1 });
    const { page } = await table.seat(open, undefined, { language: "de" });
    await page.getByText("Wenn die Partie jetzt endete").click();
    await page.locator(".projection").getByText("fünf Feinde jenseits der Mauer YG-11.2").waitFor();
  });
});

describe("looking back", () => {
  test("goes through the revisions, says that it is the past, and shares a moment by its link", async () => {
    const table = await Table.open(url, { setup: SETUPS.yggdrasil, people: 1 });
    const person = await table.seat(open, 0);
    const { page } = person;
    for (let chosen = 0; chosen < 4; chosen += 1) {
      await turn(page);
      await choose(page);
    }
    await expect.poll(() => table.revision()).toBeGreaterThan(2);
    await page.getByRole("button", { name: "One command back" }).click();
    await expect.poll(() => page.locator(".standing").getAttribute("data-state")).toBe("past");
    expect(await page.locator(OPTION).count()).toBe(0);
    await person.picture("look-back");
    await person.expectAccessible();
    const shared = page.url();
    expect(shared).toMatch(/@\d+$/);
    const guest = await open(shared);
    await guest.page.locator(".table-board [data-spot]").first().waitFor();
    expect(await guest.page.locator(".standing").getAttribute("data-state")).toBe("past");
    await guest.picture("moment");
    await guest.expectAccessible();
    await page.getByRole("button", { name: "Back to the match" }).click();
    await expectLive(page);
  });

  test("a match that is over shows its score line by line, and its luck is checked in the page", async () => {
    const table = await Table.open(url, { setup: SETUPS.champions, people: 2 });
    const person = await table.seat(open, await table.decider());
    const { page } = person;
    await turn(page);
    await page.getByText("Undo, hand over, resign").click();
    await page.getByRole("button", { name: "Resign", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
    await page.locator(".result").waitFor();
    await page.getByRole("button", { name: "Check the dice" }).click();
    await page.getByText("This page saw the same digest").waitFor();
    await page.getByText("The server has replayed the match with this secret").waitFor();
    await person.picture("luck");
    await person.expectAccessible();
  });
});

describe("several seats", () => {
  test("of one person are looked from in turn, and each when it is chosen", async () => {
    const table = await Table.open(url, { setup: SETUPS.champions, people: 2, isOnePerson: true });
    const { page } = await table.seat(open, 0);
    const pressed = page.locator('button[aria-pressed="true"]');
    for (let round = 0; round < 4; round += 1) {
      await turn(page);
      const before = await table.revision();
      const decider = await table.decider();
      expect(await page.locator(`.player[data-seat="${decider}"]`).locator(pressed).count()).toBe(1);
      await choose(page);
      await expect.poll(() => table.revision()).toBeGreaterThan(before);
    }
    const idle = 1 - (await table.decider());
    await turn(page);
    await page.locator(`.player[data-seat="${idle}"] button`).click();
    await page.locator(`.player[data-seat="${idle}"]`).locator(pressed).waitFor();
    expect(await page.locator(OPTION).count()).toBe(0);
  });
});

describe("a record", () => {
  test("of the command line opens in the page, and one of the page in the command line", async () => {
    const table = await Table.open(url, { setup: SETUPS.champions, people: 2 });
    const person = await table.seat(open, await table.decider());
    const { page } = person;
    await table.playOn(30);
    const file = await resignAndSave(page);
    expect(taflhall("verify", file)).toMatch(/^verified: Champions of Midgard/m);
    const exported = join(dirname(file), "exported.json");
    taflhall("record", "export", address, table.id, "--out", exported);
    expect(readFileSync(exported, "utf-8")).toBe(readFileSync(file, "utf-8"));
    const guest = await open(`${url}/#/record`);
    await guest.expectAccessible();
    await guest.page.locator("input[type=file]").setInputFiles(exported);
    await guest.page.locator(".table-board [data-spot]").first().waitFor();
  });

  test("of a match that was played elsewhere shows its result and its commands", async () => {
    const table = await Table.open(url, { setup: SETUPS.champions, people: 2 });
    await table.playOn(30);
    await call(url, "MatchService/ResignSeat", { matchId: table.id, requestId: crypto.randomUUID() }, table.secrets[0]);
    const request = { matchId: table.id, withFile: true };
    const { file } = await call<{ file: string }>(url, "MatchService/GetMatchRecord", request);
    const { match_id: _, ...elsewhere } = JSON.parse(file);
    const guest = await open(`${url}/#/record`);
    const buffer = Buffer.from(JSON.stringify(elsewhere));
    const record = { name: "local.json", mimeType: "application/json", buffer };
    await guest.page.locator("input[type=file]").setInputFiles(record);
    await guest.page.getByText("This server does not know the match").waitFor();
    expect(await guest.page.locator(".log li").count()).toBe(elsewhere.commands.length);
    await guest.page.locator(".scores").waitFor();
    await guest.picture("record-unknown", true);
    await guest.expectAccessible();
  });

  test("is saved at the end of a match, and replayed from its file", async () => {
    const table = await Table.open(url, { setup: SETUPS.yggdrasil, people: 1 });
    const { page } = await table.seat(open, 0);
    for (let chosen = 0; chosen < 2; chosen += 1) {
      await turn(page);
      await choose(page);
    }
    await expect.poll(() => table.revision()).toBeGreaterThan(0);
    const file = await resignAndSave(page);
    const guest = await open(`${url}/#/record`);
    await guest.page.locator("input[type=file]").setInputFiles(file);
    await guest.page.locator(".table-board [data-spot]").first().waitFor();
    expect(await guest.page.locator(".look-back output").textContent()).toMatch(/^0 of [2-9]/);
    await guest.page.getByRole("button", { name: "One command forward" }).click();
    await expect.poll(() => guest.page.locator(".look-back output").textContent()).toMatch(/^1 of/);
    await guest.picture("replay");
    await guest.expectAccessible();
  });
});

describe("a whole answer", () => {
  test("CM-5.8 of the market is one dialog, sent as a list", async () => {
    const table = await Table.open(url, { setup: SETUPS.champions, people: 2 });
    const people = [await table.seat(open, 0), await table.seat(open, 1)];
    for (let chosen = 0; chosen < 40; chosen += 1) {
      const { page } = people[await table.decider()]!;
      await turn(page);
      const market = page.locator(OPTION, { hasText: "Market: exchange" });
      if ((await market.count()) === 0) {
        await choose(page);
        await expect.poll(() => table.revision()).toBeGreaterThan(chosen);
        continue;
      }
      const before = await table.revision();
      await market.click();
      const dialog = page.getByRole("dialog");
      await people[0]!.picture("market-dialog");
      await people[0]!.expectAccessible();
      await dialog.getByRole("button", { name: "Fewer: Food" }).click();
      await dialog.getByText("Coins: 1").waitFor();
      await dialog.getByRole("button", { name: "Send" }).click();
      await expect.poll(() => table.revision()).toBe(before + 1);
      return;
    }
    throw new Error("the market was never offered");
  });
});
