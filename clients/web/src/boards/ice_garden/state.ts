import type {
  FigureView,
  PlayerView,
  PublicView,
  RegionView,
} from "taflhall/gen/ice_garden/v1/ice_garden";
import {
  Ability,
  Faction,
  Field,
  Figure,
  Kind,
  Region,
  Unit,
} from "taflhall/gen/ice_garden/v1/ice_garden";
import type { View } from "taflhall/gen/v1/table";

import { idOf } from "../kit/lookup";

export const FACTIONS = [Faction.FREIHOFF, Faction.VAN_DYKEN, Faction.CALLO, Faction.FJOLLSFINN];
export const KINDS = [Kind.POPULATION, Kind.GOLD, Kind.M_FACTOR];

/** Return the public part of a view of this game. */
export function publicOf(view: View): PublicView {
  const game = view.shared?.game;
  if (game?.case !== "iceGarden") throw new Error("this is no view of The Lord of the Ice Garden");
  return game.value;
}

export const factionId = (faction: Faction): string => idOf(Faction, faction);
export const regionId = (region: Region): string => idOf(Region, region);
export const figureId = (figure: Figure): string => idOf(Figure, figure);
export const unitId = (unit: Unit): string => idOf(Unit, unit);
export const fieldId = (field: Field): string => idOf(Field, field);
export const kindId = (kind: Kind): string => idOf(Kind, kind);
export const abilityId = (ability: Ability): string => idOf(Ability, ability);

/** Return the id of a figure's unit type: that of the figure without its number. */
export const unitOf = (figure: Figure): string => figureId(figure).replace(/_\d$/, "");

/** The mark of the player that the rules play. */
const NPC_MARK = 5;

/** Return the number of a faction's mark: its seat's. */
export function markOf(view: PublicView, faction: Faction): number {
  return view.players.find((player) => player.faction === faction)?.seat ?? NPC_MARK;
}

/** Return the player of a faction. */
export function playerOf(view: PublicView, faction: Faction): PlayerView | undefined {
  return view.players.find((player) => player.faction === faction);
}

/** Return the player at a seat. */
export function playerAt(view: PublicView, seat: number): PlayerView | undefined {
  return view.players.find((player) => player.seat === seat);
}

/** A figure with its faction. */
export interface OwnedFigure {
  faction: Faction;
  figure: FigureView;
}

/** Return the figures in a region. */
export function figuresIn(view: PublicView, region: Region): OwnedFigure[] {
  return view.players.flatMap(({ faction, figures }) =>
    figures.filter((figure) => figure.region === region).map((figure) => ({ faction, figure })),
  );
}

/** Whether a region has a tile, be it face down: without one it is not part of the match. */
export function hasTile({ tile }: RegionView): boolean {
  return tile !== 0;
}
