import type { PublicView } from "taflhall/gen/yggdrasil/v1/yggdrasil";
import { Enemy, Giant, Island, World } from "taflhall/gen/yggdrasil/v1/yggdrasil";
import type { View } from "taflhall/gen/v1/table";
import type { GameComponent } from "taflhall/gen/v1/catalog_service";

import type { Lookup } from "../kit/lookup";
import { idOf } from "../kit/lookup";

export const ENEMIES = [
  Enemy.FENRIR,
  Enemy.HEL,
  Enemy.JORMUNGAND,
  Enemy.LOKI,
  Enemy.NIDHOGG,
  Enemy.SURT,
];
export const ISLANDS = [Island.RAINBOW, Island.WHITE, Island.BLUE, Island.GREEN, Island.BLACK];
export const WORLDS = Array.from({ length: 9 }, (_, index): World => index + 1);
export const GIANTS = Array.from({ length: 16 }, (_, index): Giant => index + 1);

/** Return the public part of a view of this game. */
export function publicOf(view: View): PublicView {
  const game = view.shared?.game;
  if (game?.case !== "yggdrasil") throw new Error("this is no view of Yggdrasil");
  return game.value;
}

export const enemyId = (enemy: Enemy): string => idOf(Enemy, enemy);
export const islandId = (island: Island): string => idOf(Island, island);
export const worldId = (world: World): string => idOf(World, world);
export const giantId = (giant: Giant): string => idOf(Giant, giant);

/** Return the space of an enemy, from 1 to 8. */
export function spaceOf(view: PublicView, enemy: Enemy): number {
  return view.enemies[enemy - 1] ?? 1;
}

/** Return the weapon against an enemy. */
export function weaponAgainst(lookup: Lookup, enemy: string): GameComponent | undefined {
  return ENEMIES.map((_, number) => lookup.component("artifact", number)).find(
    (weapon) => weapon?.properties["enemy"] === enemy,
  );
}
