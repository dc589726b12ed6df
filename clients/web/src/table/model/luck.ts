/**
 * Whether the random numbers of a match were fixed before it began, and are those that it was played with.
 *
 * When a match is created the server publishes the SHA-256 of its secret; when it is over, the secret.
 * All random numbers follow from the secret: number *k* is the 8-byte BLAKE2b digest of *k* under it
 * (`KeyedChance` of the engine). This page checks the digest, against the record and against what it
 * saw while the match was played. Which die took which number only the rules know: the server replays
 * the record for that, and `taflhall verify` does for whoever does not want to rely on the server.
 */
import type { Match as Connection } from "taflhall";
import { EngineService } from "taflhall/gen/v1/engine_service";
import type { MatchRecord } from "taflhall/gen/v1/match";
import type { Match } from "taflhall/gen/v1/match";

import type { Store } from "./pending";

const KEY = "taflhall.secret-digest.";

/** Keep the digest that a match showed before its secret was known. */
export function rememberDigest(match: Match, store: Store): void {
  const key = KEY + match.id;
  if (match.secret.length === 0 && store.getItem(key) === null) {
    store.setItem(key, hex(match.secretDigest));
  }
}

/** What the check has found. */
export interface LuckCheck {
  /** The SHA-256 of the secret is the digest that the match shows; `undefined` if the browser computes none. */
  readonly secretFits: boolean | undefined;
  /** That digest is the one that this page saw during the match; `undefined` if it saw none. */
  readonly digestIsTheSame: boolean | undefined;
  readonly digest: string;
}

/** Check the secret of a match that is over. */
export async function checkLuck(match: Match, store: Store): Promise<LuckCheck> {
  const found = await sha256(new Uint8Array(match.secret));
  const digest = hex(match.secretDigest);
  const seen = store.getItem(KEY + match.id);
  return {
    secretFits: found === undefined ? undefined : found === digest,
    digestIsTheSame: seen === null ? undefined : seen === digest,
    digest,
  };
}

/** Return the SHA-256 of some bytes; unset outside of a secure origin, where browsers offer none. */
async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  return subtle && hex(new Uint8Array(await subtle.digest("SHA-256", bytes)));
}

/** Have the server replay a match that is over; throw {@link TaflhallError} if it went otherwise. */
export async function replay(connection: Connection): Promise<void> {
  const record = await connection.record();
  if (record === undefined) return;
  const { analyseRecord } = EngineService.method;
  // The record is replayed as a whole before decisions are judged, and there is none after its end.
  const nothing = { firstRevision: record.commands.length + 1, pageSize: 1, iterations: 1, trials: 2 };
  await connection.client.call(analyseRecord, { record: briefly(record), ...nothing });
}

/** Return a record without what a replay does not need. */
export function briefly({ match, startDigest, commands }: MatchRecord): Omit<MatchRecord, "$typeName"> {
  const last = commands.length - 1;
  return {
    ...(match && { match }),
    startDigest,
    commands: commands.map(({ time: _, used: __, digest, ...rest }, index) => ({
      ...rest,
      digest: index === last ? digest : new Uint8Array(),
    })),
  };
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
