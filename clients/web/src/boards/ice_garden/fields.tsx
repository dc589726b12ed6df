import type { FieldView, PublicView } from "taflhall/gen/ice_garden/v1/ice_garden";

import { Panel, Thing, useBoard } from "../kit/board";
import { Count, Icon, Label, Lines, SeatMark, Tile } from "../kit/parts";
import { words } from "../kit/words";
import { abilityId, fieldId, kindId, KINDS, markOf } from "./state";
import { ABILITIES, FIELDS } from "./symbols";

const ROW = 42;

/** IG-2.6 The action fields with their order tokens and the action markers in their slots. */
export function Fields({ view }: { view: PublicView }) {
  return (
    <Panel name="fields" title={words("boards-fields")} width={360} height={8 * (ROW + 2) + 2}>
      {view.actionFields.map((field, index) => (
        <FieldRow key={field.field} view={view} field={field} y={2 + index * (ROW + 2)} />
      ))}
      {view.actionFields.length < 7 && <Automatic field="activation" y={2 + 6 * (ROW + 2)} number={6} />}
      {view.actionFields.length < 8 && <Automatic field="vuko" y={2 + 7 * (ROW + 2)} number={7} />}
    </Panel>
  );
}

function FieldRow({ view, field, y }: { view: PublicView; field: FieldView; y: number }) {
  const { lookup } = useBoard();
  const id = fieldId(field.field);
  const name = lookup.name("action_field", id);
  const unlimited = field.slots > 12;
  const slots = unlimited ? Math.max(field.markers.length, 1) : field.slots;
  const step = Math.min(25, 196 / Math.max(slots, 1));
  const label = words("boards-field", { name, token: field.token, markers: field.markers.length });
  return (
    <Thing spot={`field:${id}`} label={label} area={{ x: 2, y, width: 356, height: ROW }}>
      <Tile x={2} y={y} width={356} height={ROW}>
        <Icon name={FIELDS[id] ?? "star"} x={20} y={y + 21} size={24} class="field" />
        <Lines x={36} y={y + 17} width={78} size={10.5} anchor="start" class="strong">
          {name}
        </Lines>
        {field.token > 0 && (
          <g>
            <circle class="token" cx={134} cy={y + 21} r={11} />
            <Label x={134} y={y + 26} size={14} class="number on-back">
              {field.token}
            </Label>
          </g>
        )}
        {Array.from({ length: slots }, (_, index) => {
          const x = 161 + index * step;
          const owner = field.markers[index];
          return owner === undefined ? (
            <g key={index}>
              <circle class="slot" cx={x} cy={y + 21} r={Math.min(10, step / 2 - 1)} />
              <Label x={x} y={y + 25} size={10} class="dim">
                {unlimited ? "∞" : index + 1}
              </Label>
            </g>
          ) : (
            <SeatMark key={index} seat={markOf(view, owner)} x={x} y={y + 21} size={Math.min(22, step - 1)} />
          );
        })}
      </Tile>
    </Thing>
  );
}

/** A field that is carried out by itself, without markers. */
function Automatic({ field, y, number }: { field: string; y: number; number: number }) {
  const { lookup } = useBoard();
  return (
    <Thing spot={`field:${field}`} label={lookup.name("action_field", field)} area={{ x: 2, y, width: 356, height: ROW }}>
      <Tile x={2} y={y} width={356} height={ROW} class="sunk">
        <Icon name={FIELDS[field] ?? "star"} x={20} y={y + 21} size={24} class="field" />
        <Label x={36} y={y + 26} anchor="start" size={12} class="strong" width={220}>
          {lookup.name("action_field", field)}
        </Label>
        <Label x={346} y={y + 26} anchor="end" size={12} class="dim number">
          {number}
        </Label>
      </Tile>
    </Thing>
  );
}

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
          <Thing key={index} spot={`vuko_tile:${component?.id ?? ""}`} label={label} area={{ x, y: 2, width: 86, height: 80 }}>
            <Tile x={x} y={2} width={86} height={80} class={tile.active ? "active" : "sunk"}>
              <Label x={x + 12} y={18} size={11} class="dim number">
                {index + 1}
              </Label>
              <Icon name={tile.side === 1 ? "speed" : "lock"} x={x + 72} y={15} size={13} class="dim" />
              <Icon name="vuko" x={x + 43} y={24} size={28} class={tile.active ? "bad" : "none"} />
              <Lines x={x + 43} y={54} width={82} size={10} lines={2} class={tile.active ? "strong" : "dim"}>
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
          <Thing key={kind} spot={`kind:${id}`} label={words("boards-in-supply", { name: lookup.label("kind", kind), count: kinds[index] ?? 0 })} area={{ x, y: 2, width: 115, height: 36 }}>
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
          <Thing key={symbol} spot={`upgrade:${id}`} label={words("boards-in-supply", { name: lookup.name("upgrade", id), count: supply.upgrades[index] ?? 0 })} area={{ x, y: 74, width: 86, height: 74 }}>
            <Tile x={x} y={74} width={86} height={74}>
              <Icon name={symbol} x={x + 22} y={94} size={26} />
              <Label x={x + 60} y={101} size={18} class="number">
                {supply.upgrades[index] ?? 0}
              </Label>
              <Label x={x + 43} y={121} size={10.5} width={80}>
                {lookup.name("upgrade", id)}
              </Label>
              {price.map(([kind, count], place) => (
                <Count key={kind} name={kind === "gold" ? "coin" : kind} x={x + 20 + place * 36} y={136} count={count} size={14} />
              ))}
            </Tile>
          </Thing>
        );
      })}
    </Panel>
  );
}
