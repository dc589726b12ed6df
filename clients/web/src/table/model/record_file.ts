/** Record files, as `taflhall record export` and this page write them and `taflhall verify` reads them. */
import { create } from "@bufbuild/protobuf";
import type { Match as Connection } from "taflhall";
import { MatchSchema, MatchStatus } from "taflhall/gen/v1/match";
import type { Match } from "taflhall/gen/v1/match";
import { MatchService } from "taflhall/gen/v1/match_service";

/** What is read of a record file. */
export interface RecordFile {
  /** The match on the server that hosted it; unset for one that was played without a server. */
  readonly match_id?: string;
  readonly game: string;
  /** The players' names by seat. */
  readonly seats: readonly string[];
  /** Secret and digest are hexadecimal numbers. */
  readonly secret: string;
  readonly secret_digest: string;
  /** Seat, or -1 for the server, and what it did, in notation. */
  readonly commands: readonly (readonly [seat: number, text: string])[];
  /** Empty for a match that was saved under way. */
  readonly result: Partial<RecordedResult>;
}

interface RecordedResult {
  readonly won: readonly boolean[];
  readonly places: readonly number[];
  readonly scores: readonly number[];
  readonly reasons: readonly string[];
  readonly npc: { readonly name: string; readonly won: boolean; readonly score: number };
}

/** Return the record in a text, or `undefined` if there is none. */
export function readRecordFile(text: string): RecordFile | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return isRecord(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Return the record of a match that is over, as a file. */
export async function recordFileOf({ client, id, secret }: Connection): Promise<string> {
  const request = { matchId: id, withFile: true };
  return (await client.call(MatchService.method.getMatchRecord, request, { secret })).file;
}

/** Return whether two texts hold the same record. */
export function isSameRecord(one: string, other: string): boolean {
  return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));
}

/** Return the match of a record, as far as its file says. */
export function matchOfFile(file: RecordFile): Match {
  const { won = [], places = [], scores = [], reasons = [], npc } = file.result;
  return create(MatchSchema, {
    id: file.match_id ?? "",
    game: file.game,
    seats: file.seats.map((name, index) => ({ index, name })),
    status: reasons.includes("abandoned") ? MatchStatus.ABANDONED : MatchStatus.FINISHED,
    revision: file.commands.length,
    secret: bytesOf(file.secret),
    secretDigest: bytesOf(file.secret_digest),
    result: {
      seats: won.map((isWon, seat) => {
        const score = scores[seat];
        return { seat, won: isWon, place: places[seat] ?? 0, ...(score !== undefined && { score }) };
      }),
      reasons: reasons.map((id) => ({ id, text: id })),
      ...(npc && { npc }),
    },
  });
}

function isRecord(found: unknown): found is RecordFile {
  if (typeof found !== "object" || found === null) return false;
  const { format, game, seats, secret, secret_digest: digest, commands, result } = found as Record<string, unknown>;
  return (
    format === 1 &&
    [game, secret, digest].every((one) => typeof one === "string") &&
    [seats, commands].every(Array.isArray) &&
    typeof result === "object" &&
    result !== null
  );
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
