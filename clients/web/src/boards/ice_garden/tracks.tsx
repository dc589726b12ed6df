import type { Faction, PublicView } from "taflhall/gen/ice_garden/v1/ice_garden";

import { Panel, Thing, useBoard } from "../kit/board";
import { Icon, Label, SeatMark } from "../kit/parts";
import { words } from "../kit/words";
import { markOf, playerOf } from "./state";

const HELMS = 10;
const CELL = 35.6;

/** IG-2.5 The initiative track: helms in four stages, with ship, cubes and red ships. */
export function Initiative({ view }: { view: PublicView }) {
  const { lookup } = useBoard();
  const most = Math.max(
    1,
    ...Array.from({ length: HELMS }, (_, index) => at(view, index + 1).length),
  );
  const height = 96 + most * 17;
  const stages = Array.from({ length: HELMS }, (_, index) => lookup.number("helm", index, "stage"));
  return (
    <Panel
      name="initiative"
      title={words("boards-initiative")}
      note={words("boards-ships-reached", { count: view.shipsReached })}
      width={360}
      height={height + 2}
    >
      {Array.from({ length: HELMS }, (_, index) => {
        const helm = index + 1;
        const x = 2 + index * CELL;
        const stage = stages[index] ?? 0;
        const ship = lookup.number("helm", index, "ship");
        const cubes = lookup.number("helm", index, "cubes");
        const red = lookup.component("helm", index)?.properties["red_ship"] === "yes";
        const standing = at(view, helm);
        return (
          <Thing
            key={helm}
            spot={`helm:${helm}`}
            label={words("boards-helm", { helm, ship, cubes })}
            area={{ x, y: 16, width: CELL - 3, height: height - 16, round: 5 }}
          >
            <rect
              class={`slot stage-${stage}`}
              x={x}
              y={16}
              width={CELL - 3}
              height={height - 16}
              rx={5}
            />
            <Icon
              name="helmet"
              x={x + 16}
              y={32}
              size={20}
              class={stage === view.stage ? "sym" : "dim"}
            />
            <Label x={x + 16} y={55} size={11} class="dim number">
              {helm}
            </Label>
            {standing.map((faction, place) => (
              <SeatMark
                key={faction}
                seat={markOf(view, faction)}
                x={x + 16}
                y={70 + place * 17}
                size={18}
              />
            ))}
            <Icon name="ship" x={x + 9} y={height - 22} size={15} class={red ? "bad" : "dim"} />
            <Label x={x + 24} y={height - 18} size={12} class="number">
              {ship}
            </Label>
            <Label x={x + 16} y={height - 4} size={10} class="number dim">
              {`▪${cubes}`}
            </Label>
          </Thing>
        );
      })}
      {[1, 2, 3, 4].map((stage) => {
        const first = stages.indexOf(stage);
        const last = stages.lastIndexOf(stage);
        return (
          <Label
            key={stage}
            x={2 + ((first + last + 1) / 2) * CELL}
            y={11}
            size={10.5}
            class={view.stage === stage ? "strong" : "dim"}
          >
            {words("boards-stage", { stage })}
          </Label>
        );
      })}
    </Panel>
  );
}

/** Return the factions whose initiative markers stand on a helm, the upper one first. */
function at(view: PublicView, helm: number): Faction[] {
  return view.initiative.filter((faction) => playerOf(view, faction)?.helm === helm);
}

const VALUES = ["", "0", "−1", "−2", "−3", "−4", "−5", "−6", "−7", "−8", "−9"];

/** IG-11 The reputation track, from the safe area down to -9; the upper marker of a stack stands above. */
export function Reputation({ view }: { view: PublicView }) {
  const stacks = VALUES.map((_, place) =>
    view.reputation.filter((one) => playerOf(view, one)?.reputation === place),
  );
  const height = 26 + Math.max(2, ...stacks.map(({ length }) => length)) * 18;
  return (
    <Panel name="reputation" title={words("boards-reputation")} width={360} height={height}>
      {VALUES.map((value, place) => {
        const x = place === 0 ? 2 : 48 + (place - 1) * 31.2;
        const width = place === 0 ? 43 : 29;
        const standing = stacks[place] ?? [];
        const name = place === 0 ? words("boards-safe") : value;
        return (
          <Thing
            key={place}
            spot={`reputation:${place}`}
            label={words("boards-reputation-field", { field: name })}
            area={{ x, y: 2, width, height: height - 4, round: 5 }}
          >
            <rect
              class={place === 0 ? "slot safe" : "slot"}
              x={x}
              y={2}
              width={width}
              height={height - 4}
              rx={5}
            />
            {standing.map((faction, index) => (
              <SeatMark
                key={faction}
                seat={markOf(view, faction)}
                x={x + width / 2}
                y={14 + index * 18}
                size={18}
              />
            ))}
            <Label
              x={x + width / 2}
              y={height - 7}
              size={place === 0 ? 10 : 12}
              class="number dim"
              width={width - 2}
            >
              {name}
            </Label>
          </Thing>
        );
      })}
    </Panel>
  );
}

/** IG-12 The Dead Snow track: its fields up to the limit. */
export function Snow({ view }: { view: PublicView }) {
  const columns = 15;
  const rows = Math.ceil(view.snowLimit / columns);
  return (
    <Panel
      name="snow"
      title={words("boards-snow")}
      note={words("boards-snow-note", { snow: view.snow, limit: view.snowLimit })}
      width={360}
      height={rows * 24 + 4}
    >
      <Thing
        spot="snow"
        label={words("boards-snow-note", { snow: view.snow, limit: view.snowLimit })}
        area={{ x: 1, y: 1, width: 358, height: rows * 24 + 2 }}
      >
        {Array.from({ length: view.snowLimit }, (_, index) => {
          const x = 3 + (index % columns) * 23.7;
          const y = 3 + Math.floor(index / columns) * 24;
          const reached = index < view.snow;
          return (
            <g key={index}>
              <rect
                class={reached ? "snow reached" : "snow"}
                x={x}
                y={y}
                width={22}
                height={21}
                rx={4}
              />
              {index + 1 === view.snow ? (
                <Icon name="snow" x={x + 11} y={y + 10.5} size={17} />
              ) : (
                <Label
                  x={x + 11}
                  y={y + 14.5}
                  size={10}
                  class={index + 1 === view.snowLimit ? "number bad" : "dim"}
                >
                  {index + 1}
                </Label>
              )}
            </g>
          );
        })}
      </Thing>
    </Panel>
  );
}
