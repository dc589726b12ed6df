import type { Game } from "taflhall/gen/v1/catalog_service";

import { hrefOf } from "../app/router";
import type { Action } from "../parts/action";
import { text } from "../texts";
import { Emblem } from "./emblem";
import { findMatch, openMatch } from "./seating";
import { setupOf } from "./setup";

/** A game, and the ways to begin a match of it. */
export function GameCard(props: { game: Game; action: Action; onCreate: () => void }) {
  const { game, action, onCreate } = props;
  const bot = game.bots[0];
  const usual = usualSeats(game);
  const playBots = (): Promise<void> =>
    openMatch({
      setup: setupOf(game, { seats: usual }),
      bots: Array.from({ length: usual - 1 }, () => bot?.id ?? ""),
    });
  const find = (): Promise<void> => findMatch({ setup: setupOf(game, { seats: usual }) });
  return (
    <article class="game-card" aria-labelledby={`game-${game.id}`}>
      <Emblem game={game.id} />
      <div>
        <h2 id={`game-${game.id}`}>{game.title}</h2>
        <p class="soft">
          {text("game-seats", { min: game.minSeats, max: game.maxSeats })}
          {" · "}
          {text(game.cooperative ? "game-cooperative" : "game-competitive")}
        </p>
      </div>
      <p class="buttons">
        {bot && (
          <button
            type="button"
            class="primary"
            disabled={action.isBusy}
            onClick={() => action.run(playBots)}
          >
            {text("play-bots")}
          </button>
        )}
        <button type="button" disabled={action.isBusy} onClick={() => action.run(find)}>
          {text("quick-match")}
        </button>
        <button type="button" onClick={onCreate}>
          {text("create-open")}
        </button>
      </p>
      <p class="links">
        <a href={hrefOf({ screen: "game", game: game.id })}>{text("game-options")}</a>
        <a href={hrefOf({ screen: "rules", game: game.id })}>{text("game-rules")}</a>
      </p>
    </article>
  );
}

/** Return how many seats a match has for which nobody says how many. */
function usualSeats(game: Game): number {
  return Math.max(2, game.minSeats);
}
