import type { Game, SetupField } from "taflhall/gen/v1/catalog_service";
import { SetupField_Type } from "taflhall/gen/v1/catalog_service";

import { Check, Choice, NumberField, Several } from "../parts/fields";
import { RuleLink } from "../parts/notes";
import { text } from "../texts";
import type { Chosen, FieldValue } from "./setup";
import { defaultOf } from "./setup";

interface ControlProps {
  readonly game: string;
  readonly field: SetupField;
  readonly value: FieldValue | undefined;
  /** Set the field, or give it back to its default. */
  readonly onChange: (value: FieldValue | undefined) => void;
}

/** A control for every field of a game's setup, with its meaning. */
export function SetupForm(props: {
  game: Game;
  chosen: Chosen;
  onChange: (chosen: Chosen) => void;
}) {
  const { game, chosen, onChange } = props;
  const set = (name: string, value: FieldValue | undefined): void => {
    const { [name]: _, ...others } = chosen;
    onChange(value === undefined ? others : { ...others, [name]: value });
  };
  return (
    <div class="setup-form">
      {game.setupFields.map((field) => (
        <Control
          key={field.name}
          game={game.id}
          field={field}
          value={chosen[field.name]}
          onChange={(value) => set(field.name, value)}
        />
      ))}
    </div>
  );
}

/** Return the text of a field as the label of a control. */
export function fieldLabel(field: SetupField): string {
  return field.text.charAt(0).toLocaleUpperCase() + field.text.slice(1);
}

function Control(props: ControlProps) {
  if (props.field.repeated) return <ListControl {...props} />;
  if (props.field.type === SetupField_Type.BOOL) return <CheckControl {...props} />;
  if (props.field.type === SetupField_Type.NAME) return <NameControl {...props} />;
  return <NumberControl {...props} />;
}

function CheckControl({ game, field, value, onChange }: ControlProps) {
  const usual = defaultOf(field) === true;
  return (
    <Check
      label={fieldLabel(field)}
      hint={<RuleLink game={game} rule={field.rule} newTab />}
      value={typeof value === "boolean" ? value : usual}
      onInput={(given) => onChange(given === usual ? undefined : given)}
    />
  );
}

function NameControl({ game, field, value, onChange }: ControlProps) {
  const usual = defaultOf(field);
  const open = usual === undefined ? [{ value: 0, label: text("setup-drawn") }] : [];
  const values = field.values.map((one) => ({ value: one.number, label: one.text || one.name }));
  const shown = typeof value === "number" ? value : typeof usual === "number" ? usual : 0;
  return (
    <Choice
      label={fieldLabel(field)}
      hint={<RuleLink game={game} rule={field.rule} newTab />}
      values={[...open, ...values]}
      value={shown}
      onChange={(given) => onChange(given === 0 || given === usual ? undefined : given)}
    />
  );
}

/** A number; a small range, or one that may be left open, is a list. */
function NumberControl({ game, field, value, onChange }: ControlProps) {
  const usual = defaultOf(field);
  const label = fieldLabel(field);
  const hint = <RuleLink game={game} rule={field.rule} newTab />;
  if (field.max - field.min > 20) {
    const shown = typeof value === "number" ? value : typeof usual === "number" ? usual : field.min;
    return (
      <NumberField
        label={label}
        hint={hint}
        value={shown}
        min={field.min}
        max={field.max}
        onInput={onChange}
      />
    );
  }
  const open = usual === undefined ? [{ value: -1, label: text("setup-open") }] : [];
  const numbers = Array.from({ length: field.max - field.min + 1 }, (_, index) => {
    const number = field.min + index;
    return { value: number, label: String(number) };
  });
  const shown = typeof value === "number" ? value : typeof usual === "number" ? usual : -1;
  return (
    <Choice
      label={label}
      hint={hint}
      values={[...open, ...numbers]}
      value={shown}
      onChange={(given) => onChange(given === -1 || given === usual ? undefined : given)}
    />
  );
}

function ListControl({ game, field, value, onChange }: ControlProps) {
  const isNamed = field.type === SetupField_Type.NAME;
  const values = isNamed
    ? field.values.map((one) => ({ value: one.number, label: one.text || one.name }))
    : Array.from({ length: field.max - field.min + 1 }, (_, index) => ({
        value: field.min + index,
        label: String(field.min + index),
      }));
  return (
    <Several
      label={fieldLabel(field)}
      hint={
        <>
          {text("setup-order")} <RuleLink game={game} rule={field.rule} newTab />
        </>
      }
      values={values}
      chosen={Array.isArray(value) ? (value as readonly number[]) : []}
      onChange={(chosen) => onChange(chosen.length === 0 ? undefined : chosen)}
    />
  );
}
