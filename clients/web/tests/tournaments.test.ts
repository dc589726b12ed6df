// Tournaments in Chromium: announced, entered, started, watched to their end.
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

/** Announce a tournament whose players are late: after a second bots of the server stand in for them. */
async function announced(name: string, rounds: number): Promise<string> {
  const request = {
    name,
    setup: { game: "champions", seats: 2 },
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

/** Let an entrant resign its matches that are under way. */
async function resign(tournamentId: string, key: string): Promise<void> {
  const method = "tournament.v1.TournamentService/ListTournamentMatches";
  const { matches = [] } = await call<{ matches?: { matchId?: string; status?: string }[] }>(
    server.url,
    method,
    { tournamentId },
  );
  const playing = matches.filter(({ status }) => status === "MATCH_STATUS_PLAYING");
  for (const { matchId } of playing) {
    const request = { matchId, requestId: `resign ${matchId}` };
    await call(server.url, "MatchService/ResignSeat", request, key).catch(() => undefined); // over by now
  }
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

  test("is entered, started and watched: live boards, then results and standings", async () => {
    const id = await announced("Cup", 1);
    const address = `${server.url}/#/tournament/${id}`;
    const watcher = await open(address, WIDE);
    for (const key of entrants) {
      const { page } = await as(key);
      await page.goto(address);
      await page.getByRole("button", { name: "Enter" }).click();
    }
    await watcher.page.getByText("2 entrants").waitFor();
    await watcher.page.getByText("1 s; then a stand-in plays on").waitFor();
    const { page } = await as(host);
    await page.goto(address);
    await page.getByRole("button", { name: "Start" }).click();
    const boards = watcher.page.locator(".live-board [data-spot]");
    await boards.first().waitFor();
    await watcher.picture("tournament-live", true);
    await watcher.expectAccessible();
    const [ada = ""] = entrants;
    const finished = watcher.page.getByText("finished · round robin");
    const end = async (): Promise<number> => {
      await resign(id, ada);
      return finished.count();
    };
    await expect.poll(end, { timeout: 60_000 }).toBe(1);
    const table = watcher.page.locator("table.standings tbody tr");
    expect(await table.count()).toBe(NAMES.length);
    expect(await watcher.page.locator(".live-board").count()).toBe(0);
    expect(await table.locator("th").allTextContents()).toEqual(["Bo", "Ada"]);
    expect(await watcher.page.getByText("★").count()).toBeGreaterThan(0);
    await watcher.picture("tournament-end", true);
    await watcher.expectAccessible();
    await watcher.page.goto(`${server.url}/#/`);
    await watcher.page.locator(".matches-finished .match-row").first().waitFor();
    await watcher.picture("lobby-finished", true);
    await watcher.expectAccessible();
  });
});
