import type { Command, Decision, View } from "taflhall/gen/v1/table";
import { Enemy } from "taflhall/gen/yggdrasil/v1/yggdrasil";

import { PASS } from "../kit/turn";
import type { Spot } from "../types";
import { enemyId, giantId, islandId, publicOf } from "./state";

/** Return the spots of a command, the most telling one first. */
export function spotsOf(command: Command, view: View, decision?: Decision): readonly Spot[] {
  if (command.game.case !== "yggdrasil") return [];
  const active = `seat:${publicOf(view).active}`;
  const enemy = (one: Enemy): Spot => `enemy:${enemyId(one)}`;
  const { kind } = command.game.value;
  switch (kind.case) {
    case "appease":
      return ["fenrir", "enemy:fenrir"];
    case "asgard":
      return [enemy(kind.value.enemy), "world:asgard"];
    case "midgard":
      return [`island:${islandId(kind.value.moveTo || publicOf(view).valkyries)}`, "world:midgard"];
    case "nidavellir":
      return [`weapon:${enemyId(kind.value.enemy)}`, "world:nidavellir"];
    case "alfheim":
      return ["world:alfheim"];
    case "niflheim":
      return [`seat:${kind.value.partner}`, "world:niflheim"];
    case "helheim":
      return [`island:${islandId(kind.value.island)}`, "world:helheim"];
    case "muspellheim":
      return [`island:${islandId(kind.value.island)}`, "world:muspellheim"];
    case "jotunheim":
      return [`giant:${giantId(kind.value.giant)}`, "world:jotunheim"];
    case "jotunheimHidden":
      return ["giant:hidden", "world:jotunheim"];
    case "vanirAdvance":
      return [`vanir:${publicOf(view).vanir + 1}`, "world:vanaheim"];
    case "vanirMoveValkyries":
      return [`island:${islandId(kind.value.moveTo)}`, "vanir:1", "world:vanaheim"];
    case "vanirTakeVikings":
      return ["vanir:2", "world:vanaheim"];
    case "vanirPeek":
      return ["vanir:3", "deck", "world:vanaheim"];
    case "vanirPushEnemy":
      return [enemy(kind.value.enemy), "vanir:4", "world:vanaheim"];
    case "vanirDiscardGiant":
      return [`giant:${giantId(kind.value.giant)}`, "vanir:5", "world:vanaheim"];
    case "endTurn":
      return [PASS];
    case "drawCards":
      return ["deck"];
    case "chooseCard":
    case "chooseDie":
      return [`shown:${kind.value.index}`];
    case "choosePulled":
    case "chooseMann":
    case "chooseTiwaz":
      return [enemy(kind.value.enemy)];
    case "distribute":
      return [`seat:${sharing(decision)}`];
    case "putNext":
      return shown(decision).flatMap((card, index) =>
        card === kind.value.card ? [`shown:${index}`] : [],
      );
    default:
      return [active]; // a number of the active god's Vikings or elves
  }
}

/** Return the seat that the next share of Sigel is for. */
function sharing(decision: Decision | undefined): number {
  const asked = decision?.game.case === "yggdrasil" ? decision.game.value.kind : undefined;
  return asked?.case === "sigelFurther" ? asked.value.given.length : 0;
}

/** Return the cards that a decision shows. */
function shown(decision: Decision | undefined): readonly number[] {
  const asked = decision?.game.case === "yggdrasil" ? decision.game.value.kind : undefined;
  return asked?.case === "peekReorder" || asked?.case === "peekFurther" ? asked.value.cards : [];
}
