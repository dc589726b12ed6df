import type { PlayerView, PublicView, UnitView } from "taflhall/gen/ice_garden/v1/ice_garden";

import { Panel, Thing, useBoard } from "../kit/board";
import { Count, Icon, Label, SeatMark, Tile } from "../kit/parts";
import { words } from "../kit/words";
import { FigureChip, unitSymbol } from "./figures";
import { abilityId, factionId, markOf, unitId, unitOf } from "./state";
import { ABILITIES } from "./symbols";

const TOP = 130;
const ROW = 58;

/** The character sheets by seat: resources, M-factor by level, units with their symbols, the goal. */
export function Sheets({ view }: { view: PublicView }) {
  return (
    <div>
      {view.players.map((player) => (
        <Sheet key={player.faction} view={view} player={player} />
      ))}
    </div>
  );
}

function Sheet({ view, player }: { view: PublicView; player: PlayerView }) {
  const { lookup, props } = useBoard();
  const id = factionId(player.faction);
  const seat = player.seat;
  const name = seat === undefined ? words("boards-npc") : (props.names[seat] ?? String(seat + 1));
  const you = seat !== undefined && props.view.seat === seat ? ` (${words("boards-you")})` : "";
  const place = view.turnOrder.indexOf(player.faction);
  return (
    <Panel
      name="sheet"
      title={`${name}${you}`}
      width={360}
      height={TOP + player.units.length * (ROW + 3) + 2}
      {...(place >= 0 && { note: words("boards-nth", { place: place + 1 }) })}
    >
      <Thing
        spot={seat === undefined ? "seat:npc" : `seat:${seat}`}
        label={words("boards-sheet", { name: lookup.name("faction", id), points: player.vp })}
        area={{ x: 2, y: 2, width: 356, height: 90 }}
      >
        <Tile x={2} y={2} width={356} height={90} class={player.withdrawn ? "sunk" : ""}>
          <SeatMark seat={markOf(view, player.faction)} x={20} y={20} size={26} />
          <Label x={40} y={18} anchor="start" size={13} class="strong" width={170}>
            {lookup.name("faction", id)}
          </Label>
          <Label
            x={40}
            y={32}
            anchor="start"
            size={10.5}
            class={player.goalFulfilled ? "good strong" : "dim"}
            width={200}
          >
            {words("boards-goal", {
              name: words(`boards-goal-${id}`),
              done: player.goal,
              target: player.goalTarget,
            })}
          </Label>
          <Count name="star" x={262} y={20} count={player.vp} size={24} class="sym-crown" />
          <Count name="helmet" x={322} y={20} count={player.helm} size={16} />
          <Count name="population" x={20} y={54} count={player.population} size={21} />
          <Count name="coin" x={76} y={54} count={player.gold} size={19} />
          <Count name="crown" x={132} y={54} count={player.influenceSupply} size={18} class="dim" />
          <Count name="worker" x={188} y={54} count={player.actionMarkers} size={18} />
          <Count name="vuko" x={244} y={54} count={player.vukoTokens} size={18} />
          <Count name="viper" x={300} y={54} count={player.viper} size={18} />
          <Label x={10} y={82} anchor="start" size={10.5} class="dim" width={340}>
            {[
              words("boards-captured", { count: player.captured }),
              player.doubleMoves.length > 0 &&
                words("boards-double-moves", { stages: player.doubleMoves.join(", ") }),
              player.summoned && words("boards-summoned"),
            ]
              .filter(Boolean)
              .join(" · ")}
          </Label>
        </Tile>
      </Thing>
      {player.mFactor.map((count, level) => {
        const x = 2 + level * 90;
        return (
          <Thing
            key={level}
            spot={`level:${id}:${level}`}
            label={words("boards-level", { level, count })}
            area={{ x, y: 96, width: 86, height: 30 }}
          >
            <rect class="slot" x={x} y={96} width={86} height={30} rx={6} />
            <Label x={x + 8} y={116} anchor="start" size={11} class="dim" width={40}>
              {words("boards-level-short", { level })}
            </Label>
            <Count name="m_factor" x={x + 58} y={111} count={count} size={18} />
          </Thing>
        );
      })}
      {player.units.map((unit, index) => (
        <UnitRow
          key={unit.unit}
          view={view}
          player={player}
          unit={unit}
          y={TOP + index * (ROW + 3)}
        />
      ))}
    </Panel>
  );
}

/** A unit type: its level, its printed and bought symbols, free slots, and the figures at home. */
function UnitRow(props: { view: PublicView; player: PlayerView; unit: UnitView; y: number }) {
  const { view, player, unit, y } = props;
  const { lookup } = useBoard();
  const id = unitId(unit.unit);
  const name = lookup.name("unit", id);
  const home = player.figures.filter(
    (figure) => unitOf(figure.figure) === id && figure.region === 0,
  );
  const symbols = [
    ...unit.printed.flatMap((count, ability) =>
      Array.from({ length: count }, () => ({ ability, state: "printed" })),
    ),
    ...unit.bought.flatMap((count, ability) =>
      Array.from({ length: count }, () => ({ ability, state: "bought" })),
    ),
    ...(lookup.number("unit", id, "spy_slots") > 0
      ? player.spy.map((one) => ({ ability: one - 1, state: "spy" }))
      : []),
    ...Array.from({ length: unit.freeSlots }, () => ({ ability: -1, state: "free" })),
  ];
  const spoken = symbols
    .filter(({ ability }) => ability >= 0)
    .map(({ ability }) => lookup.name("upgrade", abilityId(ability + 1)));
  return (
    <g>
      <Thing
        spot={`unit:${id}`}
        label={[name, ...spoken].join(", ")}
        area={{ x: 2, y, width: 356, height: ROW }}
      >
        <Tile x={2} y={y} width={356} height={ROW}>
          <Icon
            name={unitSymbol(id)}
            x={24}
            y={y + 22}
            size={32}
            class={`unit seat-${markOf(view, player.faction)}`}
          />
          <Label x={24} y={y + 52} size={10} class="dim number">
            {words("boards-level-short", { level: unit.level })}
          </Label>
          <Label x={48} y={y + 17} anchor="start" size={12} class="strong" width={150}>
            {name}
          </Label>
          {symbols.map(({ ability, state }, index) => (
            <g key={index}>
              <rect
                class={`symbol ${state}`}
                x={48 + index * 27}
                y={y + 26}
                width={24}
                height={24}
                rx={state === "printed" ? 12 : 4}
              />
              {ability >= 0 && (
                <Icon
                  name={ABILITIES[ability] ?? "star"}
                  x={60 + index * 27}
                  y={y + 38}
                  size={16}
                />
              )}
            </g>
          ))}
        </Tile>
      </Thing>
      {home.map((figure, index) => (
        <FigureChip
          key={figure.figure}
          view={view}
          faction={player.faction}
          figure={figure}
          x={326 - index * 32}
          y={y + 15}
          size={28}
        />
      ))}
    </g>
  );
}
