import type { PublicView, World } from "taflhall/gen/yggdrasil/v1/yggdrasil";
import { World as Worlds } from "taflhall/gen/yggdrasil/v1/yggdrasil";

import { Panel, Thing, useBoard } from "../kit/board";
import { Count, Icon, Label, Lines, Tile } from "../kit/parts";
import { words } from "../kit/words";
import { WORLDS, worldId } from "./state";
import { WORLDS as SYMBOLS } from "./symbols";

const WIDTH = 112;
const HEIGHT = 78;

/** Where each world lies around the tree: column and row. */
const PLACES: Readonly<Record<World, readonly [number, number]>> = {
  [Worlds.UNSPECIFIED]: [0, 0],
  [Worlds.ALFHEIM]: [0, 0],
  [Worlds.ASGARD]: [1, 0],
  [Worlds.VANAHEIM]: [2, 0],
  [Worlds.JOTUNHEIM]: [0, 1],
  [Worlds.MIDGARD]: [1, 1],
  [Worlds.NIDAVELLIR]: [2, 1],
  [Worlds.NIFLHEIM]: [0, 2],
  [Worlds.HELHEIM]: [1, 2],
  [Worlds.MUSPELLHEIM]: [2, 2],
};

/** YG-1.2 The nine worlds around the tree: each is an action. */
export function WorldTree({ view }: { view: PublicView }) {
  return (
    <Panel name="worlds" title={words("boards-worlds")} width={360} height={3 * (HEIGHT + 8) + 6}>
      <path
        class="tree"
        d="M166 268c8-40 6-70 4-92C128 172 70 150 40 100 84 138 130 146 168 146c-2-30-30-56-60-84 40 16 60 30 72 48 12-18 34-32 74-48-30 28-58 54-60 84 38 0 84-8 128-46-30 50-88 72-130 76-2 22-4 52 4 92z"
      />
      {WORLDS.map((world) => (
        <WorldTile key={world} view={view} world={world} />
      ))}
    </Panel>
  );
}

function WorldTile({ view, world }: { view: PublicView; world: World }) {
  const { lookup } = useBoard();
  const id = worldId(world);
  const [column, row] = PLACES[world];
  const x = 4 + column * (WIDTH + 8);
  const y = 4 + row * (HEIGHT + 8);
  const used = view.worldsUsed.filter((one) => one === world).length;
  const blocked = view.blockedWorlds.includes(world);
  const name = lookup.name("world", id);
  const state = blocked ? words("boards-blocked") : used > 0 ? words("boards-used") : "";
  return (
    <Thing
      spot={`world:${id}`}
      label={[name, state].filter(Boolean).join(", ")}
      area={{ x, y, width: WIDTH, height: HEIGHT, round: 10 }}
    >
      <Tile
        x={x}
        y={y}
        width={WIDTH}
        height={HEIGHT}
        round={10}
        class={blocked ? "sunk" : `world-${id}`}
      >
        <Icon
          name={SYMBOLS[id] ?? "star"}
          x={x + 22}
          y={y + 22}
          size={28}
          class={`world-mark world-${id}`}
        />
        <Stock view={view} world={world} x={x + 64} y={y + 22} />
        <Lines x={x + WIDTH / 2} y={y + 52} width={WIDTH - 6} size={11.5} class="strong" lines={2}>
          {name}
        </Lines>
        {blocked && <Icon name="lock" x={x + WIDTH - 14} y={y + 14} size={18} class="bad" />}
        {!blocked && used > 0 && (
          <Icon name="check" x={x + WIDTH - 13} y={y + 13} size={16} class="good" />
        )}
        {used > 1 && (
          <Label x={x + WIDTH - 28} y={y + 17} size={12} class="number">
            {`×${used}`}
          </Label>
        )}
      </Tile>
    </Thing>
  );
}

/** What lies in a world. */
function Stock({ view, world, x, y }: { view: PublicView; world: World; x: number; y: number }) {
  switch (world) {
    case Worlds.HELHEIM:
      return <Count name="helmet" x={x} y={y} count={view.helheim} size={20} />;
    case Worlds.MUSPELLHEIM:
      return <Count name="flame" x={x} y={y} count={view.muspellheim} size={20} />;
    case Worlds.ALFHEIM:
      return <Count name="elf" x={x} y={y} count={view.alfheim} size={20} />;
    default:
      return null;
  }
}
