import { useState } from "preact/hooks";
import { MatchStatus, TaflhallError } from "taflhall";
import {
  TournamentFormat,
  TournamentService,
  TournamentStatus,
} from "taflhall/gen/tournament/v1/tournament_service";
import type {
  Tournament,
  TournamentMatch,
  TournamentStanding,
} from "taflhall/gen/tournament/v1/tournament_service";

import { client, useTask } from "../connection";
import { useGames } from "../connection/catalog";
import { SetupList } from "../lobby/setup_list";
import { useAction } from "../parts/action";
import { FailureNote, Section, Waiting } from "../parts/notes";
import { apiKey } from "../session/person";
import { text } from "../texts";
import { LiveBoards } from "./live_boards";
import { MatchTable } from "./match_table";

const METHODS = TournamentService.method;

/** A tournament as it goes on: standings, the boards under way, all matches. */
export function TournamentScreen({ id }: { id: string }) {
  const [tournament, setTournament] = useState<Tournament>();
  const [matches, setMatches] = useState<ReadonlyMap<number, TournamentMatch>>(new Map());
  const [standings, setStandings] = useState<readonly TournamentStanding[]>([]);
  const games = useGames();
  const action = useAction();
  const connection = client.value;
  const { failure } = useTask(
    async (signal) => {
      for (;;) {
        try {
          const stream = connection.open(METHODS.watchTournament, { signal });
          stream.requests.push({ tournamentId: id });
          stream.requests.close();
          for (let message; (message = await stream.next()) !== undefined; ) {
            const { tournament: news, matches: changed } = message;
            if (news !== undefined) setTournament(news);
            if (news === undefined && changed.length === 0) continue;
            setMatches((all) => new Map([...all, ...changed.map((one) => [one.index, one] as const)]));
            const request = { tournamentId: id };
            setStandings((await connection.call(METHODS.getTournamentStandings, request)).standings);
          }
          return; // the tournament is over
        } catch (error) {
          if (!(error instanceof TaflhallError && error.uncertain)) throw error;
          await new Promise((resolve) => setTimeout(resolve, 1000));
          signal.throwIfAborted();
        }
      }
    },
    [connection, id],
  );
  if (tournament === undefined) return failure ? <FailureNote failure={failure} /> : <Waiting />;
  const game = games?.find(({ id: known }) => known === tournament.setup?.game);
  const all = [...matches.values()].sort((one, other) => one.index - other.index);
  const live = all.filter(({ status, matchId }) => matchId && status === MatchStatus.PLAYING);
  /** Have a call change the tournament; the watch shows how. */
  const change = (call: (request: { tournamentId: string }) => Promise<unknown>): void =>
    action.run(async () => void (await call({ tournamentId: id })));
  return (
    <>
      <h1>{tournament.name}</h1>
      <p class="soft" role="status">
        {text(`tournament-${TournamentStatus[tournament.status].toLowerCase()}`)}
        {" · "}
        {text(`format-${TournamentFormat[tournament.format].toLowerCase().replaceAll("_", "-")}`)}
        {" · "}
        {text("rounds", { count: tournament.rounds })}
        {" · "}
        {text("entrants", { count: tournament.entrants.length })}
      </p>
      <FailureNote failure={action.failure ?? failure} />
      {apiKey.value && tournament.status === TournamentStatus.OPEN && (
        <p class="buttons">
          <button
            type="button"
            class="primary"
            onClick={() => change((one) => connection.call(METHODS.enterTournament, one))}
          >
            {text("tournament-enter")}
          </button>
          <button
            type="button"
            onClick={() => change((one) => connection.call(METHODS.withdrawFromTournament, one))}
          >
            {text("tournament-withdraw")}
          </button>
          <button
            type="button"
            onClick={() => change((one) => connection.call(METHODS.startTournament, one))}
          >
            {text("start")}
          </button>
        </p>
      )}
      <div class="columns">
        <Section title={text("standings")}>
          <Standings standings={standings} />
        </Section>
        {game && tournament.setup && (
          <Section title={text("setup")}>
            <SetupList
              game={game}
              setup={tournament.setup}
              timeControl={tournament.timeControl}
            />
          </Section>
        )}
      </div>
      <LiveBoards matches={live} game={tournament.setup?.game ?? ""} names={namesOf(tournament)} />
      <MatchTable matches={all} names={namesOf(tournament)} />
    </>
  );
}

function Standings({ standings }: { standings: readonly TournamentStanding[] }) {
  if (standings.length === 0) return <p class="soft">{text("standings-none")}</p>;
  return (
    <table class="standings">
      <thead>
        <tr>
          <th scope="col">{text("place")}</th>
          <th scope="col">{text("name")}</th>
          <th scope="col">{text("points")}</th>
          <th scope="col">{text("wins")}</th>
          <th scope="col">{text("matches")}</th>
        </tr>
      </thead>
      <tbody>
        {standings.map((one) => (
          <tr key={one.accountId}>
            <td>{one.place}</td>
            <th scope="row">{one.name}</th>
            <td>{text("points-number", { points: one.points })}</td>
            <td>{one.wins}</td>
            <td>{one.matches}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Return the names of the entrants by account. */
function namesOf(tournament: Tournament): ReadonlyMap<string, string> {
  return new Map(tournament.entrants.map(({ accountId, name }) => [accountId, name]));
}
