import type { PublicView } from "taflhall/gen/champions/v1/champions";
import { Leader } from "taflhall/gen/champions/v1/champions";

import { Panel, Thing, useBoard } from "../kit/board";
import { Count, Icon, Label, Lines, Pile, SeatMark, Tile } from "../kit/parts";
import { words } from "../kit/words";
import { Amounts } from "./parts";
import { leaderId, runeId } from "./state";

/** The open runes with their deck, and the private longships on offer. */
export function Offers({ view }: { view: PublicView }) {
  const { lookup } = useBoard();
  return (
    <Panel
      name="offers"
      title={words("boards-offers")}
      width={360}
      height={view.ships.length > 0 ? 172 : 84}
    >
      <Thing
        spot="rune:deck"
        label={words("boards-rune-deck", { count: view.runePool.length })}
        area={{ x: 2, y: 2, width: 52, height: 78 }}
      >
        <Pile x={6} y={12} count={view.runePool.length} width={40} height={56} />
      </Thing>
      {view.runeRow.map((rune, index) => (
        <RuneCard key={rune} rune={runeId(rune)} x={66 + index * 100} y={6} />
      ))}
      {view.ships.map((ship, index) => {
        const x = 4 + index * 89;
        return (
          <Thing
            key={ship}
            spot={`ship:${ship}`}
            label={lookup.name("private_longship", ship)}
            area={{ x, y: 88, width: 85, height: 80 }}
          >
            <Tile x={x} y={88} width={85} height={80}>
              <Icon name="ship" x={x + 18} y={106} size={28} class="place" />
              <Count
                name="worker"
                x={x + 46}
                y={106}
                count={lookup.number("private_longship", ship, "capacity")}
                size={17}
              />
              <Label x={x + 42} y={134} size={11.5} class="strong" width={78}>
                {lookup.name("private_longship", ship)}
              </Label>
              <Amounts
                amounts={lookup.amounts("private_longship", ship, "cost")}
                x={x + 4}
                y={154}
                size={14}
              />
              <Count
                name="crown"
                x={x + 64}
                y={154}
                count={lookup.number("private_longship", ship, "glory")}
                size={14}
              />
            </Tile>
          </Thing>
        );
      })}
    </Panel>
  );
}

/** A rune card: its name, its worth, and whether it has been used. */
export function RuneCard(props: {
  rune: string;
  x: number;
  y: number;
  used?: boolean;
  width?: number;
}) {
  const { rune, x, y, used, width = 92 } = props;
  const { lookup } = useBoard();
  const name = lookup.name("rune", rune);
  const label = used ? words("boards-rune-used", { name }) : name;
  return (
    <Thing spot={`rune:${rune}`} label={label} area={{ x, y, width, height: 36 }}>
      <Tile x={x} y={y} width={width} height={36} class={used ? "sunk" : "rune-card"}>
        <Icon name="rune" x={x + 14} y={y + 18} size={20} class={used ? "none" : "sym-rune"} />
        <Lines
          x={x + 26}
          y={y + 15}
          width={width - 42}
          size={10.5}
          anchor="start"
          class={used ? "dim" : "strong"}
        >
          {name}
        </Lines>
        <Label x={x + width - 9} y={y + 22} size={13} class="number sym-glory">
          {lookup.number("rune", rune, "rune_points")}
        </Label>
      </Tile>
    </Thing>
  );
}

/** CM-3.8 The leaders, while they are chosen. */
export function Leaders({ view }: { view: PublicView }) {
  const { lookup } = useBoard();
  const all = [Leader.ASMUNDR, Leader.DAGRUN, Leader.GYLFIR, Leader.SVANHILDR, Leader.ULLR];
  return (
    <Panel name="leaders" title={words("boards-leaders")} width={360} height={all.length * 58 + 2}>
      {all.map((leader, index) => {
        const id = leaderId(leader);
        const owner = view.seats.findIndex((seat) => seat.leader === leader);
        const rule = lookup.component("leader", id)?.rules[0] ?? "";
        const y = 2 + index * 58;
        return (
          <Thing
            key={leader}
            spot={`leader:${id}`}
            label={lookup.name("leader", id)}
            area={{ x: 4, y, width: 352, height: 52 }}
          >
            <Tile x={4} y={y} width={352} height={52} class={owner < 0 ? "" : "sunk"}>
              <Icon name="helmet" x={26} y={y + 26} size={32} class="place" />
              <Label x={50} y={y + 17} anchor="start" size={13} class="strong">
                {lookup.name("leader", id)}
              </Label>
              <Lines x={50} y={y + 31} width={280} size={10.5} anchor="start" class="dim">
                {lookup.rule(rule)}
              </Lines>
              {owner >= 0 && <SeatMark seat={owner} x={338} y={y + 16} size={22} />}
            </Tile>
          </Thing>
        );
      })}
    </Panel>
  );
}
