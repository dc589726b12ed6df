import type { GameComponent } from "taflhall/gen/v1/catalog_service";

import type { Components } from "../types";

/** A TypeScript enum as the contract's code has it. */
type Numbers = Readonly<Record<number | string, number | string>>;

/** Return the id of an enum value: its name in lower case, such as "market"; empty for none. */
export function idOf(values: Numbers, value: number): string {
  return value === 0 ? "" : String(values[value]).toLowerCase();
}

/** Finds components and names in what the catalogue says of a game. */
export class Lookup {
  readonly #components = new Map<string, GameComponent>();
  readonly #labels = new Map<string, string>();
  readonly #rules = new Map<string, string>();

  constructor(game: Components) {
    for (const component of game.components) {
      this.#components.set(`${component.kind}:${component.id}`, component);
      this.#components.set(`${component.kind}#${component.number}`, component);
    }
    for (const { vocabulary, value, name } of game.labels) {
      this.#labels.set(`${vocabulary}:${value}`, name);
    }
    for (const { number, text } of game.rules) this.#rules.set(number, text);
  }

  /** Return the component of *kind* with an id, or with a number from 0. */
  component(kind: string, key: string | number): GameComponent | undefined {
    return this.#components.get(typeof key === "number" ? `${kind}#${key}` : `${kind}:${key}`);
  }

  /** Return the name of a component, its id if it has none. */
  name(kind: string, key: string | number): string {
    return this.component(kind, key)?.name || String(key);
  }

  /** Return the name of an enum value. */
  label(vocabulary: string, value: number): string {
    return this.#labels.get(`${vocabulary}:${value}`) ?? "";
  }

  /** Return a property of a component as a number; 0 if it has none. */
  number(kind: string, key: string | number, property: string): number {
    return Number(this.component(kind, key)?.properties[property] ?? 0);
  }

  /** Return a property of a component that lists ids. */
  list(kind: string, key: string | number, property: string): string[] {
    const text = this.component(kind, key)?.properties[property];
    return text ? text.split(", ") : [];
  }

  /** Return a property of a component that counts things: `{ coins: 1 }`. */
  amounts(kind: string, key: string | number, property: string): Record<string, number> {
    const pairs = this.list(kind, key, property).map((pair) => pair.split("="));
    return Object.fromEntries(pairs.map(([name, count]) => [name, Number(count)]));
  }

  /** Return the text of a rule. */
  rule(number: string): string {
    return this.#rules.get(number) ?? "";
  }
}

const known = new WeakMap<Components, Lookup>();

/** Return the lookup of a game's components, made once. */
export function lookupOf(components: Components): Lookup {
  let found = known.get(components);
  if (!found) known.set(components, (found = new Lookup(components)));
  return found;
}
