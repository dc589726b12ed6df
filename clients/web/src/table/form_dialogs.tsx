/** Dialogs for answers that are chosen as a whole and sent as a list. */
import { Fragment } from "preact";
import { useState } from "preact/hooks";
import type { Command } from "taflhall/gen/v1/table";

import { Dialog } from "../parts/dialog";
import { text } from "../texts";
import type { CountsForm, Form, OrderForm } from "./model/forms";

interface FormProps<F extends Form> {
  form: F;
  title: string;
  onAnswer: (commands: Command[]) => void;
  onClose: () => void;
}

export function FormDialog(props: FormProps<Form>) {
  const { form, ...rest } = props;
  return form.kind === "order" ? <Order form={form} {...rest} /> : <Counts form={form} {...rest} />;
}

/** Cards in an order: move one by its arrows, or drag it. */
function Order({ form, title, onAnswer, onClose }: FormProps<OrderForm>) {
  const [order, setOrder] = useState(form.items.map((_, place) => place));
  const [dragged, setDragged] = useState<number>();
  const move = (from: number, to: number): void => {
    if (to < 0 || to >= order.length) return;
    const next = [...order];
    next.splice(to, 0, ...next.splice(from, 1));
    setOrder(next);
  };
  return (
    <Dialog title={title} onClose={onClose} class="form-dialog">
      <p class="hint">{text("table-order-hint")}</p>
      <ol class="order">
        {order.map((item, place) => (
          <li
            key={item}
            draggable
            data-dragged={place === dragged}
            onDragStart={() => setDragged(place)}
            onDragOver={(event) => {
              event.preventDefault();
              if (dragged === undefined || dragged === place) return;
              move(dragged, place);
              setDragged(place);
            }}
            onDragEnd={() => setDragged(undefined)}
          >
            <span>{form.items[item]}</span>
            <button
              type="button"
              aria-label={text("table-order-up", { what: form.items[item] ?? "" })}
              disabled={place === 0}
              onClick={() => move(place, place - 1)}
            >
              ↑
            </button>
            <button
              type="button"
              aria-label={text("table-order-down", { what: form.items[item] ?? "" })}
              disabled={place === order.length - 1}
              onClick={() => move(place, place + 1)}
            >
              ↓
            </button>
          </li>
        ))}
      </ol>
      <Buttons onAnswer={() => onAnswer(form.commands(order))} onClose={onClose} isComplete />
    </Dialog>
  );
}

/** How many of each, with what follows from it. */
function Counts({ form, title, onAnswer, onClose }: FormProps<CountsForm>) {
  const [counts, setCounts] = useState<readonly number[]>(form.rows.map(() => 0));
  const change = (row: number, to: number): void => {
    const [least, most] = form.bounds(row, counts);
    const count = Math.max(least, Math.min(most, to));
    setCounts(counts.map((old, index) => (index === row ? count : old)));
  };
  return (
    <Dialog title={title} onClose={onClose} class="form-dialog">
      <div class="counts">
        {form.rows.map(({ group, label }, row) => {
          const [least, most] = form.bounds(row, counts);
          const count = counts[row] ?? 0;
          return (
            <Fragment key={row}>
              {group && <h3>{group}</h3>}
              <div class="count" role="group" aria-label={label}>
                <span>{label}</span>
                <button
                  type="button"
                  aria-label={text("table-less", { what: label })}
                  disabled={count <= least}
                  onClick={() => change(row, count - 1)}
                >
                  −
                </button>
                <output>{count}</output>
                <button
                  type="button"
                  aria-label={text("table-more", { what: label })}
                  disabled={count >= most}
                  onClick={() => change(row, count + 1)}
                >
                  +
                </button>
              </div>
            </Fragment>
          );
        })}
      </div>
      <div role="status">
        <ul class="derived">
          {form.derived(counts).map(({ label, count }) => (
            <li key={label}>
              {label}: {count}
            </li>
          ))}
        </ul>
      </div>
      <Buttons
        onAnswer={() => onAnswer(form.commands(counts))}
        onClose={onClose}
        isComplete={form.complete(counts)}
      />
    </Dialog>
  );
}

function Buttons(props: { onAnswer: () => void; onClose: () => void; isComplete: boolean }) {
  return (
    <p class="buttons">
      <button type="button" class="primary" disabled={!props.isComplete} onClick={props.onAnswer}>
        {text("table-form-send")}
      </button>
      <button type="button" onClick={props.onClose}>
        {text("table-form-later")}
      </button>
    </p>
  );
}
