import type { Command, Decision, View } from "taflhall/gen/v1/table";
import { Face, Location, Post } from "taflhall/gen/champions/v1/champions";

import { idOf } from "../kit/lookup";
import { PASS } from "../kit/turn";
import type { Spot } from "../types";
import {
  destinyId,
  leaderId,
  locationId,
  postId,
  postOf,
  publicOf,
  runeId,
  warriorId,
} from "./state";

/** Return the spots of a command, the most telling one first. */
export function spotsOf(command: Command, view: View, decision?: Decision): readonly Spot[] {
  if (command.game.case !== "champions") return [];
  const { kind } = command.game.value;
  const table = publicOf(view);
  const own = `seat:${decision?.seat ?? view.seat ?? 0}`;
  const place = (location: Location): Spot => `location:${locationId(location)}`;
  const post = (one: Post): Spot => `post:${postId(one)}`;
  const shore = (number: number): Spot => post(Post.SHORE_1 + number - 1);
  const here = table.post === Post.UNSPECIFIED ? [] : [post(table.post)];
  switch (kind.case) {
    case "takeLeader":
      return [`leader:${leaderId(kind.value.leader)}`];
    case "takeStock":
    case "visitStall":
    case "swapWarriors":
      return [place(kind.value.location)];
    case "visitLonghouse":
      return [place(Location.LONGHOUSE)];
    case "visitMerchantShip":
      return [place(Location.MERCHANT_SHIP)];
    case "visitMarket":
    case "exchangeGoods":
      return [place(Location.MARKET)];
    case "visitRunesmith":
      return [`rune:${runeId(kind.value.rune) || "deck"}`, place(Location.RUNESMITH)];
    case "visitSagesHut":
      return [shore(kind.value.shore), place(Location.SAGES_HUT)];
    case "visitShipwright":
      return [`ship:${kind.value.ship}`, place(Location.SHIPWRIGHT)];
    case "sail":
      return [shore(kind.value.shore), place(kind.value.location)];
    case "visitStaveChurch":
      return [place(Location.STAVE_CHURCH)];
    case "visitWorkerHuts":
      return [place(Location.WORKER_HUTS)];
    case "visitHuntingGrounds":
      return [place(Location.HUNTING_GROUNDS)];
    case "reserveFight":
      return [post(postOf(kind.value.location))];
    case "beg":
      return [place(Location.BEG)];
    case "sendWarriors":
    case "loadFood":
      return [post(kind.value.post)];
    case "pickDie":
      return [`die:${warriorId(kind.value.warrior)}:${idOf(Face, kind.value.face)}`];
    case "reroll":
      return ["reroll"];
    case "usePotential":
      return ["rune:potential"];
    case "useReaction":
      return ["rune:reaction"];
    case "useHealing":
      return ["rune:healing"];
    case "useTrueVision":
      return [kind.value.use ? "rune:true_vision" : PASS];
    case "useGloryRune":
      return [kind.value.use ? "rune:glory" : PASS];
    case "useJourneyRune":
      return [kind.value.use ? "rune:journey" : PASS];
    case "blame":
      return kind.value.target !== undefined
        ? [`seat:${kind.value.target}`]
        : [kind.value.discard ? own : PASS];
    case "keepCard":
    case "activateSuccess":
      return [`destiny:${destinyId(kind.value.destiny)}`];
    case "activateRune":
      return [`rune:${runeId(kind.value.rune)}`];
    case "activateGifts":
      return ["rune:gifts"];
    case "stand":
    case "finishRunes":
      return [PASS];
    default:
      return [...here, own]; // which warriors or food are kept or lost
  }
}
