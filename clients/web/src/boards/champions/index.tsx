import { BoardFrame } from "../kit/board";
import { Turn } from "../kit/turn";
import { words } from "../kit/words";
import type { BoardProps, GameBoard } from "../types";
import { card } from "./cards";
import { Clans, Hand } from "./clans";
import { Decks, Rounds, Scores } from "./decks";
import { Fight } from "./fight";
import { Leaders, Offers } from "./offers";
import { Shores } from "./shores";
import { spotsOf } from "./spots";
import { leadersAreChosen, publicOf } from "./state";
import { SYMBOLS } from "./symbols";
import { Threats } from "./threats";
import { Town } from "./town";

import "./champions.css";

/** The board of Champions of Midgard. */
function Board(props: BoardProps) {
  const view = publicOf(props.view);
  return (
    <BoardFrame board={props} game="champions" label={words("boards-champions")} symbols={SYMBOLS}>
      <div class="panels">
        <Turn title={words("boards-round", { round: view.round })} lines={[]} room={36}>
          <Rounds round={view.round} />
        </Turn>
        <Scores view={view} />
        {!leadersAreChosen(view) && <Leaders view={view} />}
        <Fight view={view} />
        <Hand view={view} />
        <Town view={view} />
        <Threats view={view} />
        <Shores view={view} />
        <Clans view={view} />
        <Offers view={view} />
        <Decks view={view} />
      </div>
    </BoardFrame>
  );
}

export const board: GameBoard = { Board, spotsOf, card };
