import type { ComponentChildren } from "preact";

import { Panel, Thing, useBoard } from "./board";
import { Label, SeatMark, Tile } from "./parts";
import { words } from "./words";

/** The spot of answers that end something or leave something out. */
export const PASS = "pass";

/** The first panel: where the match stands, whose turn it is, and the answer that ends it. */
export function Turn(props: {
  title: string;
  note?: string;
  /** The seat whose turn it is; none if nobody's is. */
  seat?: number | undefined;
  lines: readonly string[];
  children?: ComponentChildren;
  /** The room that the children take below the lines. */
  room?: number;
}) {
  const { props: board } = useBoard();
  const { seat, lines, room = 0 } = props;
  const passing = board.live.has(PASS);
  const top = seat === undefined ? 0 : 34;
  const below = top + lines.length * 16 + 4;
  return (
    <Panel
      name="turn"
      title={props.title}
      width={360}
      height={below + room + (passing ? 40 : 0)}
      {...(props.note && { note: props.note })}
    >
      {seat !== undefined && (
        <g>
          <SeatMark seat={seat} x={16} y={16} size={24} />
          <Label x={36} y={21} anchor="start" size={15} class="strong" width={316}>
            {words("boards-turn-of", { name: board.names[seat] ?? String(seat + 1) })}
          </Label>
        </g>
      )}
      {lines.map((line, index) => (
        <Label key={index} x={4} y={top + 12 + index * 16} anchor="start" size={12} width={352}>
          {line}
        </Label>
      ))}
      <g transform={`translate(0 ${below})`}>{props.children}</g>
      {passing && (
        <Thing
          spot={PASS}
          label={words("boards-pass")}
          area={{ x: 90, y: below + room + 4, width: 180, height: 32, round: 16 }}
        >
          <Tile x={90} y={below + room + 4} width={180} height={32} round={16}>
            <Label x={180} y={below + room + 25} size={14} class="strong" width={160}>
              {words("boards-pass")}
            </Label>
          </Tile>
        </Thing>
      )}
    </Panel>
  );
}
