import type { Bag, Island, PublicView } from "taflhall/gen/yggdrasil/v1/yggdrasil";

import { Panel, Thing, useBoard } from "../kit/board";
import { Count, Icon, Label } from "../kit/parts";
import { words } from "../kit/words";
import { ISLANDS, islandId } from "./state";

const STEP = 71;

/** YG-1.7 Midgard: the chain of islands, the Valkyries and the bags. */
export function Midgard({ view }: { view: PublicView }) {
  return (
    <Panel name="midgard" title={words("boards-midgard")} width={360} height={158}>
      <rect class="water" x={0} y={0} width={360} height={158} rx={8} />
      <path class="line bridge" d={`M38 44H${38 + 4 * STEP}`} />
      {ISLANDS.map((island, index) => (
        <IslandPlace key={island} view={view} island={island} x={38 + index * STEP} />
      ))}
    </Panel>
  );
}

function IslandPlace({ view, island, x }: { view: PublicView; island: Island; x: number }) {
  const { lookup } = useBoard();
  const id = islandId(island);
  const name = lookup.name("island", id);
  const sunken = view.sunken === island;
  const state = [
    view.valkyries === island && words("boards-valkyries"),
    sunken && words(view.whirlpool ? "boards-whirlpool" : "boards-sunken"),
    bagText(view, island),
  ];
  return (
    <Thing
      spot={`island:${id}`}
      label={[name, ...state.filter(Boolean)].join(", ")}
      area={{ x: x - 34, y: 6, width: 68, height: 146, round: 12 }}
    >
      <g class={`island island-${id} ${sunken ? "sunken" : ""}`}>
        <path d={`M${x - 29} 46c0-16 12-26 28-26s30 8 30 24-12 22-30 22-28-6-28-20z`} />
        {sunken && <path class="wave" d={`M${x - 26} 52q8-8 14 0t14 0 14 0 12-2`} />}
      </g>
      {view.valkyries === island && (
        <Icon name="valkyries" x={x} y={40} size={32} class="valkyries" />
      )}
      {sunken && view.whirlpool && <Icon name="whirlpool" x={x + 22} y={24} size={22} />}
      <Label x={x} y={82} size={11.5} class="strong" width={66}>
        {name}
      </Label>
      <BagOf view={view} island={island} x={x} />
    </Thing>
  );
}

/** The bag of an island: what is in it, or with closed bags how it has changed. */
function BagOf({ view, island, x }: { view: PublicView; island: Island; x: number }) {
  const found = bag(view.bags, island) ?? bag(view.bagChanges, island);
  if (island === ISLANDS[0]) return null;
  const empty = view.emptyBags.includes(island);
  const sign = view.bags.length === 0;
  return (
    <g>
      <path
        class={empty ? "bag none" : "bag"}
        d={`M${x - 10} 92h20l-4 7c14 8 20 24 18 36 -1 10-10 13-24 13s-23-3-24-13c-2-12 4-28 18-36z`}
      />
      <Count
        name="helmet"
        x={x - 11}
        y={116}
        count={shown(found?.vikings, sign)}
        size={16}
        class="on-bag"
      />
      <Count
        name="flame"
        x={x - 11}
        y={134}
        count={shown(found?.fireGiants, sign)}
        size={16}
        class="on-bag"
      />
    </g>
  );
}

function bag(bags: readonly Bag[], island: Island): Bag | undefined {
  return bags.find((one) => one.island === island);
}

function shown(count: number | undefined, signed: boolean): number | string {
  if (!signed) return count ?? 0;
  return count === undefined || count === 0 ? "±0" : count > 0 ? `+${count}` : `−${-count}`;
}

function bagText(view: PublicView, island: Island): string {
  const found = bag(view.bags, island);
  return found ? words("boards-bag", { vikings: found.vikings, giants: found.fireGiants }) : "";
}
