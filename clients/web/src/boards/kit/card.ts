import type { ComponentChildren } from "preact";

import type { ComponentCard, Fact } from "../types";
import type { Lookup } from "./lookup";

/** What a card says beyond its component. */
interface More {
  kind?: string;
  picture?: ComponentChildren;
  facts?: readonly Fact[];
  /** Further words, such as what lies there now. */
  text?: string;
}

/** Return the card of a component: its name, what is printed on it, and the texts of its rules. */
export function componentCard(
  lookup: Lookup,
  kind: string,
  key: string | number,
  more: More = {},
): ComponentCard | undefined {
  const component = lookup.component(kind, key);
  if (!component) return undefined;
  const said = component.rules.map((number) => lookup.rule(number));
  return {
    title: component.name,
    kind: more.kind ?? "",
    picture: more.picture,
    facts: more.facts ?? [],
    text: [component.text, ...said, more.text].filter(Boolean).join(" "),
    rules: component.rules,
  };
}

/** Return a card that is made of rules alone, for what is no component. */
export function ruleCard(
  lookup: Lookup,
  title: string,
  rules: string[],
  more: More = {},
): ComponentCard {
  const said = rules.map((number) => lookup.rule(number));
  return {
    title,
    kind: more.kind ?? "",
    picture: more.picture,
    facts: more.facts ?? [],
    text: [...said, more.text].filter(Boolean).join(" "),
    rules,
  };
}
