import { useEffect, useState } from "preact/hooks";
import type { View } from "taflhall";
import type { GetGameResponse } from "taflhall/gen/v1/catalog_service";
import type { TournamentMatch } from "taflhall/gen/tournament/v1/tournament_service";

import { hrefOf } from "../app/router";
import { boardOf } from "../boards";
import type { GameBoard } from "../boards/types";
import { matchOf, useTask } from "../connection";
import { useGame } from "../connection/catalog";
import { Section } from "../parts/notes";
import { text } from "../texts";
import { playersText } from "./match_table";

/** How many boards are drawn at once: each has a stream of its own. */
const MOST = 4;
const NONE: ReadonlySet<string> = new Set();

/** The boards of the matches that are under way. */
export function LiveBoards(props: {
  matches: readonly TournamentMatch[];
  game: string;
  names: ReadonlyMap<string, string>;
}) {
  const { matches, game, names } = props;
  const { value: whole } = useGame(game);
  const [board, setBoard] = useState<{ of: GameBoard }>();
  useEffect(() => {
    let isHere = true;
    void boardOf(game).then((of) => isHere && setBoard({ of }));
    return () => void (isHere = false);
  }, [game]);
  if (matches.length === 0 || board === undefined || whole === undefined) return null;
  return (
    <Section title={text("live-boards")}>
      <ul class="live-boards">
        {matches.slice(0, MOST).map((match) => (
          <li key={match.matchId}>
            <a href={hrefOf({ screen: "match", id: match.matchId })}>
              <LiveBoard
                id={match.matchId}
                board={board.of}
                whole={whole}
                names={match.seats.map(({ accountId }) => names.get(accountId) ?? accountId)}
              />
              <span>{playersText(match, names)}</span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function LiveBoard(props: {
  id: string;
  board: GameBoard;
  whole: GetGameResponse;
  names: readonly string[];
}) {
  const { id, board, whole, names } = props;
  const [view, setView] = useState<View>();
  useTask(
    async (signal) => {
      for await (const { kind, value } of matchOf(id).watch({ signal, withView: true })) {
        if ((kind === "snapshot" || kind === "change") && value.view) setView(value.view);
      }
    },
    [id],
  );
  const { Board } = board;
  if (view === undefined) return <div class="live-board" />;
  return (
    <div class="live-board" inert>
      <Board
        view={view}
        components={whole}
        names={names}
        live={NONE}
        onSpot={() => undefined}
        onInspect={() => undefined}
      />
    </div>
  );
}
