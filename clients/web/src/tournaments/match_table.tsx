import { MatchStatus } from "taflhall";
import type { TournamentMatch } from "taflhall/gen/tournament/v1/tournament_service";

import { hrefOf } from "../app/router";
import { Section } from "../parts/notes";
import { listText, text } from "../texts";

/** The matches of a tournament in the order of its schedule, with their results. */
export function MatchTable(props: {
  matches: readonly TournamentMatch[];
  names: ReadonlyMap<string, string>;
}) {
  const { matches, names } = props;
  if (matches.length === 0) return null;
  return (
    <Section title={text("matches")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{text("round")}</th>
            <th scope="col">{text("players")}</th>
            <th scope="col">{text("result")}</th>
          </tr>
        </thead>
        <tbody>
          {matches.map((match) => (
            <tr key={match.index}>
              <td>{match.round}</td>
              <td>
                {match.matchId ? (
                  <a href={hrefOf({ screen: "match", id: match.matchId })}>
                    {playersText(match, names)}
                  </a>
                ) : (
                  playersText(match, names)
                )}
              </td>
              <td>{resultText(match, names)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

/** Return the names of those who play a match, in the order of its seats, each once. */
export function playersText(match: TournamentMatch, names: ReadonlyMap<string, string>): string {
  const accounts = new Set(match.seats.map(({ accountId }) => accountId));
  return listText([...accounts].map((account) => names.get(account) ?? account));
}

function resultText(match: TournamentMatch, names: ReadonlyMap<string, string>): string {
  if (match.status !== MatchStatus.FINISHED) {
    return text(match.status === MatchStatus.PLAYING ? "match-under-way" : "match-to-come");
  }
  const scores = match.seats.map((seat) => {
    const name = names.get(seat.accountId) ?? seat.accountId;
    const score = seat.score === undefined ? "" : ` ${seat.score}`;
    return `${seat.won ? "★ " : ""}${name}${score}`;
  });
  return scores.join(", ");
}
