import type { PublicView } from "taflhall/gen/ice_garden/v1/ice_garden";

import { BoardFrame, useBoard } from "../kit/board";
import { Label, SeatMark } from "../kit/parts";
import { Turn } from "../kit/turn";
import { words } from "../kit/words";
import type { BoardProps, GameBoard } from "../types";
import { card } from "./cards";
import { Fields } from "./fields";
import { IceMap } from "./map";
import { Sheets } from "./sheets";
import { spotsOf } from "./spots";
import { markOf, publicOf } from "./state";
import { Supply, VukoTiles } from "./supply";
import { SYMBOLS } from "./symbols";
import { Initiative, Reputation, Snow } from "./tracks";

import "./ice_garden.css";

/** The board of The Lord of the Ice Garden. */
function Board(props: BoardProps) {
  const view = publicOf(props.view);
  return (
    <BoardFrame
      board={props}
      game="ice_garden"
      label={words("boards-ice-garden")}
      symbols={SYMBOLS}
    >
      <div class="split">
        <div>
          <Phase view={view} />
          <IceMap view={view} />
        </div>
        <div class="panels">
          <Initiative view={view} />
          <Fields view={view} />
          <Sheets view={view} />
          {view.soloLevel <= 1 && <Reputation view={view} />}
          <Snow view={view} />
          <VukoTiles view={view} />
          <Supply view={view} />
        </div>
      </div>
    </BoardFrame>
  );
}

/** The round, the state of the match and the turn order. */
function Phase({ view }: { view: PublicView }) {
  const { lookup } = useBoard();
  const lines = [
    [
      view.scoringFactor > 0 && words("boards-scoring", { factor: view.scoringFactor }),
      words("boards-edition", { edition: view.edition || 2 }),
      view.soloLevel > 1 &&
        `${words("boards-solo")}: ${lookup.label("solo_level", view.soloLevel)}`,
      view.tilesLeft > 0 && words("boards-tiles-left", { count: view.tilesLeft }),
    ]
      .filter(Boolean)
      .join(" · "),
  ];
  return (
    <Turn
      title={words("boards-ice-round", { round: view.round })}
      note={lookup.label("state", view.state)}
      lines={lines}
      room={30}
    >
      <Label x={4} y={17} anchor="start" size={12} class="dim">
        {words("boards-order")}
      </Label>
      {view.turnOrder.map((faction, index) => (
        <SeatMark key={faction} seat={markOf(view, faction)} x={130 + index * 34} y={13} size={22}>
          {index + 1}
        </SeatMark>
      ))}
    </Turn>
  );
}

export const board: GameBoard = { Board, spotsOf, card };
