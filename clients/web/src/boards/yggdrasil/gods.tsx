import type { Holding, PublicView } from "taflhall/gen/yggdrasil/v1/yggdrasil";
import { God } from "taflhall/gen/yggdrasil/v1/yggdrasil";

import { Panel, Thing, useBoard } from "../kit/board";
import { idOf } from "../kit/lookup";
import { Count, Icon, Label, SeatMark, Tile } from "../kit/parts";
import { words } from "../kit/words";
import { ENEMIES, enemyId, weaponAgainst } from "./state";
import { GODS } from "./symbols";

const HEIGHT = 62;

/** The gods by seat: their Vikings, elves and weapons. */
export function Gods({ view }: { view: PublicView }) {
  return (
    <Panel
      name="gods"
      title={words("boards-gods")}
      width={360}
      height={view.holdings.length * (HEIGHT + 6) + 4}
    >
      {view.holdings.map((holding, seat) => (
        <GodRow key={seat} view={view} holding={holding} seat={seat} y={4 + seat * (HEIGHT + 6)} />
      ))}
    </Panel>
  );
}

function GodRow(props: { view: PublicView; holding: Holding; seat: number; y: number }) {
  const { view, holding, seat, y } = props;
  const { lookup, props: board } = useBoard();
  const id = idOf(God, holding.god);
  const name = lookup.name("god", id);
  const active = view.active === seat;
  const label = words("boards-god", { name, vikings: holding.vikings, elves: holding.elves });
  return (
    <Thing spot={`seat:${seat}`} label={label} area={{ x: 4, y, width: 352, height: HEIGHT }}>
      <Tile x={4} y={y} width={352} height={HEIGHT} class={active ? "active" : ""}>
        <SeatMark seat={seat} x={20} y={y + 18} size={22} />
        <Icon
          name={GODS[id] ?? "star"}
          x={50}
          y={y + 18}
          size={26}
          class={view.powersActive ? "sym" : "none"}
        />
        <Label x={70} y={y + 17} anchor="start" size={14} class="strong" width={90}>
          {name}
        </Label>
        <Label x={70} y={y + 31} anchor="start" size={11} class="dim" width={140}>
          {(board.names[seat] ?? "") +
            (board.view.seat === seat ? ` (${words("boards-you")})` : "")}
        </Label>
        <Count name="helmet" x={238} y={y + 20} count={holding.vikings} size={24} />
        <Count name="elf" x={300} y={y + 20} count={holding.elves} size={24} />
        {ENEMIES.map((enemy, index) => (
          <Weapon
            key={enemy}
            enemy={enemyId(enemy)}
            level={holding.weapons[index] ?? 0}
            x={24 + index * 56}
            y={y + 48}
          />
        ))}
      </Tile>
    </Thing>
  );
}

/** A weapon that is held against an enemy, with its level. */
function Weapon({ enemy, level, x, y }: { enemy: string; level: number; x: number; y: number }) {
  const { lookup } = useBoard();
  const weapon = weaponAgainst(lookup, enemy);
  return (
    <g class={level === 0 ? "none" : undefined}>
      <Icon name={weapon?.id ?? "sword"} x={x} y={y} size={18} />
      <Icon name={enemy} x={x + 16} y={y} size={13} class="dim" />
      <Label x={x + 26} y={y + 5} anchor="start" size={13} class="number">
        {level || "–"}
      </Label>
    </g>
  );
}
