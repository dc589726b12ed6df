import type { PlayerView } from "taflhall/gen/ice_garden/v1/ice_garden";
import type { View } from "taflhall/gen/v1/table";

import { componentCard, ruleCard } from "../kit/card";
import { lookupOf } from "../kit/lookup";
import { PASS } from "../kit/turn";
import { words } from "../kit/words";
import type { ComponentCard, Components, Fact, Spot } from "../types";
import { FACTIONS, factionId, playerOf, publicOf, regionId } from "./state";

/** The spots that are no components, by kind: their captions and rules. */
const RULES: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  [PASS]: ["boards-pass", ["IG-20", "IG-6.2"]],
  snow: ["boards-snow", ["IG-12.1", "IG-12.2", "IG-12.3"]],
  reputation: ["boards-reputation", ["IG-11.1", "IG-11.2", "IG-11.8", "IG-12.4"]],
  neutral: ["boards-neutral-marker", ["IG-9.2", "IG-9.16", "IG-7.16"]],
  influence: ["boards-influence-marker", ["IG-1.8", "IG-8.9", "IG-9.3"]],
  level: ["boards-m-factor", ["IG-2.9", "IG-6.19"]],
  kind: ["boards-supply", ["IG-2.2", "IG-1.13"]],
};

/** Return the card of a spot. */
export function card(spot: Spot, view: View, components: Components): ComponentCard | undefined {
  const lookup = lookupOf(components);
  const table = publicOf(view);
  const [kind = "", id = ""] = spot.split(":");
  const fixed = RULES[kind];
  if (fixed) return ruleCard(lookup, words(fixed[0]), [...fixed[1]]);
  switch (kind) {
    case "region": {
      const at = [1, 2, 3, 4, 5, 6, 7, 8].find((region) => regionId(region) === id) ?? 0;
      const state = table.regions[at - 1];
      const facts: Fact[] = FACTIONS.filter((faction) => playerOf(table, faction)).map(
        (faction) => ({
          name: lookup.name("faction", factionId(faction)),
          value: String(state?.influence[faction - 1] ?? 0),
        }),
      );
      if (state?.tile)
        facts.push({ name: words("boards-points"), value: state.points.join(" · ") });
      return componentCard(lookup, "region", id, { kind: words("boards-kind-region"), facts });
    }
    case "field":
      return componentCard(lookup, "action_field", id, { kind: words("boards-kind-field") });
    case "helm": {
      const made = componentCard(lookup, "helm", Number(id) - 1, {
        kind: words("boards-initiative"),
      });
      return made && { ...made, title: words("boards-helm-name", { helm: id }) };
    }
    case "figure":
      return componentCard(lookup, "unit", id.replace(/_\d$/, ""), {
        kind: words("boards-kind-unit"),
      });
    case "seat": {
      const player = table.players.find((one) => String(one.seat ?? "npc") === id);
      const more = { kind: words("boards-kind-faction"), facts: player ? holdings(player) : [] };
      return player && componentCard(lookup, "faction", factionId(player.faction), more);
    }
    default:
      return componentCard(lookup, kind, id, { kind: words(`boards-kind-${kind}`) });
  }
}

/** What a player holds, by name. */
function holdings(player: PlayerView): Fact[] {
  const held = {
    "boards-fact-points": player.vp,
    "boards-fact-population": player.population,
    "boards-fact-gold": player.gold,
    "boards-fact-influence": player.influenceSupply,
    "boards-fact-actions": player.actionMarkers,
    "boards-fact-vuko": player.vukoTokens,
    "boards-fact-viper": player.viper,
    "boards-fact-captured": player.captured,
    "boards-fact-helm": player.helm,
  };
  return Object.entries(held).map(([name, value]) => ({ name: words(name), value: String(value) }));
}
