// A tournament of bots of the server in Chromium: announced, entered, started, watched to its end.
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { WIDE, useBrowser } from "./kit/browser";
import type { Look, Person } from "./kit/browser";
import { call } from "./kit/match";
import { Server } from "./kit/server";

const open = useBrowser();
const NAMES = ["Ada", "Bo"];
let server: Server;
let host: string;
const entrants: string[] = [];

beforeAll(async () => {
  server = await Server.prepare();
  host = server.account("Host", "host");
  entrants.push(...NAMES.map((name) => server.account(name, "player")));
  await server.run();
});
afterAll(() => server?.stop());

/** Open the page as an account. */
async function as(key: string, look?: Look): Promise<Person> {
  const person = await open(server.url, look);
  await person.page.evaluate((value) => localStorage.setItem("taflhall.key", value), key);
  await person.page.reload();
  return person;
}

/** Announce a tournament whose players are never there: after a second bots of the server stand in. */
async function announced(name: string, rounds: number): Promise<string> {
  const request = {
    name,
    setup: { game: "yggdrasil", seats: 1 },
    format: "TOURNAMENT_FORMAT_ROUND_ROBIN",
    rounds,
    matchesAtOnce: 2,
    timeControl: { base: "1s", onTimeout: "TIMEOUT_POLICY_STAND_IN" },
    requestId: name,
  };
  const method = "tournament.v1.TournamentService/CreateTournament";
  const made = await call<{ tournament: { id: string } }>(server.url, method, request, host);
  return made.tournament.id;
}

describe("a tournament", () => {
  test("is announced by a host in the page, and listed for all", async () => {
    const { page } = await as(host, WIDE);
    await page.goto(`${server.url}/#/tournaments`);
    await page.getByLabel("Title").fill("Announced here");
    await page.getByLabel("Who plays whom").selectOption("knockout");
    await page.getByRole("button", { name: "Announce the tournament" }).click();
    await page.getByRole("heading", { name: "Announced here" }).waitFor();
    await page.getByText("open for entries · knockout").waitFor();
    const guest = await open(`${server.url}/#/tournaments`);
    await guest.page.getByRole("link", { name: /Announced here/ }).waitFor();
    await guest.picture("tournaments");
    await guest.expectAccessible();
  });

  test("of bots is entered, started and watched: live boards, then results and standings", async () => {
    const id = await announced("Cup", 1);
    const address = `${server.url}/#/tournament/${id}`;
    const watcher = await open(address, WIDE);
    for (const key of entrants) {
      const { page } = await as(key);
      await page.goto(address);
      await page.getByRole("button", { name: "Enter" }).click();
    }
    await watcher.page.getByText("2 entrants").waitFor();
    const { page } = await as(host);
    await page.goto(address);
    await page.getByRole("button", { name: "Start" }).click();
    const boards = watcher.page.locator(".live-board [data-spot]");
    await boards.first().waitFor();
    await watcher.picture("tournament-live", true);
    await watcher.expectAccessible();
    const table = watcher.page.locator("table.standings tbody tr");
    await expect.poll(() => table.count(), { timeout: 150_000 }).toBe(NAMES.length);
    await watcher.page.getByText("finished · round robin").waitFor({ timeout: 150_000 });
    expect(await watcher.page.locator(".live-board").count()).toBe(0);
    expect((await table.locator("th").allTextContents()).sort()).toEqual(NAMES);
    expect(await watcher.page.getByText("★").count()).toBeGreaterThan(0);
    await watcher.picture("tournament-end", true);
    await watcher.expectAccessible();
  });
});
