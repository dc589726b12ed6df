import type { PublicView, SeatView } from "taflhall/gen/champions/v1/champions";

import { Panel, Thing, useBoard } from "../kit/board";
import { Count, Icon, Label, SeatMark, Tile } from "../kit/parts";
import { words } from "../kit/words";
import { RuneCard } from "./offers";
import { ColourMark, Crew } from "./parts";
import { committed, destinyId, leaderId, privateOf, runeId, types } from "./state";

/** The clans by seat: leader, workers, warriors, goods, tokens, runes, destinies and trophies. */
export function Clans({ view }: { view: PublicView }) {
  return (
    <div>
      {view.seats.map((clan, seat) => (
        <Clan key={seat} view={view} clan={clan} seat={seat} />
      ))}
    </div>
  );
}

function Clan({ view, clan, seat }: { view: PublicView; clan: SeatView; seat: number }) {
  const { lookup, props } = useBoard();
  const runes = [...clan.runes, ...clan.runesUsed];
  const rows = Math.ceil(runes.length / 3);
  const leader = clan.leader
    ? lookup.name("leader", leaderId(clan.leader))
    : words("boards-no-leader");
  const you = props.view.seat === seat ? ` (${words("boards-you")})` : "";
  const ship =
    clan.ship === undefined ? undefined : lookup.component("private_longship", clan.ship);
  const sent = committed(view, seat);
  const home = types(clan.owned).map((count, type) => count - (sent[type] ?? 0));
  return (
    <Panel
      name="clan"
      title={`${props.names[seat] ?? seat + 1}${you}`}
      note={words("boards-workers", { count: clan.workers })}
      width={360}
      height={132 + rows * 42 + clan.destiniesShown.length * 30}
    >
      <Thing
        spot={`seat:${seat}`}
        label={words("boards-clan", { leader, glory: clan.glory })}
        area={{ x: 2, y: 2, width: 356, height: 126 }}
      >
        <Tile x={2} y={2} width={356} height={126}>
          <SeatMark seat={seat} x={20} y={20} size={24} />
          <Label x={40} y={18} anchor="start" size={13} class="strong" width={190}>
            {leader}
          </Label>
          {view.marker === seat && (
            <Count name="horn" x={46} y={32} count={words("boards-marker")} size={13} />
          )}
          <Count name="crown" x={270} y={20} count={clan.glory} size={24} />
          <Count name="worker" x={326} y={20} count={clan.workers} size={20} />
          <Count name="food" x={20} y={54} count={clan.food} size={18} />
          <Count name="wood" x={72} y={54} count={clan.wood} size={18} />
          <Count name="coin" x={124} y={54} count={clan.coins} size={17} />
          <Count name="favour" x={176} y={54} count={clan.favour} size={18} />
          <Count name="skull" x={228} y={54} count={clan.blame} size={17} />
          <Count name="destiny" x={280} y={54} count={clan.destinyCount} size={17} />
          {clan.favourSpent > 0 && (
            <Label x={180} y={70} anchor="start" size={9.5} class="dim">
              {words("boards-spent", { count: clan.favourSpent })}
            </Label>
          )}
          <Label x={10} y={89} anchor="start" size={10.5} class="dim">
            {words("boards-at-home")}
          </Label>
          <Crew crew={home} x={66} y={85} size={17} all />
          {sent.some((count) => count > 0) && (
            <g>
              <Label x={186} y={89} anchor="start" size={10.5} class="dim">
                {words("boards-sent")}
              </Label>
              <Crew crew={sent} x={236} y={85} size={17} />
            </g>
          )}
          <Trophies clan={clan} x={16} y={112} />
          {ship && (
            <g>
              <Icon name="ship" x={254} y={112} size={22} class="ship" />
              <Label x={270} y={116} anchor="start" size={11} width={84}>
                {ship.name}
              </Label>
            </g>
          )}
        </Tile>
      </Thing>
      {runes.map((rune, index) => (
        <RuneCard
          key={rune}
          rune={runeId(rune)}
          x={4 + (index % 3) * 119}
          y={132 + Math.floor(index / 3) * 42}
          width={113}
          used={clan.runesUsed.includes(rune)}
        />
      ))}
      {clan.destiniesShown.map((destiny, index) => (
        <DestinyLine key={destiny} destiny={destinyId(destiny)} y={132 + rows * 42 + index * 30} />
      ))}
    </Panel>
  );
}

/** CM-8.12 The enemies that a clan has defeated. */
function Trophies({ clan, x, y }: { clan: SeatView; x: number; y: number }) {
  const colours = ["yellow", "red", "blue"] as const;
  const draugr = clan.draugr ?? { yellow: 0, red: 0, blue: 0 };
  const monsters = clan.monsters ?? { yellow: 0, red: 0, blue: 0 };
  return (
    <g>
      <Count name="troll" x={x} y={y} count={clan.trolls} size={16} />
      {colours.map((colour, index) => (
        <g key={colour} class={`colour-${colour}`}>
          <ColourMark colour={colour} x={x + 46 + index * 62} y={y} />
          <Count
            name="skull"
            x={x + 58 + index * 62}
            y={y}
            count={draugr[colour]}
            size={13}
            class="colour-fill"
          />
          <Count
            name="dragon"
            x={x + 82 + index * 62}
            y={y}
            count={monsters[colour]}
            size={14}
            class="colour-fill"
          />
        </g>
      ))}
    </g>
  );
}

/** CM-16.1 What only the viewer knows: the destinies in hand, and those to choose from. */
export function Hand({ view }: { view: PublicView }) {
  const { props } = useBoard();
  const own = privateOf(props.view);
  const seat = props.view.seat;
  if (!own || seat === undefined || own.destinies.length + own.drawnDestinies.length === 0)
    return null;
  const shown = view.seats[seat]?.destiniesShown ?? [];
  const hand = own.destinies.filter((destiny) => !shown.includes(destiny));
  return (
    <Panel
      name="hand"
      title={words("boards-hand")}
      width={360}
      height={(hand.length + own.drawnDestinies.length) * 30 + 4}
    >
      {own.drawnDestinies.map((destiny, index) => (
        <DestinyLine
          key={`drawn${destiny}`}
          destiny={destinyId(destiny)}
          y={2 + index * 30}
          drawn
        />
      ))}
      {hand.map((destiny, index) => (
        <DestinyLine
          key={destiny}
          destiny={destinyId(destiny)}
          y={2 + (own.drawnDestinies.length + index) * 30}
        />
      ))}
    </Panel>
  );
}

/** A destiny card: its name, and its glory if it is won alone or shared. */
function DestinyLine({ destiny, y, drawn }: { destiny: string; y: number; drawn?: boolean }) {
  const { lookup } = useBoard();
  const value = (property: string): number => lookup.number("destiny", destiny, property);
  const name = lookup.name("destiny", destiny);
  const printed = lookup.component("destiny", destiny)?.text ?? "";
  return (
    <Thing
      spot={`destiny:${destiny}`}
      label={[drawn ? words("boards-drawn", { name }) : name, printed].join(": ")}
      area={{ x: 4, y, width: 352, height: 26 }}
    >
      <Tile x={4} y={y} width={352} height={26} class={drawn ? "drawn" : ""}>
        <Icon name="destiny" x={18} y={y + 13} size={18} class={drawn ? "sym-glory" : "sym"} />
        <Label x={34} y={y + 17} anchor="start" size={11.5} class="strong" width={110}>
          {name}
        </Label>
        <Label x={150} y={y + 17} anchor="start" size={10} class="dim" width={134}>
          {printed.split(":")[0] ?? ""}
        </Label>
        <Count
          name="crown"
          x={298}
          y={y + 13}
          count={`${value("glory_exclusive")} / ${value("glory_shared")}`}
          size={15}
        />
      </Tile>
    </Thing>
  );
}
