import type { PublicView } from "taflhall/gen/champions/v1/champions";

import type { Lookup } from "../kit/lookup";
import { tally } from "../kit/tally";
import type { Fact, Spot } from "../types";
import { journeyId, runeId } from "./state";

/** CM-16.3 Return which cards are left in a deck, as everybody can count; nothing of others. */
export function cardsLeft(spot: Spot, view: PublicView, lookup: Lookup): Fact[] {
  const named = (kind: string, numbers: readonly number[]): Fact[] =>
    tally(numbers.map((number) => lookup.name(kind, number)));
  switch (spot) {
    case "rune:deck":
      return tally(view.runePool.map((rune) => lookup.name("rune", runeId(rune))));
    case "deck:troll":
      return named("troll", view.trollPool);
    case "deck:draugr":
      return named("draugr", view.draugrPool);
    case "deck:monster":
      return named("monster", view.monsterPool);
    case "deck:merchant":
      return view.merchantPool.map((merchant) => ({
        name: lookup.name("merchant_ship", merchant),
        value: lookup.component("merchant_ship", merchant)?.text ?? "",
      }));
    case "deck:journey": {
      const unseen = view.journeyPools.flatMap(({ journeys }) => journeys);
      return tally(unseen.map((journey) => lookup.name("journey", journeyId(journey))));
    }
    default:
      return [];
  }
}
