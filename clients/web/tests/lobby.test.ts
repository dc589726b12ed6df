// The lobby in Chromium: open, invite, join, bots; in two languages, light and dark, phone and wide.
import { describe, expect, inject, test } from "vitest";

import { PHONE, WIDE, useBrowser } from "./kit/browser";

const open = useBrowser();
const url = inject("url");

describe("the lobby", () => {
  test("shows every game with the ways to begin, and axe finds nothing serious", async () => {
    const person = await open(url);
    await expect.poll(() => person.page.locator(".game-card").count()).toBe(3);
    await person.page.getByRole("heading", { name: "Open matches" }).waitFor();
    await person.picture("lobby");
    await person.expectAccessible();
  });

  test("is in German, dark and on a phone without a horizontal scroll bar", async () => {
    const person = await open(url, { ...PHONE, language: "de", scheme: "dark" });
    await person.page.getByRole("button", { name: "Neue Partie …" }).first().waitFor();
    await person.picture("lobby-phone-de-dark", true);
    const overflow = await person.page.evaluate(
      () => document.documentElement.scrollWidth - innerWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    await person.expectAccessible();
  });

  test("changes language and colours at once, and keeps them", async () => {
    const person = await open(url);
    const { page } = person;
    await page.getByLabel("Settings").click();
    await person.expectAccessible();
    await page.getByLabel("Language").selectOption("Deutsch");
    await page.getByRole("link", { name: "Spiele", exact: true }).waitFor();
    await page.getByLabel("Farben").selectOption("Dunkel");
    await page.reload();
    await page.getByRole("link", { name: "Spiele", exact: true }).waitFor();
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
  });

  test("can be used by the keyboard alone", async () => {
    const { page } = await open(url);
    await page.getByRole("button", { name: "New match …" }).first().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });
});

describe("one click", () => {
  test("begins a match beside a bot, whose table is there at once", async () => {
    const { page } = await open(url, WIDE);
    await page
      .getByRole("article", { name: "Yggdrasil" })
      .getByRole("button", { name: "Play a bot" })
      .click();
    await page.locator(".table-board [data-spot]").first().waitFor();
    const begun = Date.now();
    await page.reload();
    await page.locator(".table-board [data-spot]").first().waitFor();
    console.log(`from nothing to the table: ${Date.now() - begun} ms`);
    const lobby = await open(url);
    const row = lobby.page.locator(".matches-playing .match-row", { hasText: "Yggdrasil" });
    await row.first().waitFor();
  });

  test("finds players: the second who asks sits down with the first", async () => {
    const people = [await open(url), await open(url, { language: "de" })];
    for (const [index, { page }] of people.entries()) {
      await page.getByRole("textbox").first().fill(`Person ${index + 1}`); // two of one name do not meet
      await page.getByRole("article", { name: "Champions" }).getByRole("button").nth(1).click();
      await page.waitForURL(/#\/match\//);
    }
    for (const { page } of people) await page.locator(".table-board [data-spot]").first().waitFor();
    expect(people[0]?.page.url()).toBe(people[1]?.page.url());
  });
});

describe("a lost connection", () => {
  test("is said at once, and the lists are as they are now when it is back", async () => {
    const watcher = await open(url);
    await watcher.page.getByRole("heading", { name: "Open matches" }).waitFor();
    await watcher.context.setOffline(true);
    await watcher.page.getByText("No connection").waitFor();
    const host = await open(url);
    const card = host.page.locator(".game-card", { hasText: "Champions" });
    await card.getByRole("button", { name: "New match …" }).click();
    await host.page.getByRole("dialog").getByLabel("Title").fill("While you were away");
    await host.page.getByRole("button", { name: "Create the match" }).click();
    await host.page.getByText("Waiting for").waitFor();
    await watcher.context.setOffline(false);
    await watcher.page.getByRole("link", { name: /While you were away/ }).waitFor();
    await watcher.page.getByText("No connection").waitFor({ state: "detached" });
  });
});

describe("a new match", () => {
  test("is described by every field of the game's setup", async () => {
    const person = await open(url, WIDE);
    const { page } = person;
    const card = page.locator(".game-card", { hasText: "Yggdrasil" });
    await card.getByRole("button", { name: "New match …" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/Number of furious enemies/).selectOption("2");
    await dialog.getByLabel("Thor", { exact: true }).check();
    await dialog.getByLabel("Odin", { exact: true }).check();
    await dialog.getByLabel("Title").fill("Two gods");
    await person.picture("new-match");
    await person.expectAccessible();
    await dialog.getByLabel("With clocks").check();
    await dialog.getByRole("button", { name: "Create the match" }).click();
    await page.getByRole("heading", { name: "Two gods" }).waitFor();
    await expect.poll(() => page.locator(".setup-list").textContent()).toMatch(/Thor.*Odin/);
    await expect.poll(() => page.locator(".setup-list").textContent()).toContain("20 min");
    await person.picture("waiting-room");
    await person.expectAccessible();
  });

  test("that no rule allows says what would be right", async () => {
    const { page } = await open(url);
    const card = page.locator(".game-card", { hasText: "Yggdrasil" });
    await card.getByRole("button", { name: "New match …" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Number of seats/).selectOption("3");
    await dialog.getByLabel("Thor", { exact: true }).check();
    await dialog.getByRole("button", { name: "Create the match" }).click();
    await dialog.getByRole("alert").waitFor();
    expect(await dialog.getByRole("alert").locator("li").count()).toBeGreaterThan(0);
  });

  test("is open to those who have the link, which holds the code in its fragment", async () => {
    const host = await open(url);
    const card = host.page.locator(".game-card", { hasText: "Champions" });
    await card.getByRole("button", { name: "New match …" }).click();
    const dialog = host.page.getByRole("dialog");
    await dialog.getByLabel(/^Number of seats/).selectOption("2");
    await dialog.getByLabel("Title").fill("By invitation");
    await dialog.getByLabel("By invitation only").check();
    await dialog.getByLabel("Unlisted").check();
    await dialog.getByRole("button", { name: "Create the match" }).click();
    const link = await host.page.getByLabel("Link", { exact: true }).inputValue();
    expect(new URL(link).pathname).toBe("/");
    const guest = await open(link);
    await guest.page.getByRole("heading", { name: "You are invited" }).waitFor();
    await guest.picture("invitation");
    await guest.expectAccessible();
    await guest.page.locator("main").getByLabel("Your name").fill("Guest of honour");
    await guest.page.getByRole("button", { name: "Sit down" }).click();
    await guest.page.waitForURL(/#\/match\//);
    expect(guest.page.url()).not.toContain("join");
    const third = await open(url);
    await third.page.getByText("Open matches").waitFor();
    expect(await third.page.getByText("By invitation").count()).toBe(0);
  });

  test("fills up live for those who look at the lobby, and takes bots of the server", async () => {
    const watcher = await open(url);
    const host = await open(url);
    const card = host.page.locator(".game-card", { hasText: "Champions" });
    await card.getByRole("button", { name: "New match …" }).click();
    const dialog = host.page.getByRole("dialog");
    await dialog.getByLabel(/^Number of seats/).selectOption("3");
    await dialog.getByLabel("Title").fill("Seen from the lobby");
    await dialog.getByRole("button", { name: "Create the match" }).click();
    await host.page.getByText("Waiting for 2 more players.").waitFor();
    const row = watcher.page.getByRole("link", { name: /Seen from the lobby/ });
    await expect.poll(() => row.textContent()).toContain("2 seats free");
    await host.page.getByRole("button", { name: "Add the bot" }).click();
    await expect.poll(() => row.textContent()).toContain("1 seat free");
    await host.page.getByRole("button", { name: /^Remove / }).click();
    await expect.poll(() => row.textContent()).toContain("2 seats free");
    await host.page.getByRole("button", { name: "Cancel the match" }).click();
    await row.waitFor({ state: "detached" });
  });
});

describe("the catalogue", () => {
  test("explains every field and component of a game", async () => {
    const person = await open(`${url}/#/games`, WIDE);
    await person.page.getByRole("heading", { name: "Yggdrasil" }).waitFor();
    await person.expectAccessible();
    await person.page.goto(`${url}/#/games/champions`);
    await person.page.getByRole("heading", { name: "Options of the setup" }).waitFor();
    expect(await person.page.locator(".setup-fields dt").count()).toBe(6);
    await person.picture("game");
    await person.expectAccessible();
  });

  test("opens the rule that an address names, in any spelling, and finds rules by words", async () => {
    const person = await open(`${url}/#/rules/yggdrasil/yg%207.9A`);
    const rule = person.page.locator(".rules [aria-current]");
    await rule.waitFor();
    expect(await rule.locator("dt").textContent()).toBe("YG-7.9a");
    await person.picture("rules");
    await person.page.getByLabel("Search in the rules").fill("furious card");
    await expect.poll(() => person.page.locator(".rules dt").count()).toBeLessThan(20);
    expect(await person.page.locator(".rules dt").count()).toBeGreaterThan(0);
    await person.expectAccessible();
  });

  test("says that there is no tournament yet", async () => {
    const person = await open(`${url}/#/tournaments`);
    await person.page.getByText("There is no tournament yet.").waitFor();
    await person.expectAccessible();
  });
});
