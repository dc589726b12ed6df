import type { PublicView } from "taflhall/gen/yggdrasil/v1/yggdrasil";
import { Enemy, God } from "taflhall/gen/yggdrasil/v1/yggdrasil";
import type { View } from "taflhall/gen/v1/table";

import { componentCard, ruleCard } from "../kit/card";
import type { Lookup } from "../kit/lookup";
import { idOf, lookupOf } from "../kit/lookup";
import { tally } from "../kit/tally";
import { PASS } from "../kit/turn";
import { words } from "../kit/words";
import type { ComponentCard, Components, Fact, Spot } from "../types";
import { publicOf, weaponAgainst } from "./state";

/** The spots that are no components: their captions and rules. */
const RULES: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  [PASS]: ["boards-pass", ["YG-6.6"]],
  deck: ["boards-deck-name", ["YG-4.1", "YG-11.4", "YG-13.7"]],
  discard: ["boards-discard-name", ["YG-4.8"]],
  fenrir: ["boards-fenrir", ["YG-5.6", "YG-5.7", "YG-6.5"]],
  die: ["boards-die-name", ["YG-1.6", "YG-8.5"]],
  daeg: ["boards-daeg-name", ["YG-9.6", "YG-3.3"]],
  "vanir:1": ["boards-vanir-1", ["YG-7.9c", "YG-7.9b"]],
  "vanir:2": ["boards-vanir-2", ["YG-7.9d", "YG-7.9b"]],
  "vanir:3": ["boards-vanir-3", ["YG-7.9e", "YG-7.9b"]],
  "vanir:4": ["boards-vanir-4", ["YG-7.9f", "YG-7.9b"]],
  "vanir:5": ["boards-vanir-5", ["YG-7.9g", "YG-7.9b"]],
  "giant:hidden": ["boards-giant-hidden", ["YG-7.8", "YG-8.1"]],
};

/** Return the card of a spot. */
export function card(spot: Spot, view: View, components: Components): ComponentCard | undefined {
  const lookup = lookupOf(components);
  const table = publicOf(view);
  const fixed = RULES[spot];
  if (fixed) {
    return ruleCard(lookup, words(fixed[0]), [...fixed[1]], {
      facts: pileFacts(spot, table, lookup),
    });
  }
  const [kind = "", id = ""] = spot.split(":");
  switch (kind) {
    case "enemy":
    case "left": {
      const enemy = [1, 2, 3, 4, 5, 6].find((one) => idOf(Enemy, one) === id) ?? 0;
      const facts = [
        { name: words("boards-space"), value: String(table.enemies[enemy - 1]) },
        { name: words("boards-strength"), value: String(table.strengths[enemy - 1]) },
      ];
      return componentCard(lookup, "enemy", id, { kind: words("boards-kind-enemy"), facts });
    }
    case "weapon": {
      const weapon = weaponAgainst(lookup, id);
      return (
        weapon &&
        componentCard(lookup, "artifact", weapon.id, { kind: words("boards-kind-artifact") })
      );
    }
    case "seat": {
      const held = table.holdings[Number(id)];
      const facts = [
        { name: words("boards-fact-vikings"), value: String(held?.vikings) },
        { name: words("boards-fact-elves"), value: String(held?.elves) },
      ];
      return componentCard(lookup, "god", idOf(God, held?.god ?? 0), {
        kind: words("boards-kind-god"),
        facts,
      });
    }
    case "shown":
      return undefined;
    default:
      return componentCard(lookup, kind, id, { kind: words(`boards-kind-${kind}`) });
  }
}

/** YG-13.1 What lies in the discard pile, and which cards of the deck have been seen. */
function pileFacts(spot: Spot, view: PublicView, lookup: Lookup): Fact[] {
  if (spot === "discard") return tally(view.discard.map((card) => lookup.label("card", card)));
  if (spot !== "deck") return [];
  return view.deck.flatMap((card, index) =>
    card
      ? [{ name: words("boards-nth", { place: index + 1 }), value: lookup.label("card", card) }]
      : [],
  );
}
