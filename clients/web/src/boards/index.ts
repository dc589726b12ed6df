import type { GameBoard } from "./types";

export type { BoardProps, ComponentCard, Components, Fact, GameBoard, Spot } from "./types";

const BOARDS: Readonly<Record<string, () => Promise<{ board: GameBoard }>>> = {
  champions: () => import("./champions"),
  ice_garden: () => import("./ice_garden"),
  yggdrasil: () => import("./yggdrasil"),
};

/** Load the drawing of a game. */
export async function boardOf(game: string): Promise<GameBoard> {
  const load = BOARDS[game];
  if (!load) throw new Error(`there is no drawing of ${game}`);
  return (await load()).board;
}
