import type { Command, Decision, View } from "taflhall/gen/v1/table";
import type { Figure } from "taflhall/gen/ice_garden/v1/ice_garden";
import { Faction, Piece, Region, Target } from "taflhall/gen/ice_garden/v1/ice_garden";

import { idOf } from "../kit/lookup";
import { PASS } from "../kit/turn";
import type { Spot } from "../types";
import {
  abilityId,
  factionId,
  fieldId,
  figureId,
  kindId,
  playerAt,
  publicOf,
  regionId,
  unitId,
} from "./state";

const region = (one: Region): Spot => `region:${regionId(one)}`;
const figure = (one: Figure): Spot => `figure:${figureId(one)}`;
const influence = (faction: string, one: Region): Spot => `influence:${faction}:${regionId(one)}`;

/** Return the spots of a command, the most telling one first. */
export function spotsOf(command: Command, view: View, decision?: Decision): readonly Spot[] {
  if (command.game.case !== "iceGarden") return [];
  const { kind } = command.game.value;
  const table = publicOf(view);
  const asked = decision?.game.case === "iceGarden" ? decision.game.value.kind : undefined;
  const own = playerAt(table, decision?.seat ?? view.seat ?? 0);
  const faction = factionId(own?.faction ?? Faction.UNSPECIFIED);
  const here =
    (asked?.value && "region" in asked.value ? asked.value.region : 0) || table.resolving;
  const seat = (one: Faction): Spot =>
    `seat:${table.players.find((player) => player.faction === one)?.seat ?? "npc"}`;
  /** The spot of an own piece in a region; an influence marker of no known region lies anywhere. */
  const piece = (one: Piece, at: Region): Spot => {
    return one === Piece.INFLUENCE ? influence(faction, at) : `figure:${idOf(Piece, one)}`;
  };
  switch (kind.case) {
    case "done":
    case "forgo":
    case "keepSpy":
      return [PASS];
    case "layTile":
    case "raiseThorn":
    case "settle":
    case "catchUp":
    case "placeMarker":
    case "placeUnit":
      return [region(kind.value.region)];
    case "redistribute":
      return [region(kind.value.to), ...(here ? [influence(faction, here)] : [])];
    case "advance":
      return [`helm:${(own?.helm ?? 0) + kind.value.helms}`];
    case "layToken":
    case "plan":
      return [`field:${fieldId(kind.value.field)}`];
    case "takeGood":
    case "claim":
      return [`kind:${kindId(kind.value.kind)}`];
    case "trade":
      return [kind.value.gained, kind.value.kind, kind.value.otherKind].map(
        (one) => `kind:${kindId(one)}`,
      );
    case "discardVuko":
      return ["field:raven_shadow", seat(own?.faction ?? 0)];
    case "raiseReputation":
      return [`reputation:${Math.max(1, (own?.reputation ?? 1) - 2)}`, "field:raven_shadow"];
    case "movePiece":
      return [piece(kind.value.piece, kind.value.region), region(kind.value.to)];
    case "feed":
      return [region(kind.value.to), region(kind.value.region)];
    case "carry":
      return [piece(kind.value.piece, here), region(here)];
    case "cross":
      return [piece(kind.value.piece, kind.value.region), region(kind.value.region)];
    case "moveFactor":
      return [`level:${faction}:0`, "field:making"];
    case "shiftFactor":
      return [`level:${faction}:${kind.value.level}`, `level:${faction}:${kind.value.toLevel}`];
    case "buyUpgrade":
      return [...[1, 2, 3, 4].map((one) => `upgrade:${abilityId(one)}`), "field:making"];
    case "beginSummon":
      return [...(own?.units ?? []).map(({ unit }) => `unit:${unitId(unit)}`), "field:making"];
    case "upgrade":
      return [`unit:${unitId(kind.value.unit)}`, `upgrade:${abilityId(kind.value.ability)}`];
    case "summon":
      return [`unit:${unitId(kind.value.unit)}`];
    case "assignSpy":
      return [kind.value.ability, kind.value.otherAbility].map(
        (one) => `upgrade:${abilityId(one)}`,
      );
    case "run":
    case "flee":
      return [figure(kind.value.figure), region(kind.value.to)];
    case "attack":
      return ["field:activation"];
    case "hit":
      return [targeted(kind.value.target, kind.value.region), region(kind.value.region)];
    case "yieldUnit":
      return [figure(kind.value.figure)];
    case "invoke":
      return kind.value.used ? [region(here)] : [PASS];
    case "recruit":
    case "enchantMarker":
      return [influence(factionId(kind.value.faction), here), region(here)];
    case "pillageGood":
      return [seat(kind.value.faction), `kind:${kindId(kind.value.kind)}`];
    default:
      return [];
  }
}

/** The spot of what an attack hits. */
function targeted(target: Target, at: Region): Spot {
  const id = idOf(Target, target);
  if (target === Target.NEUTRAL) return `neutral:${regionId(at)}`;
  return id.endsWith("_influence") ? influence(id.replace("_influence", ""), at) : `figure:${id}`;
}
