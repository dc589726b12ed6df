import type { FieldView, PublicView } from "taflhall/gen/ice_garden/v1/ice_garden";

import { Panel, Thing, useBoard } from "../kit/board";
import { Icon, Label, Lines, SeatMark, Tile } from "../kit/parts";
import { words } from "../kit/words";
import { fieldId, markOf } from "./state";
import { FIELDS } from "./symbols";

const ROW = 42;

/** IG-2.6 The action fields with their order tokens and the action markers in their slots. */
export function Fields({ view }: { view: PublicView }) {
  return (
    <Panel name="fields" title={words("boards-fields")} width={360} height={8 * (ROW + 2) + 2}>
      {view.actionFields.map((field, index) => (
        <FieldRow key={field.field} view={view} field={field} y={2 + index * (ROW + 2)} />
      ))}
      {view.actionFields.length < 7 && (
        <Automatic field="activation" y={2 + 6 * (ROW + 2)} number={6} />
      )}
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
            <SeatMark
              key={index}
              seat={markOf(view, owner)}
              x={x}
              y={y + 21}
              size={Math.min(22, step - 1)}
            />
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
    <Thing
      spot={`field:${field}`}
      label={lookup.name("action_field", field)}
      area={{ x: 2, y, width: 356, height: ROW }}
    >
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
