import type { MessageInitShape } from "@bufbuild/protobuf";
import { Match } from "taflhall";
import type { SpectatorSettingsSchema, TimeControlSchema } from "taflhall/gen/v1/match";
import type { Setup } from "taflhall/gen/v1/table";

import { go } from "../app/router";
import { client, createdMatchOf, matchOf } from "../connection";
import { credentialsOf, forgetCredentials, keepCredentials } from "../session/credentials";
import { playerName } from "../session/person";

/** A match that somebody wants to open. */
export interface Wanted {
  readonly setup: Setup;
  readonly title?: string;
  readonly timeControl?: MessageInitShape<typeof TimeControlSchema>;
  readonly spectators?: MessageInitShape<typeof SpectatorSettingsSchema>;
  readonly unlisted?: boolean;
  readonly invitationRequired?: boolean;
  /** The bots that take seats, as many as are named. */
  readonly bots?: readonly string[];
}

/** Open a match, sit down at it with the bots that are wanted, and go there. */
export async function openMatch({ bots = [], ...wanted }: Wanted): Promise<void> {
  const { setup, ...options } = wanted;
  const created = await client.value.create(setup, { ...options, startWhenFull: true });
  keepCredentials(created.id, {
    ...(created.secret && { creatorSecret: created.secret }),
    ...(created.joinCode && { joinCode: created.joinCode }),
  });
  if (wanted.invitationRequired && created.joinCode) await keepSeats(byCode(created.joinCode));
  else await keepSeats(new Match(client.value, created.id).join(playerName.value));
  for (const bot of bots) await created.addBot(bot);
  go({ screen: "match", id: created.id });
}

/** Sit down at an open match that fits, or at a new one, and go there. */
export async function findMatch(wanted: Pick<Wanted, "setup" | "timeControl">): Promise<void> {
  const { setup, ...options } = wanted;
  const found = await keepSeats(client.value.findMatch(setup, playerName.value, options));
  go({ screen: "match", id: found.id });
}

/** Take a seat, or the lowest free one. */
export async function sitDown(matchId: string, seat?: number): Promise<void> {
  const seats = seat === undefined ? [] : [seat];
  await keepSeats(new Match(client.value, matchId).join(playerName.value, { seats }));
}

/** Sit down by the code of an invitation, and go to the match. */
export async function joinByCode(code: string): Promise<void> {
  const joined = await keepSeats(byCode(code));
  go({ screen: "match", id: joined.id }, { replace: true });
}

/** Give our seats of an open match back. */
export async function standUp(matchId: string): Promise<void> {
  await matchOf(matchId).leave();
  forgetCredentials(matchId, "seats");
}

/** Give a match up before it starts; for its creator. */
export async function cancelMatch(matchId: string): Promise<void> {
  await createdMatchOf(matchId).abandon();
  forgetCredentials(matchId);
  go({ screen: "lobby" });
}

/** Sit down at the rematch of a match that is over, and go there. */
export async function joinRematch(matchId: string): Promise<void> {
  const { name = playerName.value } = credentialsOf(matchId);
  const rematch = await matchOf(matchId).rematch();
  if (rematch.secret !== undefined) {
    keepCredentials(rematch.id, { name, seats: rematch.seats, seatSecret: rematch.secret });
  }
  go({ screen: "match", id: rematch.id });
}

function byCode(code: string): Promise<Match> {
  return client.value.joinByCode(code, playerName.value);
}

async function keepSeats(sitting: Promise<Match>): Promise<Match> {
  const match = await sitting;
  const { id, secret, seats } = match;
  const name = playerName.value;
  keepCredentials(id, { name, seats, ...(secret !== undefined && { seatSecret: secret }) });
  return match;
}
