import { timestampDate } from "@bufbuild/protobuf/wkt";
import { MatchStatus } from "taflhall";
import type { Game } from "taflhall/gen/v1/catalog_service";
import type { Match } from "taflhall/gen/v1/match";

import { hrefOf } from "../app/router";
import { Section } from "../parts/notes";
import { listText, text, timeText } from "../texts";

type Kind = "own" | "open" | "playing" | "finished";

/** Matches of one kind; what can be done with them is a link to each. */
export function MatchList(props: {
  kind: Kind;
  matches: readonly Match[];
  games: readonly Game[];
}) {
  const { kind, matches, games } = props;
  if (kind === "own" && matches.length === 0) return null;
  return (
    <Section title={text(`matches-${kind}`)} class={`matches-${kind}`}>
      {matches.length === 0 ? (
        <p class="soft">{text(`matches-${kind}-none`)}</p>
      ) : (
        <ul class="matches">
          {matches.map((match) => (
            <MatchRow key={match.id} match={match} games={games} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function MatchRow({ match, games }: { match: Match; games: readonly Game[] }) {
  const title = games.find(({ id }) => id === match.game)?.title ?? match.game;
  const players = match.seats.filter(({ name }) => name).map(({ name }) => name);
  const free = match.seats.length - players.length;
  const since = match.endTime ?? match.startTime ?? match.createTime;
  return (
    <li>
      <a class="match-row" href={hrefOf({ screen: "match", id: match.id })}>
        <span class="match-title">
          <strong>{match.title || title}</strong>
          {match.title && <span class="soft"> {title}</span>}
        </span>
        <span class="match-players">
          {players.length > 0 ? listText(players) : text("nobody-yet")}
          {match.status === MatchStatus.OPEN && free > 0 && (
            <em> · {text("seats-free", { count: free })}</em>
          )}
          {match.status === MatchStatus.FINISHED && <em> · {winners(match)}</em>}
        </span>
        <span class="match-time soft">{since && timeText(timestampDate(since))}</span>
        <span class="match-do" aria-hidden="true">
          {text(`match-do-${match.status === MatchStatus.OPEN ? "join" : match.status === MatchStatus.PLAYING ? "watch" : "look"}`)}
        </span>
      </a>
    </li>
  );
}

function winners(match: Match): string {
  const won = match.result?.seats.filter((seat) => seat.won) ?? [];
  const names = won.map(({ seat }) => match.seats[seat]?.name ?? String(seat + 1));
  return names.length > 0 ? text("won-by", { names: listText(names) }) : text("won-by-nobody");
}
