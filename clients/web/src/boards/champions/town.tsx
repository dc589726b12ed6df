import type { PublicView } from "taflhall/gen/champions/v1/champions";
import { Location } from "taflhall/gen/champions/v1/champions";

import { Panel, Thing, useBoard } from "../kit/board";
import { Count, countWidth, Icon, Label, Lines, SeatMark, Tile } from "../kit/parts";
import { capital, words } from "../kit/words";
import { Amounts } from "./parts";
import { locationId, stallsOf, types, workerAt } from "./state";
import { AMOUNTS, PLACES } from "./symbols";

const WIDTH = 112;
const HEIGHT = 70;

const BUILDINGS = [
  Location.SWORDSMITH,
  Location.HAFTER,
  Location.BLACKSMITH,
  Location.SMOKEHOUSE,
  Location.LONGHOUSE,
  Location.MARKET,
  Location.MERCHANT_SHIP,
  Location.RUNESMITH,
  Location.SAGES_HUT,
  Location.SHIPWRIGHT,
  Location.STAVE_CHURCH,
  Location.WORKER_HUTS,
  Location.HUNTING_GROUNDS,
  Location.BEG,
];

/** CM-5 The town: the worker spaces with what they give, and the workers on them. */
export function Town({ view }: { view: PublicView }) {
  const places = [...BUILDINGS.slice(0, -1), ...stallsOf(view), Location.BEG];
  const rows = Math.ceil(places.length / 3);
  return (
    <Panel name="town" title={words("boards-town")} width={360} height={rows * (HEIGHT + 6) + 2}>
      {places.map((location, index) => (
        <Place
          key={location}
          view={view}
          location={location}
          x={4 + (index % 3) * (WIDTH + 8)}
          y={2 + Math.floor(index / 3) * (HEIGHT + 6)}
        />
      ))}
    </Panel>
  );
}

function Place({
  view,
  location,
  x,
  y,
}: {
  view: PublicView;
  location: Location;
  x: number;
  y: number;
}) {
  const { lookup, props } = useBoard();
  const id = locationId(location);
  const stall = view.stalls[location - Location.STALL_1];
  const own =
    location === Location.BEG ? capital(lookup.label("location", location)) : lookup.name("location", id);
  const name = stall === undefined ? own : lookup.name("market_stall", stall);
  const seat = workerAt(view, location);
  const label =
    seat === undefined
      ? name
      : words("boards-worker-of", { place: name, name: props.names[seat] ?? "" });
  return (
    <Thing
      spot={`location:${id}`}
      label={label}
      area={{ x, y, width: WIDTH, height: HEIGHT, round: 8 }}
    >
      <Tile
        x={x}
        y={y}
        width={WIDTH}
        height={HEIGHT}
        round={8}
        class={seat === undefined ? "" : "taken"}
      >
        <Icon name={PLACES[id] ?? "tent"} x={x + 18} y={y + 18} size={24} class="place" />
        <Offer view={view} location={location} x={x + 34} y={y + 18} />
        <Lines x={x + WIDTH / 2} y={y + 46} width={WIDTH - 8} size={11} class="strong">
          {name}
        </Lines>
        <Workers view={view} location={location} x={x + WIDTH - 14} y={y + HEIGHT - 13} />
      </Tile>
    </Thing>
  );
}

/** The worker on a space, or how many of each seat where several may stand. */
function Workers({
  view,
  location,
  x,
  y,
}: {
  view: PublicView;
  location: Location;
  x: number;
  y: number;
}) {
  if (location === Location.HUNTING_GROUNDS || location === Location.BEG) {
    const counts = view.seats.map((seat) =>
      location === Location.BEG ? seat.beggars : seat.hunters,
    );
    const standing = counts
      .map((count, seat) => ({ count, seat }))
      .filter(({ count }) => count > 0);
    return (
      <g>
        {standing.map(({ count, seat }, index) => (
          <SeatMark key={seat} seat={seat} x={x - index * 22} y={y} size={22}>
            {count}
          </SeatMark>
        ))}
      </g>
    );
  }
  const seat = workerAt(view, location);
  return seat === undefined ? null : <SeatMark seat={seat} x={x} y={y} size={22} />;
}

/** What a space gives now, and what it costs. */
function Offer({
  view,
  location,
  x,
  y,
}: {
  view: PublicView;
  location: Location;
  x: number;
  y: number;
}) {
  const { lookup } = useBoard();
  const stock = types(view.stock);
  const stall = view.stalls[location - Location.STALL_1];
  if (stall !== undefined) {
    return (
      <Trade
        cost={lookup.amounts("market_stall", stall, "cost")}
        gain={lookup.amounts("market_stall", stall, "gain")}
        x={x}
        y={y}
      />
    );
  }
  switch (location) {
    case Location.SWORDSMITH:
    case Location.HAFTER:
    case Location.BLACKSMITH: {
      const type = location - Location.SWORDSMITH;
      const names = ["swordsman", "spearman", "axeman"] as const;
      return <Amounts amounts={{ [names[type] ?? ""]: stock[type] ?? 0 }} x={x} y={y} size={19} />;
    }
    case Location.SMOKEHOUSE:
      return <Count name="food" x={x + 10} y={y} count={view.smokedFood} size={19} />;
    case Location.LONGHOUSE:
      return <Trade cost={{}} gain={{ swordsman: 1, horn: 1 }} x={x} y={y} />;
    case Location.MERCHANT_SHIP:
      return view.merchant === undefined ? null : (
        <Trade
          cost={{ coins: 1 }}
          gain={lookup.amounts("merchant_ship", view.merchant, "gain")}
          x={x}
          y={y}
        />
      );
    case Location.RUNESMITH:
      return <Trade cost={{ wood: 1 }} gain={{ rune: 1 }} x={x} y={y} />;
    case Location.SAGES_HUT:
      return <Trade cost={{}} gain={{ destiny: 1 }} x={x} y={y} />;
    case Location.STAVE_CHURCH:
      return <Trade cost={{ coins: "1–10" }} gain={{ glory: "1–4" }} x={x} y={y} />;
    case Location.WORKER_HUTS:
      return (
        <Label x={x} y={y + 5} anchor="start" size={11} class="dim" width={74}>
          {words("boards-huts", { sold: view.hutsSold })}
        </Label>
      );
    case Location.HUNTING_GROUNDS:
      return <Trade cost={{}} gain={{ food: "≤6" }} x={x} y={y} />;
    case Location.BEG:
      return <Trade cost={{}} gain={{ food: 1, blame: 1 }} x={x} y={y} />;
    default:
      return null;
  }
}

type Shown = Readonly<Record<string, number | string>>;

/** The room for what a space gives and costs. */
const ROOM = 74;

/** A cost, an arrow and a gain; without a cost only the gain. */
function Trade({ cost, gain, x, y }: { cost: Shown; gain: Shown; x: number; y: number }) {
  const paid = Object.entries(cost);
  const gained = Object.entries(gain);
  const whole = [...paid, ...gained].reduce((sum, [, count]) => sum + countWidth(count, 1), 0);
  const size = Math.min(15, (ROOM - 6) / whole);
  const shown: { name: string; count: number | string; at: number }[] = [];
  let at = x;
  for (const [name, count] of [...paid, ...gained]) {
    if (shown.length === paid.length && paid.length > 0) at += 6;
    shown.push({ name, count, at });
    at += countWidth(count, size);
  }
  const arrow = shown[paid.length]?.at ?? x;
  return (
    <g>
      {shown.map(({ name, count, at: left }) => (
        <Count
          key={name}
          name={AMOUNTS[name] ?? name}
          x={left + size / 2}
          y={y}
          count={count}
          size={size}
        />
      ))}
      {paid.length > 0 && gained.length > 0 && (
        <path class="arrow" d={`M${arrow - 7} ${y - 4}l5 4-5 4z`} />
      )}
    </g>
  );
}
