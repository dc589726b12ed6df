import { signal } from "@preact/signals";

import { read, write } from "./kept";

/** What this browser holds of a match. */
export interface Credentials {
  /** The name at the table. */
  readonly name?: string;
  /** The seats that `seatSecret` opens. */
  readonly seats?: readonly number[];
  readonly seatSecret?: string;
  /** Lets its bearer start the match, remove players and add bots. */
  readonly creatorSecret?: string;
  /** Lets others join. */
  readonly joinCode?: string;
}

const PREFIX = "taflhall.match.";
const known = signal<Readonly<Record<string, Credentials>>>(readAll());
addEventListener("storage", ({ key }) => {
  if (key === null || key.startsWith(PREFIX)) known.value = readAll();
});

/** Return what this browser holds of a match; a signal's value, so screens follow its changes. */
export function credentialsOf(matchId: string): Credentials {
  return known.value[matchId] ?? {};
}

/** Return the ids of the matches of which this browser holds something. */
export function ownMatchIds(): string[] {
  return Object.keys(known.value);
}

/** Keep credentials of a match besides those that are kept already. */
export function keepCredentials(matchId: string, credentials: Credentials): void {
  const all = { ...credentialsOf(matchId), ...credentials };
  known.value = { ...known.value, [matchId]: all };
  write(PREFIX + matchId, JSON.stringify(all));
}

/** Forget what opened the seats of a match, or all that is kept of it. */
export function forgetCredentials(matchId: string, what: "seats" | "all" = "all"): void {
  const { seats: _, seatSecret: __, ...rest } = credentialsOf(matchId);
  const { [matchId]: ___, ...others } = known.value;
  const left = what === "seats" && Object.keys(rest).length > 0;
  known.value = left ? { ...others, [matchId]: rest } : others;
  write(PREFIX + matchId, left ? JSON.stringify(rest) : "");
}

function readAll(): Record<string, Credentials> {
  const found: Record<string, Credentials> = {};
  for (const key of keys()) {
    const credentials = parsed(read(key));
    if (credentials !== undefined) found[key.slice(PREFIX.length)] = credentials;
  }
  return found;
}

function keys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    return [];
  }
}

function parsed(text: string | undefined): Credentials | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
