// Matches that the tests set up by the server's JSON, and the ways in which people play them.
import type { Page } from "playwright-core";
import { expect } from "vitest";

import type { Look, Person } from "./browser";

type Json = Record<string, unknown>;

/** Call a method of the server; throw its reason if it refuses. */
export async function call<T = Json>(
  url: string,
  method: string,
  request: Json,
  secret?: string,
): Promise<T> {
  const response = await fetch(`${url}/taflhall.v1.${method}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
    },
    body: JSON.stringify(request),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method}: ${JSON.stringify(answer)}`);
  return answer as T;
}

interface Created {
  match: { id: string };
  creatorSecret: string;
}

interface Seen {
  match: { revision?: number; status: string };
  decisions?: { seat?: number }[];
}

const NAMES = ["Ann", "Bo", "Cleo"];

/** A match of people. */
export class Table {
  private constructor(
    readonly url: string,
    readonly id: string,
    readonly secrets: readonly string[],
  ) {}

  static async open(url: string, options: { setup: Json; people: number }): Promise<Table> {
    const { setup, people } = options;
    const request = { setup: { seats: people, ...setup }, requestId: crypto.randomUUID() };
    const created = await call<Created>(url, "MatchService/CreateMatch", request);
    const { id } = created.match;
    const secrets: string[] = [];
    for (let seat = 0; seat < people; seat += 1) {
      const request = { matchId: id, name: NAMES[seat], seats: [seat] };
      const joined = await call<{ seatSecret: string }>(url, "MatchService/JoinMatch", request);
      secrets.push(joined.seatSecret);
    }
    await call(url, "MatchService/StartMatch", { matchId: id }, created.creatorSecret);
    return new Table(url, id, secrets);
  }

  get link(): string {
    return `${this.url}/#/match/${this.id}`;
  }

  /** Let a person sit at a seat; without one they watch. */
  async seat(
    open: (url: string, look?: Look) => Promise<Person>,
    seat: number | undefined,
    look?: Look,
  ): Promise<Person> {
    const person = await open(this.url, look);
    if (seat !== undefined) {
      const kept = { name: NAMES[seat], seats: [seat], seatSecret: this.secrets[seat] };
      await person.page.evaluate(
        ([key = "", value = ""]) => localStorage.setItem(key, value),
        [`taflhall.match.${this.id}`, JSON.stringify(kept)],
      );
      await person.page.reload();
    }
    await person.page.goto(this.link);
    await person.page.locator(".table-board [data-spot]").first().waitFor();
    return person;
  }

  /** Return the match as a seat sees it. */
  get(seat = 0): Promise<Seen> {
    const request = { matchId: this.id, withOptions: true, language: "en" };
    return call<Seen>(this.url, "MatchService/GetMatch", request, this.secrets[seat]);
  }

  /** Return the seat that has to decide. */
  async decider(): Promise<number> {
    return (await this.get()).decisions?.[0]?.seat ?? 0;
  }

  async revision(): Promise<number> {
    return (await this.get()).match.revision ?? 0;
  }
}

export const OPTION = ".now .option:not(:disabled)";

/** Wait until there is something to choose. */
export async function turn(page: Page): Promise<void> {
  await page.locator(`${OPTION}, dialog.form-dialog[open]`).first().waitFor();
}

/** Choose the first option. */
export async function choose(page: Page): Promise<void> {
  await page.locator(OPTION).first().click();
}

/** Expect that a page says that it is live. */
export async function expectLive(page: Page): Promise<void> {
  await expect.poll(() => page.locator(".standing").getAttribute("data-state")).toBe("following");
}
