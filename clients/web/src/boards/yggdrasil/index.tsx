import { BoardFrame } from "../kit/board";
import { Turn } from "../kit/turn";
import { words } from "../kit/words";
import type { BoardProps, GameBoard } from "../types";
import { card } from "./cards";
import { Choice } from "./choice";
import { Decks } from "./decks";
import { Forge } from "./forge";
import { Giants } from "./giants";
import { Gods } from "./gods";
import { Midgard } from "./midgard";
import { spotsOf } from "./spots";
import { publicOf } from "./state";
import { SYMBOLS } from "./symbols";
import { Track } from "./track";
import { Vanir } from "./vanir";
import { WorldTree } from "./worlds";

import "./yggdrasil.css";

/** The board of Yggdrasil. */
function Board(props: BoardProps) {
  const view = publicOf(props.view);
  const lines = [words("boards-actions", { left: view.actionsLeft, used: view.actionsUsed })];
  if (!view.powersActive) lines.push(words("boards-no-powers"));
  if (view.dieBlocked) lines.push(words("boards-no-die"));
  return (
    <BoardFrame board={props} game="yggdrasil" label={words("boards-yggdrasil")} symbols={SYMBOLS}>
      <div class="panels">
        <Turn title={words("boards-turn", { turn: view.turn })} seat={view.active} lines={lines} />
        <Choice decision={props.decision} />
        <Track view={view} />
        <WorldTree view={view} />
        <Midgard view={view} />
        <Vanir view={view} />
        <Giants view={view} />
        <Gods view={view} />
        <Forge view={view} />
        <Decks view={view} />
      </div>
    </BoardFrame>
  );
}

export const board: GameBoard = { Board, spotsOf, card };
