import type { Enemy, PublicView } from "taflhall/gen/yggdrasil/v1/yggdrasil";

import { Panel, Thing, useBoard } from "../kit/board";
import { Icon, Label, SeatMark, Tile } from "../kit/parts";
import { words } from "../kit/words";
import { ENEMIES, enemyId, weaponAgainst } from "./state";

const ROW = 38;
const LEVELS = [1, 2, 3];

/** YG-7.3 The forge: for each enemy the weapons of levels 1 to 3, and who holds them. */
export function Forge({ view }: { view: PublicView }) {
  return (
    <Panel name="forge" title={words("boards-forge")} width={360} height={3 * ROW + 4}>
      {ENEMIES.map((enemy, index) => (
        <WeaponRow
          key={enemy}
          view={view}
          enemy={enemy}
          x={2 + Math.floor(index / 3) * 180}
          y={2 + (index % 3) * ROW}
        />
      ))}
    </Panel>
  );
}

function WeaponRow({
  view,
  enemy,
  x,
  y,
}: {
  view: PublicView;
  enemy: Enemy;
  x: number;
  y: number;
}) {
  const { lookup } = useBoard();
  const id = enemyId(enemy);
  const weapon = weaponAgainst(lookup, id);
  return (
    <Thing
      spot={`weapon:${id}`}
      label={words("boards-weapon", { name: weapon?.name ?? "", enemy: lookup.name("enemy", id) })}
      area={{ x, y, width: 176, height: ROW - 4 }}
    >
      <Tile x={x} y={y} width={176} height={ROW - 4}>
        <Icon name={weapon?.id ?? "sword"} x={x + 16} y={y + 17} size={22} />
        <Icon name={id} x={x + 37} y={y + 17} size={16} class="dim" />
        <Label x={x + 48} y={y + 21} anchor="start" size={11} width={58}>
          {weapon?.name ?? ""}
        </Label>
        {LEVELS.map((level) => (
          <Level
            key={level}
            view={view}
            enemy={enemy}
            level={level}
            x={x + 100 + level * 21}
            y={y + 17}
          />
        ))}
      </Tile>
    </Thing>
  );
}

/** A weapon of a level: in the forge, or the mark of who holds it. */
function Level(props: { view: PublicView; enemy: Enemy; level: number; x: number; y: number }) {
  const { view, enemy, level, x, y } = props;
  const holder = view.holdings.findIndex(({ weapons }) => weapons[enemy - 1] === level);
  if (holder >= 0) {
    return (
      <SeatMark seat={holder} x={x} y={y} size={19}>
        {level}
      </SeatMark>
    );
  }
  return (
    <g>
      <circle class="slot" cx={x} cy={y} r={9} />
      <Label x={x} y={y + 4.5} size={12} class="number">
        {level}
      </Label>
    </g>
  );
}
