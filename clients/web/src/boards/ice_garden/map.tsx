import type { PublicView, RegionView } from "taflhall/gen/ice_garden/v1/ice_garden";
import { Region } from "taflhall/gen/ice_garden/v1/ice_garden";

import { Panel, Thing, useBoard } from "../kit/board";
import { Icon, Label } from "../kit/parts";
import { words } from "../kit/words";
import { Pieces } from "./pieces";
import { CARD, corner, PLACES, TALL } from "./places";
import { factionId, hasTile, regionId } from "./state";

const WIDTH = 440;
const HEIGHT = 548;

const REGIONS = [1, 2, 3, 4, 5, 6, 7, 8].map((region): Region => region);

/** IG-2.3 The map: the regions with all that lies in them, and the ways between them. */
export function IceMap({ view }: { view: PublicView }) {
  return (
    <Panel name="map" title={words("boards-map")} width={WIDTH} height={HEIGHT}>
      <rect class="water" width={WIDTH} height={HEIGHT} rx={10} />
      <path
        class="land"
        d="M26 18C90 4 150 22 220 16s130-14 190 2c20 40 10 110 18 170s-6 110 2 170 6 120-16 176c-60 12-120-8-194-4s-140 16-196 2c-22-50-10-112-14-176S20 200 12 140 8 46 26 18z"
      />
      <Ways view={view} />
      {REGIONS.map((region) => (
        <RegionCard key={region} view={view} region={region} />
      ))}
      {REGIONS.map((region) => (
        <Pieces key={region} view={view} region={region} />
      ))}
    </Panel>
  );
}

/** The ways between adjacent regions. */
function Ways({ view }: { view: PublicView }) {
  const { lookup } = useBoard();
  const open = (id: string): boolean => {
    const region = view.regions[Number(id.slice(1)) - 1];
    return region !== undefined && hasTile(region) && !region.locked;
  };
  return (
    <g>
      {Object.keys(PLACES).flatMap((one) =>
        lookup.list("region", one, "adjacent").map((other) => {
          const from = PLACES[one];
          const to = PLACES[other];
          if (!from || !to || one > other) return null;
          const arch = one === "r1" && other === "r3"; // it passes above r2
          return (
            <path
              key={`${one}${other}`}
              class={open(one) && open(other) ? "way" : "way closed"}
              d={
                arch
                  ? `M${from[0]} ${from[1]}Q220 -34 ${to[0]} ${to[1]}`
                  : `M${from[0]} ${from[1]}L${to[0]} ${to[1]}`
              }
            />
          );
        }),
      )}
    </g>
  );
}

/** A region: its name, its tile, and what marks it as a whole. */
function RegionCard({ view, region }: { view: PublicView; region: Region }) {
  const { lookup } = useBoard();
  const id = regionId(region);
  const name = lookup.name("region", id);
  const state = view.regions[region - 1];
  const [x, y] = corner(region);
  if (!state) return null;
  const classes = [
    "region",
    !hasTile(state) && "out",
    state.locked && "locked",
    view.resolving === region && "resolving",
  ];
  return (
    <Thing
      spot={`region:${id}`}
      label={`${name}${spoken(view, region, state)}`}
      area={{ x, y, width: CARD, height: TALL, round: 12 }}
    >
      <rect
        class={classes.filter(Boolean).join(" ")}
        x={x}
        y={y}
        width={CARD}
        height={TALL}
        rx={12}
      />
      <Label x={x + 27} y={y + 18} anchor="start" size={10.5} class="strong" width={CARD - 31}>
        {name}
      </Label>
      <TileOf state={state} x={x} y={y} />
      <Badges view={view} region={region} state={state} x={x} y={y} />
    </Thing>
  );
}

function spoken(view: PublicView, region: Region, state: RegionView): string {
  if (!hasTile(state)) return `, ${words("boards-not-in-play")}`;
  const parts = [
    state.tile === undefined
      ? words("boards-face-down")
      : words("boards-tile", { number: state.tile }),
    state.locked && words("boards-locked"),
    view.vukoRegion === region && words("boards-vuko"),
    view.thornRegion === region && words("boards-thorn"),
    state.tower && words("boards-tower"),
    ...view.players.map(({ faction }) => {
      const count = state.influence[faction - 1] ?? 0;
      return count > 0 && words("boards-influence-of", { faction: factionId(faction), count });
    }),
  ];
  return `, ${parts.filter(Boolean).join(", ")}`;
}

/** IG-2.4 The tile of a region: its number, its resources and its points. */
function TileOf({ state, x, y }: { state: RegionView; x: number; y: number }) {
  if (!hasTile(state)) {
    return (
      <Label x={x + CARD / 2} y={y + 62} size={11} class="dim" width={CARD - 10}>
        {words("boards-not-in-play")}
      </Label>
    );
  }
  if (state.tile === undefined)
    return (
      <Label x={x + 15} y={y + 18} size={15} class="number">
        ?
      </Label>
    );
  const goods = [
    { name: "population", count: state.population },
    { name: "gold", count: state.gold },
    { name: "m_factor", count: state.mFactor },
  ].filter(({ count }) => count > 0);
  return (
    <g>
      <circle class="tile-number" cx={x + 14} cy={y + 14} r={10} />
      <Label x={x + 14} y={y + 18.5} size={13} class="number on-back">
        {state.tile}
      </Label>
      {goods.map(({ name, count }, index) => (
        <g key={name}>
          <Icon
            name={name === "gold" ? "coin" : name}
            x={x + 10 + index * 20.5}
            y={y + 33}
            size={12.5}
          />
          <Label x={x + 17 + index * 20.5} y={y + 37} anchor="start" size={11} class="number">
            {count}
          </Label>
        </g>
      ))}
      <Label x={x + CARD - 4} y={y + 37} anchor="end" size={10} class="dim strong" width={40}>
        {state.points.join("·")}
      </Label>
    </g>
  );
}

/** What lies in a region and belongs to nobody's stock: Vuko, Thorn, tower, lock, tokens, reserves. */
function Badges(props: {
  view: PublicView;
  region: Region;
  state: RegionView;
  x: number;
  y: number;
}) {
  const { view, region, state, x, y } = props;
  const badges = [
    view.vukoRegion === region && { name: "vuko", count: 0 },
    view.thornRegion === region && { name: "thorn", count: 0 },
    state.tower && { name: "tower", count: 0 },
    state.locked && { name: "lock", count: 0 },
    state.nightmareTokens > 0 && { name: "nightmare_token", count: state.nightmareTokens },
    state.reservesUp > 0 && { name: "reserve", count: state.reservesUp },
    state.reservesDown > 0 && { name: "reserve", count: state.reservesDown, faceDown: true },
    state.attack > 0 && { name: "sword", count: state.attack },
  ].filter((badge) => badge !== false);
  return (
    <g>
      {badges.map((badge, index) => (
        <g
          key={index}
          class={`badge badge-${badge.name}${"faceDown" in badge ? " face-down" : ""}`}
        >
          <circle cx={x + 40 + index * 25} cy={y - 3} r={11.5} />
          <Icon name={badge.name} x={x + 40 + index * 25} y={y - 3} size={16} />
          {"faceDown" in badge && (
            <Label x={x + 40 + index * 25} y={y + 2} size={13} class="number">
              ?
            </Label>
          )}
          {badge.count > 1 && (
            <Label x={x + 50 + index * 25} y={y + 8} size={10} class="number">
              {badge.count}
            </Label>
          )}
        </g>
      ))}
    </g>
  );
}
