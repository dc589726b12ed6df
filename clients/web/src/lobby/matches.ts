import { useState } from "preact/hooks";
import { MatchStatus, TaflhallError, hasReason } from "taflhall";
import type { Client } from "taflhall";
import type { Match } from "taflhall/gen/v1/match";
import { MatchService } from "taflhall/gen/v1/match_service";

import type { Task } from "../connection";
import { client, matchOf, useTask } from "../connection";
import { forgetCredentials, ownMatchIds } from "../session/credentials";
import { lobbyChanges } from "./changes";

type Matches = ReadonlyMap<string, Match>;

/** How many matches of each status are listed at first. */
const PAGE = 30;
/** How many of the matches of this browser are asked for. */
const OWN = 20;

/** The matches that everybody may see, by status and newest first, as they are now. */
export interface Lobby extends Task {
  readonly isReady: boolean;
  readonly own: readonly Match[];
  readonly open: readonly Match[];
  readonly playing: readonly Match[];
  readonly finished: readonly Match[];
}

export function useLobby(): Lobby {
  const [matches, setMatches] = useState<Matches>();
  const connection = client.value;
  const task = useTask(
    async (signal) => {
      for await (const change of lobbyChanges(connection, signal)) {
        if (change.case === "lost") setMatches(await listed(connection, signal));
        else if (change.case === "match") setMatches((all) => withMatch(all, change.value));
        else setMatches((all) => withoutMatch(all, change.value));
      }
    },
    [connection],
  );
  const all = [...(matches?.values() ?? [])].sort(newestFirst);
  const mine = new Set(ownMatchIds());
  const isOwn = ({ id }: Match): boolean => mine.has(id);
  const others = all.filter((match) => !isOwn(match));
  return {
    ...task,
    isReady: matches !== undefined,
    own: all.filter((match) => isOwn(match) && match.status !== MatchStatus.ABANDONED),
    open: others.filter(({ status }) => status === MatchStatus.OPEN),
    playing: others.filter(({ status }) => status === MatchStatus.PLAYING),
    finished: all.filter(({ status }) => status === MatchStatus.FINISHED),
  };
}

async function listed(connection: Client, signal: AbortSignal): Promise<Matches> {
  const statuses = [MatchStatus.OPEN, MatchStatus.PLAYING, MatchStatus.FINISHED];
  const { language } = connection;
  const pages = statuses.map((status) =>
    connection.call(
      MatchService.method.listMatches,
      { status, pageSize: PAGE, language },
      { signal },
    ),
  );
  if (connection.hasKey) {
    const mine = { accountId: "me", pageSize: PAGE, language };
    pages.push(connection.call(MatchService.method.listMatches, mine, { signal }));
  }
  const own = ownMatchIds().slice(-OWN).map((id) => ownMatch(id, signal));
  const [lists, kept] = await Promise.all([Promise.all(pages), Promise.all(own)]);
  const found = [...lists.flatMap((page) => page.matches), ...kept.flatMap((match) => match ?? [])];
  return new Map(found.map((match) => [match.id, match]));
}

/** Return a match of this browser; forget one that the server has no more. */
async function ownMatch(id: string, signal: AbortSignal): Promise<Match | undefined> {
  try {
    return (await matchOf(id).get({ signal })).match;
  } catch (error) {
    if (hasReason(error, "MATCH_NOT_FOUND")) forgetCredentials(id);
    else if (!(error instanceof TaflhallError)) throw error;
    return undefined;
  }
}

function withMatch(all: Matches = new Map(), match: Match): Matches {
  return new Map(all).set(match.id, match);
}

/** Leave a match out that is listed no more; those of this browser may be unlisted and stay. */
function withoutMatch(all: Matches = new Map(), id: string | boolean): Matches {
  return new Map([...all].filter(([key]) => key !== id || ownMatchIds().includes(key)));
}

function newestFirst(one: Match, other: Match): number {
  return Number((other.createTime?.seconds ?? 0n) - (one.createTime?.seconds ?? 0n));
}
