import type { PrivateView, PublicView, WarriorCounts } from "taflhall/gen/champions/v1/champions";
import {
  Destiny,
  Journey,
  Leader,
  Location,
  Post,
  Rune,
  Warrior,
} from "taflhall/gen/champions/v1/champions";
import type { View } from "taflhall/gen/v1/table";

import type { Lookup } from "../kit/lookup";
import { idOf } from "../kit/lookup";

/** Return the public part of a view of this game. */
export function publicOf(view: View): PublicView {
  const game = view.shared?.game;
  if (game?.case !== "champions") throw new Error("this is no view of Champions of Midgard");
  return game.value;
}

/** Return what only the viewer knows; undefined for spectators. */
export function privateOf(view: View): PrivateView | undefined {
  const game = view.own?.game;
  return game?.case === "champions" ? game.value : undefined;
}

export const locationId = (location: Location): string => idOf(Location, location);
export const postId = (post: Post): string => idOf(Post, post);
export const runeId = (rune: Rune): string => idOf(Rune, rune);
export const destinyId = (destiny: Destiny): string => idOf(Destiny, destiny);
export const journeyId = (journey: Journey): string => idOf(Journey, journey);
export const leaderId = (leader: Leader): string => idOf(Leader, leader);
export const warriorId = (warrior: Warrior): string => idOf(Warrior, warrior);

/** The stall spaces that are in play. */
export function stallsOf(view: PublicView): Location[] {
  return view.stalls.map((_, index) => Location.STALL_1 + index);
}

/** Return the seat whose worker stands on a space; undefined if none does. */
export function workerAt(view: PublicView, location: Location): number | undefined {
  const seat = view.workersAt[location - 1] ?? -1;
  return seat < 0 ? undefined : seat;
}

/** Return the post that a worker space reserves; none for others. */
export function postOf(location: Location): Post {
  if (location === Location.TROLL) return Post.TROLL;
  if (location === Location.DRAUGR_LEFT) return Post.DRAUGR_LEFT;
  return location === Location.DRAUGR_RIGHT ? Post.DRAUGR_RIGHT : Post.UNSPECIFIED;
}

/** Return the numbers of swordsmen, spearmen and axemen. */
export function types(counts: WarriorCounts | undefined): readonly [number, number, number] {
  return [counts?.swordsmen ?? 0, counts?.spearmen ?? 0, counts?.axemen ?? 0];
}

/** Return how many warriors of each type a seat has committed. */
export function committed(view: PublicView, seat: number): readonly number[] {
  const own = view.posts.filter((post) => post.seat === seat).map((post) => types(post.crew));
  return [0, 1, 2].map((type) => own.reduce((sum, crew) => sum + (crew[type] ?? 0), 0));
}

/** CM-3.8 Whether all leaders have been chosen. */
export function leadersAreChosen(view: PublicView): boolean {
  return view.seats.every(({ leader }) => leader !== Leader.UNSPECIFIED);
}

/** Return the enemy at a post: its kind, and its number among that kind. */
export function enemyAt(view: PublicView, post: Post): readonly [string, number] | undefined {
  const number =
    post === Post.TROLL
      ? (view.troll ?? -1)
      : post < Post.SHORE_1
        ? (view.draugr[post - Post.DRAUGR_LEFT] ?? -1)
        : (view.monsters[post - Post.SHORE_1] ?? -1);
  const kind = post === Post.TROLL ? "troll" : post < Post.SHORE_1 ? "draugr" : "monster";
  return number < 0 ? undefined : [kind, number];
}

/** Return the name of an enemy and what is printed on it. */
export function enemyText(lookup: Lookup, kind: string, number: number): string {
  return [lookup.name(kind, number), lookup.component(kind, number)?.text]
    .filter(Boolean)
    .join(": ");
}
