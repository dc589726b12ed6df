// Matches that the tests set up by the server's JSON, and the ways in which people play them.
import type { Page } from "playwright-core";
import { expect } from "vitest";

import type { Look, Person } from "./browser";

type Json = Record<string, unknown>;

/** Call a method of the server, such as "MatchService/GetMatch"; throw its reason if it refuses. */
export async function call<T = Json>(
  url: string,
  method: string,
  request: Json,
  secret?: string,
): Promise<T> {
  const response = await fetch(`${url}/taflhall.${method.includes(".") ? "" : "v1."}${method}`, {
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

interface Pending {
  id: string;
  seat?: number;
}

interface Seen {
  match: { revision?: number; status: string };
  decisions?: Pending[];
}

interface Submitted {
  /** Left out while further steps of the answer are to come. */
  firstRevision?: number;
  decision?: Pending;
  events?: Json[];
}

const NAMES = ["Ann", "Bo", "Cleo"];

/** A match of people. */
export class Table {
  private constructor(
    readonly url: string,
    readonly id: string,
    readonly secrets: readonly string[],
  ) {}

  /** Open a match; one person may hold all seats, by one secret. */
  static async open(
    url: string,
    options: { setup: Json; people: number; isOnePerson?: boolean },
  ): Promise<Table> {
    const { setup, people, isOnePerson = false } = options;
    const request = { setup: { seats: people, ...setup }, requestId: crypto.randomUUID() };
    const created = await call<Created>(url, "MatchService/CreateMatch", request);
    const { id } = created.match;
    const secrets: string[] = [];
    const all = Array.from({ length: people }, (_, seat) => seat);
    for (const seat of isOnePerson ? [0] : all) {
      const request = { matchId: id, name: NAMES[seat], seats: isOnePerson ? all : [seat] };
      const joined = await call<{ seatSecret: string }>(url, "MatchService/JoinMatch", request);
      secrets.push(...(isOnePerson ? all.map(() => joined.seatSecret) : [joined.seatSecret]));
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
      const seatSecret = this.secrets[seat];
      const seats = this.secrets.flatMap((secret, index) => (secret === seatSecret ? [index] : []));
      const kept = { name: NAMES[seat], seats, seatSecret };
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

  /** Answer with first options until so many events have happened; return how many. */
  async playOn(least: number): Promise<number> {
    let happened = 0;
    let step: Pending | undefined; // of an answer that is not complete yet
    while (happened < least) {
      const decision = step ?? (await this.get()).decisions?.[0];
      if (decision === undefined) throw new Error(`the match was over after ${happened} events`);
      const answer = {
        matchId: this.id,
        decisionId: decision.id,
        answers: [{ option: 0 }],
        requestId: crypto.randomUUID(),
      };
      const secret = this.secrets[decision.seat ?? 0];
      const done = await call<Submitted>(this.url, "MatchService/SubmitAnswers", answer, secret);
      step = done.firstRevision === undefined ? done.decision : undefined;
      happened += done.events?.length ?? 0;
    }
    return happened;
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
