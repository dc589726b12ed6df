import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** A field of a form: a label, a control and what it means. */
function Field(props: {
  label: string;
  hint: ComponentChildren;
  children: (ids: { id: string; "aria-describedby"?: string }) => ComponentChildren;
}) {
  const id = useId();
  const described = props.hint ? { "aria-describedby": `${id}-hint` } : {};
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.children({ id, ...described })}
      {props.hint && (
        <small id={`${id}-hint`} class="hint">
          {props.hint}
        </small>
      )}
    </div>
  );
}

/** A line of text. */
export function TextField(props: {
  label: string;
  value: string;
  onInput: (value: string) => void;
  hint?: ComponentChildren;
  /** Do not show what is entered. */
  isSecret?: boolean;
  maxLength?: number;
  required?: boolean;
}) {
  const { label, hint, onInput, isSecret = false, ...rest } = props;
  return (
    <Field label={label} hint={hint}>
      {(ids) => {
        const all = {
          ...ids,
          ...rest,
          autocomplete: "off",
          onInput: (event: InputEvent) => onInput((event.currentTarget as HTMLInputElement).value),
        } as const;
        return isSecret ? <input {...all} type="password" /> : <input {...all} type="text" />;
      }}
    </Field>
  );
}

/** A whole number in a range. */
export function NumberField(props: {
  label: string;
  value: number;
  min: number;
  max: number;
  onInput: (value: number) => void;
  hint?: ComponentChildren;
}) {
  const { label, hint, onInput, ...rest } = props;
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <input
          {...ids}
          {...rest}
          type="number"
          step={1}
          required
          onInput={({ currentTarget: { valueAsNumber } }) => {
            if (!Number.isNaN(valueAsNumber)) onInput(valueAsNumber);
          }}
        />
      )}
    </Field>
  );
}

/** Yes or no. */
export function Check(props: {
  label: string;
  value: boolean;
  onInput: (value: boolean) => void;
  hint?: ComponentChildren;
}) {
  const id = useId();
  return (
    <div class="field check">
      <input
        id={id}
        type="checkbox"
        checked={props.value}
        aria-describedby={props.hint ? `${id}-hint` : undefined}
        onInput={(event) => props.onInput(event.currentTarget.checked)}
      />
      <label for={id}>{props.label}</label>
      {props.hint && (
        <small id={`${id}-hint`} class="hint">
          {props.hint}
        </small>
      )}
    </div>
  );
}

/** One of a few values. */
export function Choice<T extends string | number>(props: {
  label: string;
  values: readonly { readonly value: T; readonly label: string }[];
  value: T;
  onChange: (value: T) => void;
  hint?: ComponentChildren;
}) {
  const { label, hint, values, value, onChange } = props;
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <select
          {...ids}
          onChange={({ currentTarget }) => {
            const chosen = values[currentTarget.selectedIndex];
            if (chosen !== undefined) onChange(chosen.value);
          }}
        >
          {values.map((one) => (
            <option key={one.value} value={one.value} selected={one.value === value}>
              {one.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Some of several values. */
export function Several<T extends string | number>(props: {
  label: string;
  values: readonly { readonly value: T; readonly label: string }[];
  chosen: readonly T[];
  onChange: (chosen: T[]) => void;
  hint?: ComponentChildren;
}) {
  const { label, hint, values, chosen, onChange } = props;
  return (
    <fieldset class="several">
      <legend>{label}</legend>
      <div class="several-values">
        {values.map(({ value, label: name }) => {
          const place = chosen.indexOf(value);
          const toggled =
            place < 0 ? [...chosen, value] : chosen.filter((other) => other !== value);
          return (
            <label key={value} class="chip">
              <input type="checkbox" checked={place >= 0} onChange={() => onChange(toggled)} />
              {place >= 0 ? `${place + 1}. ${name}` : name}
            </label>
          );
        })}
      </div>
      {hint && <small class="hint">{hint}</small>}
    </fieldset>
  );
}
