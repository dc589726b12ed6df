/**
 * Forms for answers that the rules ask for in steps: all of it is chosen in one dialog, and the steps
 * are sent as one list. A step that has no choice is not asked, so the list is matched with the
 * options: see {@link rest}.
 */
import { equals } from "@bufbuild/protobuf";

import { CommandSchema } from "taflhall/gen/v1/table";
import type { Command, Decision, View } from "taflhall/gen/v1/table";
import type { GameComponent } from "taflhall/gen/v1/catalog_service";

/** Put things into an order. */
export interface OrderForm {
  readonly kind: "order";
  readonly items: readonly string[];
  /** Return the commands for an order of the items, by their places. */
  commands(order: readonly number[]): Command[];
}

/** Say how many of each. */
export interface CountsForm {
  readonly kind: "counts";
  readonly rows: readonly CountRow[];
  /** Return the least and the most of a row, given the other counts. */
  bounds(row: number, counts: readonly number[]): readonly [least: number, most: number];
  /** Return whether the counts make an answer. */
  complete(counts: readonly number[]): boolean;
  /** Return what follows from the counts. */
  derived(counts: readonly number[]): readonly { readonly label: string; readonly count: number }[];
  commands(counts: readonly number[]): Command[];
}

export interface CountRow {
  /** The heading over this row and those after it; empty for the heading before. */
  readonly group: string;
  readonly label: string;
}

export type Form = OrderForm | CountsForm;

/** What a form is made from. */
export interface FormSource {
  readonly decision: Decision;
  /** The option that was chosen, where the answer begins with one. */
  readonly chosen: Command | undefined;
  readonly view: View;
  readonly components: readonly GameComponent[];
  /** Return a text of the page. */
  readonly text: (id: string, values?: Record<string, string | number>) => string;
}

/** Return the name of a component. */
export function nameOf(components: readonly GameComponent[], kind: string, number: number): string {
  return components.find((one) => one.kind === kind && one.number === number)?.name ?? "";
}

/**
 * Return what remains to be sent of *commands* after *applied* of them, at the decision *next*: those
 * whose steps were not asked are left out. Empty if the next one is not among the options.
 */
export function rest(commands: readonly Command[], applied: number, next: Decision): Command[] {
  const isOffered = (command: Command): boolean =>
    next.options.some((option) => option.command && equals(CommandSchema, option.command, command));
  const left = commands.slice(applied);
  const first = left.findIndex(isOffered);
  return first < 0 ? [] : left.slice(first);
}
