import type { PublicView } from "taflhall/gen/ice_garden/v1/ice_garden";

import { Panel, Thing, useBoard } from "../kit/board";
import { Count, Icon, Label, Lines, Tile } from "../kit/parts";
import { words } from "../kit/words";
import { abilityId, kindId, KINDS } from "./state";
import { ABILITIES } from "./symbols";

/** IG-15 The Vuko tiles above the four stages. */
export function VukoTiles({ view }: { view: PublicView }) {
  const { lookup } = useBoard();
  if (view.tiles.length === 0) return null;
  return (
    <Panel name="vuko" title={words("boards-vuko-tiles")} width={360} height={84}>
      {view.tiles.map((tile, index) => {
        const component = lookup.component("vuko_tile", tile.tile - 1);
        const name = component?.name ?? "";
        const x = 2 + index * 90;
        const side = words(tile.side === 1 ? "boards-side-arrow" : "boards-side-stage");
        const label = `${name}, ${side}${tile.active ? `, ${words("boards-active")}` : ""}`;
        return (
          <Thing
            key={index}
            spot={`vuko_tile:${component?.id ?? ""}`}
            label={label}
            area={{ x, y: 2, width: 86, height: 80 }}
          >
            <Tile x={x} y={2} width={86} height={80} class={tile.active ? "active" : "sunk"}>
              <Label x={x + 12} y={18} size={11} class="dim number">
                {index + 1}
              </Label>
              <Icon
                name={tile.side === 1 ? "speed" : "lock"}
                x={x + 72}
                y={15}
                size={13}
                class="dim"
              />
              <Icon name="vuko" x={x + 43} y={24} size={28} class={tile.active ? "bad" : "none"} />
              <Lines
                x={x + 43}
                y={54}
                width={82}
                size={10}
                lines={2}
                class={tile.active ? "strong" : "dim"}
              >
                {name}
              </Lines>
            </Tile>
          </Thing>
        );
      })}
    </Panel>
  );
}

/** IG-2.2 The common supply, and the upgrades with their prices. */
export function Supply({ view }: { view: PublicView }) {
  const { lookup } = useBoard();
  const supply = view.supply;
  if (!supply) return null;
  const kinds = [supply.population, supply.gold, supply.mFactor];
  const others = [
    { name: "vuko", count: supply.vukoTokens },
    { name: "nightmare_token", count: supply.nightmareTokens },
    { name: "lock", count: supply.lockTokens },
    { name: "tower", count: supply.redTowers },
  ];
  return (
    <Panel name="supply" title={words("boards-supply")} width={360} height={150}>
      {KINDS.map((kind, index) => {
        const id = kindId(kind);
        const x = 2 + index * 119;
        return (
          <Thing
            key={kind}
            spot={`kind:${id}`}
            label={words("boards-in-supply", {
              name: lookup.label("kind", kind),
              count: kinds[index] ?? 0,
            })}
            area={{ x, y: 2, width: 115, height: 36 }}
          >
            <Tile x={x} y={2} width={115} height={36}>
              <Icon name={id === "gold" ? "coin" : id} x={x + 18} y={20} size={24} />
              <Label x={x + 33} y={25} anchor="start" size={10.5} width={52}>
                {lookup.label("kind", kind)}
              </Label>
              <Label x={x + 108} y={26} anchor="end" size={16} class="number">
                {kinds[index] ?? 0}
              </Label>
            </Tile>
          </Thing>
        );
      })}
      {others.map(({ name, count }, index) => (
        <Count key={name} name={name} x={30 + index * 88} y={56} count={count} size={20} />
      ))}
      {ABILITIES.map((symbol, index) => {
        const id = abilityId(index + 1);
        const x = 2 + index * 90;
        const price = Object.entries(lookup.amounts("upgrade", id, "price"));
        return (
          <Thing
            key={symbol}
            spot={`upgrade:${id}`}
            label={words("boards-in-supply", {
              name: lookup.name("upgrade", id),
              count: supply.upgrades[index] ?? 0,
            })}
            area={{ x, y: 74, width: 86, height: 74 }}
          >
            <Tile x={x} y={74} width={86} height={74}>
              <Icon name={symbol} x={x + 22} y={94} size={26} />
              <Label x={x + 60} y={101} size={18} class="number">
                {supply.upgrades[index] ?? 0}
              </Label>
              <Label x={x + 43} y={121} size={10.5} width={80}>
                {lookup.name("upgrade", id)}
              </Label>
              {price.map(([kind, count], place) => (
                <Count
                  key={kind}
                  name={kind === "gold" ? "coin" : kind}
                  x={x + 20 + place * 36}
                  y={136}
                  count={count}
                  size={14}
                />
              ))}
            </Tile>
          </Thing>
        );
      })}
    </Panel>
  );
}
