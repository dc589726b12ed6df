import type { Enemy, PublicView } from "taflhall/gen/yggdrasil/v1/yggdrasil";

import { Panel, Thing, useBoard } from "../kit/board";
import { Icon, Label } from "../kit/parts";
import { words } from "../kit/words";
import { ENEMIES, enemyId, spaceOf } from "./state";

const SPACE = 44;
const TOKEN = 28;
const TOP = 22;
const ROWS = 6;

/** YG-1.3 The track of Asgard: eight spaces, the wall, the gate and Odin's residence. */
export function Track({ view }: { view: PublicView }) {
  const rows = Math.max(3, ...Array.from({ length: 8 }, (_, at) => standing(view, at + 1).length));
  const height = TOP + Math.min(rows, ROWS) * (TOKEN + 4) + 24;
  const beyondWall = ENEMIES.filter((enemy) => spaceOf(view, enemy) >= 4).length;
  const beyondGate = ENEMIES.filter((enemy) => spaceOf(view, enemy) >= 6).length;
  return (
    <Panel
      name="track"
      title={words("boards-asgard-track")}
      note={words("boards-beyond", { wall: beyondWall, gate: beyondGate })}
      width={360}
      height={height}
    >
      {Array.from({ length: 8 }, (_, index) => (
        <Space key={index} view={view} space={index + 1} height={height} />
      ))}
      <Barrier x={4 + 3 * SPACE} height={height} name={words("boards-wall")} />
      <Barrier x={4 + 5 * SPACE} height={height} name={words("boards-gate")} />
    </Panel>
  );
}

function standing(view: PublicView, space: number): Enemy[] {
  return ENEMIES.filter((enemy) => spaceOf(view, enemy) === space);
}

function Space({ view, space, height }: { view: PublicView; space: number; height: number }) {
  const x = 4 + (space - 1) * SPACE;
  const zone = space === 8 ? "residence" : space >= 6 ? "valhalla" : space >= 4 ? "inner" : "outer";
  return (
    <g class={`space ${zone}`}>
      <rect class="slot" x={x + 2} y={TOP - 4} width={SPACE - 4} height={height - TOP + 2} rx={5} />
      {space === 8 && (
        <Icon name="crown" x={x + SPACE / 2} y={height - 40} size={26} class="backdrop" />
      )}
      <Label x={x + SPACE / 2} y={height - 8} class="dim number" size={13}>
        {space === 8 ? words("boards-odin") : space}
      </Label>
      {standing(view, space).map((enemy, index) => (
        <Token key={enemy} view={view} enemy={enemy} x={x + 4} y={TOP + index * (TOKEN + 4)} />
      ))}
    </g>
  );
}

function Barrier({ x, height, name }: { x: number; height: number; name: string }) {
  return (
    <g class="barrier">
      <line x1={x} x2={x} y1={12} y2={height - 2} />
      <Label x={x} y={9} size={10} class="dim">
        {name}
      </Label>
    </g>
  );
}

/** An enemy on the track, with the strength to be reached against it. */
function Token({ view, enemy, x, y }: { view: PublicView; enemy: Enemy; x: number; y: number }) {
  const { lookup } = useBoard();
  const id = enemyId(enemy);
  const strength = view.strengths[enemy - 1] ?? 0;
  const width = SPACE - 8;
  const label = words("boards-enemy", {
    name: lookup.name("enemy", id),
    space: spaceOf(view, enemy),
    strength,
  });
  return (
    <Thing spot={`enemy:${id}`} label={label} area={{ x, y, width, height: TOKEN }}>
      <rect class={`token enemy-${id}`} x={x} y={y} width={width} height={TOKEN} rx={6} />
      <Icon name={id} x={x + 12} y={y + TOKEN / 2} size={21} class="on-token" />
      {strength > 0 && (
        <Label x={x + width - 8} y={y + 19} class="number on-token" size={14}>
          {strength}
        </Label>
      )}
    </Thing>
  );
}
