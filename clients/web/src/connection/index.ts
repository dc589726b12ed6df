import { computed, signal } from "@preact/signals";
import { Client, Match, connect } from "taflhall";

import { credentialsOf } from "../session/credentials";
import { apiKey } from "../session/person";
import { language } from "../texts";
import { observed } from "./transport";

export { useTask } from "./task";
export type { Task } from "./task";

/** How the page hears from the server: what is shown is as it is now only while it is "live". */
export type ConnectionState = "connecting" | "live" | "lost";

/** A stream that is silent for this long is lost; the server sends something every 15 s. */
const SILENCE_MS = 35_000;
/** The page keeps trying for as long as it is open. */
const PATIENCE_MS = 365 * 24 * 3600 * 1000;
/** A timer that is this late shows that the machine has slept. */
const SLEPT_MS = 15_000;

const TIMING = { silenceMs: SILENCE_MS, patienceMs: PATIENCE_MS, longestPauseMs: 3000 };

/** The methods whose last call or stream was lost. */
const lost = signal<ReadonlySet<string>>(new Set());
const hasHeard = signal(false);
const isOnline = signal(navigator.onLine);

export const connectionState = computed((): ConnectionState => {
  if (!isOnline.value || lost.value.size > 0) return "lost";
  return hasHeard.value ? "live" : "connecting";
});

const transport = observed(connect(location.origin).transport, {
  heard(method) {
    hasHeard.value = true;
    if (!lost.value.has(method)) return;
    lost.value = new Set([...lost.value].filter((m) => m !== method));
    client.value.retryNow(); // the server is back for whatever else waits for it
  },
  lost(method) {
    if (!lost.value.has(method)) lost.value = new Set([...lost.value, method]);
  },
});

/** The client of the server that served the page, for the account and language of the moment. */
export const client = computed(
  () =>
    new Client(transport, {
      ...TIMING,
      language: language.value,
      ...(apiKey.value && { key: apiKey.value }),
    }),
);

/** Return a match with what this browser may do there: as a seat, by the account, or to watch. */
export function matchOf(id: string): Match {
  const { seatSecret, seats } = credentialsOf(id);
  return new Match(client.value, id, seatSecret, seats);
}

/** Return a match as its creator has it; without that secret, as {@link matchOf}. */
export function createdMatchOf(id: string): Match {
  const { creatorSecret, joinCode } = credentialsOf(id);
  if (creatorSecret === undefined) return matchOf(id);
  return new Match(client.value, id, creatorSecret, [], joinCode);
}

/** Make all calls and open all streams again, since they may be dead without showing it. */
export function reconnect(): void {
  transport.cut();
  client.value.retryNow();
}

/** A screen has been left: what it had lost is no loss for the next one. */
export function forgetLosses(): void {
  if (lost.value.size > 0) lost.value = new Set();
}

addEventListener("online", () => {
  isOnline.value = true;
  reconnect();
});
addEventListener("offline", () => {
  isOnline.value = false;
  transport.cut();
});
addEventListener("pageshow", ({ persisted }) => persisted && reconnect());

let ticked = Date.now();
setInterval(() => {
  const now = Date.now();
  if (now - ticked > SLEPT_MS && document.visibilityState === "visible") reconnect();
  ticked = now;
}, 5000);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") return;
  if (Date.now() - ticked > SLEPT_MS) reconnect();
  else if (connectionState.value === "lost") client.value.retryNow(); // the timers of a hidden tab are slow
  ticked = Date.now();
});
