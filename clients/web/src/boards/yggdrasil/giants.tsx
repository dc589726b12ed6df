import type { Giant, PublicView } from "taflhall/gen/yggdrasil/v1/yggdrasil";
import { Rune } from "taflhall/gen/yggdrasil/v1/yggdrasil";

import { Panel, Thing, useBoard } from "../kit/board";
import { Icon, Label, Pile, Tile } from "../kit/parts";
import { idOf } from "../kit/lookup";
import { words } from "../kit/words";
import { WORLDS } from "./symbols";
import { GIANTS, giantId } from "./state";

const RUNES = [Rune.SIGEL, Rune.DAEG, Rune.MANN, Rune.TIWAZ];
const ROW = 62;
const LEFT = 96;
const CELL = 65;

/** YG-9 Jotunheim: each rune with its four giants, in the deck, active or defeated. */
export function Giants({ view }: { view: PublicView }) {
  return (
    <Panel
      name="giants"
      title={words("boards-giants")}
      note={words("boards-giants-note", {
        active: view.giantsActive.length,
        defeated: view.giantsDefeated.length,
      })}
      width={360}
      height={4 * ROW + 6}
    >
      <Thing
        spot="giant:hidden"
        label={words("boards-giant-deck", { count: view.giantsDeck })}
        area={{ x: 2, y: 6, width: 46, height: 62 }}
      >
        <Pile x={4} y={14} count={view.giantsDeck} width={38} height={50} />
      </Thing>
      {RUNES.map((rune, row) => (
        <RuneRow key={rune} view={view} rune={rune} y={4 + row * ROW} />
      ))}
    </Panel>
  );
}

function RuneRow({ view, rune, y }: { view: PublicView; rune: Rune; y: number }) {
  const { lookup } = useBoard();
  const id = idOf(Rune, rune);
  const done = view.runes[rune - 1] ?? 0;
  const own = GIANTS.filter((giant) => lookup.list("giant", giantId(giant), "rune")[0] === id);
  return (
    <g>
      <Thing
        spot={`rune:${id}`}
        label={words("boards-rune", { name: lookup.name("rune", id), done })}
        area={{ x: 52, y, width: 40, height: ROW - 6 }}
      >
        <Icon name={id} x={72} y={y + 20} size={28} class={done === 4 ? "good" : "sym"} />
        <Label x={72} y={y + 50} size={12} class="number">{`${done}/4`}</Label>
      </Thing>
      {own.map((giant, column) => (
        <GiantCard key={giant} view={view} giant={giant} x={LEFT + column * CELL} y={y} />
      ))}
    </g>
  );
}

/** A giant: its state, its name and what it does while it is active. */
function GiantCard({
  view,
  giant,
  x,
  y,
}: {
  view: PublicView;
  giant: Giant;
  x: number;
  y: number;
}) {
  const { lookup } = useBoard();
  const id = giantId(giant);
  const name = lookup.name("giant", id);
  const active = view.giantsActive.includes(giant);
  const defeated = view.giantsDefeated.includes(giant);
  const state = words(active ? "boards-active" : defeated ? "boards-defeated" : "boards-in-deck");
  return (
    <Thing
      spot={`giant:${id}`}
      label={`${name}, ${state}. ${lookup.component("giant", id)?.text ?? ""}`}
      area={{ x, y, width: CELL - 4, height: ROW - 6 }}
    >
      <Tile x={x} y={y} width={CELL - 4} height={ROW - 6} class={active ? "giant-active" : "sunk"}>
        <g class={defeated ? "gone" : undefined}>
          <Effect giant={id} x={x + 30} y={y + 22} />
          <Label
            x={x + 30}
            y={y + 49}
            size={10.5}
            width={CELL - 10}
            class={active ? "strong" : "dim"}
          >
            {name}
          </Label>
        </g>
        {defeated && <Icon name="cross" x={x + 30} y={y + 24} size={30} class="bad" />}
      </Tile>
    </Thing>
  );
}

function Effect({ giant, x, y }: { giant: string; x: number; y: number }) {
  const { lookup } = useBoard();
  const properties = lookup.component("giant", giant)?.properties ?? {};
  switch (properties["effect"]) {
    case "block":
      return (
        <g>
          <Icon name={WORLDS[properties["world"] ?? ""] ?? "star"} x={x - 9} y={y} size={22} />
          <Icon name="lock" x={x + 13} y={y} size={17} class="bad" />
        </g>
      );
    case "plus":
      return (
        <g>
          <Icon name={properties["enemy"] ?? "star"} x={x - 9} y={y} size={22} />
          <Label x={x + 14} y={y + 6} size={16} class="number bad">
            +1
          </Label>
        </g>
      );
    case "whirlpool":
      return <Icon name="whirlpool" x={x} y={y} size={24} />;
    case "no_powers":
      return <Icon name="eye" x={x} y={y} size={24} class="bad" />;
    default:
      return (
        <g class="no-die">
          <rect x={x - 10} y={y - 10} width={20} height={20} rx={4} />
          <path d={`M${x - 14} ${y + 14}l28-28`} />
        </g>
      );
  }
}
