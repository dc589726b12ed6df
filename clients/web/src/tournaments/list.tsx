import { timestampDate } from "@bufbuild/protobuf/wkt";
import { useState } from "preact/hooks";
import {
  TournamentService,
  TournamentStatus,
} from "taflhall/gen/tournament/v1/tournament_service";
import type { Tournament } from "taflhall/gen/tournament/v1/tournament_service";

import { hrefOf } from "../app/router";
import { client, useTask } from "../connection";
import { useGames } from "../connection/catalog";
import { FailureNote, Section, Waiting } from "../parts/notes";
import { apiKey } from "../session/person";
import { text, timeText } from "../texts";
import { CreateTournament } from "./create";

/** The tournaments of the server, the newest first. */
export function TournamentsScreen() {
  const [tournaments, setTournaments] = useState<readonly Tournament[]>();
  const games = useGames() ?? [];
  const connection = client.value;
  const { failure } = useTask(
    async (signal) => {
      const all: Tournament[] = [];
      let pageToken = "";
      do {
        const method = TournamentService.method.listTournaments;
        const page = await connection.call(method, { pageToken }, { signal });
        all.push(...page.tournaments);
        pageToken = page.nextPageToken;
      } while (pageToken && all.length < 200);
      setTournaments(all);
    },
    [connection],
  );
  const titleOf = (id: string): string => games.find((game) => game.id === id)?.title ?? id;
  return (
    <>
      <h1>{text("nav-tournaments")}</h1>
      <p class="soft">{text("tournaments-about")}</p>
      <FailureNote failure={failure} />
      {tournaments === undefined && failure === undefined && <Waiting />}
      {tournaments?.length === 0 && <p>{text("tournaments-none")}</p>}
      {tournaments !== undefined && tournaments.length > 0 && (
        <Section title={text("tournaments-list")}>
          <ul class="matches">
            {tournaments.map((one) => (
              <li key={one.id}>
                <a class="match-row" href={hrefOf({ screen: "tournament", id: one.id })}>
                  <span class="match-title">
                    <strong>{one.name}</strong>{" "}
                    <span class="soft">{titleOf(one.setup?.game ?? "")}</span>
                  </span>
                  <span class="match-players">
                    {text(`tournament-${TournamentStatus[one.status].toLowerCase()}`)}
                    {" · "}
                    {text("entrants", { count: one.entrants.length })}
                  </span>
                  <span class="match-time soft">
                    {one.createTime && timeText(timestampDate(one.createTime))}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {apiKey.value && games.length > 0 && <CreateTournament games={games} />}
    </>
  );
}
