import type { View } from "taflhall/gen/v1/table";
import type { SeatView } from "taflhall/gen/champions/v1/champions";
import { Location, Post } from "taflhall/gen/champions/v1/champions";

import { componentCard, ruleCard } from "../kit/card";
import { lookupOf } from "../kit/lookup";
import { PASS } from "../kit/turn";
import { words } from "../kit/words";
import type { ComponentCard, Components, Fact, Spot } from "../types";
import { cardsLeft } from "./piles";
import { enemyAt, journeyId, leaderId, locationId, postId, privateOf, publicOf } from "./state";

/** The spots that are no components: their captions and rules. */
const RULES: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  [PASS]: ["boards-pass", ["CM-8.3", "CM-14.1"]],
  reroll: ["boards-reroll", ["CM-8.3"]],
  "rune:deck": ["boards-rune-deck-name", ["CM-5.9", "CM-14.1"]],
  "deck:troll": ["boards-deck-troll", ["CM-4.2.1", "CM-15.4"]],
  "deck:draugr": ["boards-deck-draugr", ["CM-4.2.2", "CM-15.4"]],
  "deck:monster": ["boards-deck-monster", ["CM-4.2.4", "CM-15.4"]],
  "deck:journey": ["boards-deck-journey", ["CM-2.5", "CM-15.5"]],
  "deck:destiny": ["boards-deck-destiny", ["CM-5.10", "CM-15.6"]],
  "deck:merchant": ["boards-deck-merchant", ["CM-4.2.5", "CM-15.4"]],
};

/** Return the card of a spot. */
export function card(spot: Spot, view: View, components: Components): ComponentCard | undefined {
  const lookup = lookupOf(components);
  const table = publicOf(view);
  const fixed = RULES[spot];
  if (fixed) {
    return ruleCard(lookup, words(fixed[0]), [...fixed[1]], {
      facts: cardsLeft(spot, table, lookup),
    });
  }
  const [kind = "", id = ""] = spot.split(":");
  switch (kind) {
    case "location":
      return locationCard(id, view, components);
    case "post": {
      const post = [1, 2, 3, 4, 5, 6, 7].find((one) => postId(one) === id) ?? Post.UNSPECIFIED;
      const enemy = enemyAt(table, post);
      const more = { kind: lookup.label("post", post), text: journeyText(post, view, components) };
      const rules = post >= Post.SHORE_1 ? ["CM-9.1", "CM-9.2", "CM-9.5"] : ["CM-5.18", "CM-8.1"];
      return enemy
        ? componentCard(lookup, ...enemy, more)
        : ruleCard(lookup, more.kind, rules, more);
    }
    case "seat": {
      const clan = table.seats[Number(id)];
      const leader = clan?.leader;
      if (!leader) return ruleCard(lookup, words("boards-no-leader"), ["CM-3.8"]);
      return componentCard(lookup, "leader", leaderId(leader), {
        kind: words("boards-kind-leader"),
        facts: holdings(clan),
      });
    }
    case "ship":
      return componentCard(lookup, "private_longship", Number(id), {
        kind: words("boards-kind-ship"),
      });
    case "die":
      return componentCard(lookup, "die", id, { kind: words("boards-kind-die") });
    default:
      return componentCard(lookup, kind, id, { kind: words(`boards-kind-${kind}`) });
  }
}

/** The card of a worker space: of a stall its tile, of the Merchant Ship what it brings now. */
function locationCard(id: string, view: View, components: Components): ComponentCard | undefined {
  const lookup = lookupOf(components);
  const table = publicOf(view);
  const kind = words("boards-kind-location");
  const stalls = [Location.STALL_1, Location.STALL_2, Location.STALL_3, Location.STALL_4].map(
    locationId,
  );
  const tile = table.stalls[stalls.indexOf(id)];
  if (tile !== undefined)
    return componentCard(lookup, "market_stall", tile, { kind: words("boards-kind-stall") });
  const more = { kind, text: "" };
  if (id === locationId(Location.MERCHANT_SHIP) && table.merchant !== undefined) {
    more.text = lookup.component("merchant_ship", table.merchant)?.text ?? "";
  }
  const ship = { ship_small: "public_small", ship_large: "public_large" }[id];
  if (ship) more.text = lookup.component("public_longship", ship)?.text ?? "";
  return componentCard(lookup, "location", id, more);
}

/** What the journey of a shore does, as far as the viewer knows it. */
function journeyText(post: Post, view: View, components: Components): string {
  if (post < Post.SHORE_1) return "";
  const shore = post - Post.SHORE_1;
  const seen = privateOf(view)?.known[shore] ?? 0;
  const journey = publicOf(view).journeySpaces[shore]?.journey || seen;
  const found = journey
    ? componentCard(lookupOf(components), "journey", journeyId(journey))
    : undefined;
  return found ? `${found.title}: ${found.text}` : "";
}

/** What a clan holds, by name. */
function holdings(clan: SeatView): Fact[] {
  const held = {
    "boards-fact-glory": clan.glory,
    "boards-fact-food": clan.food,
    "boards-fact-wood": clan.wood,
    "boards-fact-coins": clan.coins,
    "boards-fact-favour": clan.favour,
    "boards-fact-blame": clan.blame,
    "boards-fact-destinies": clan.destinyCount,
    "boards-fact-workers": clan.workers,
  };
  return Object.entries(held).map(([name, value]) => ({ name: words(name), value: String(value) }));
}
