import type { ComponentChildren, JSX } from "preact";
import type { GetGameResponse } from "taflhall/gen/v1/catalog_service";
import type { Command, Decision, View } from "taflhall/gen/v1/table";

/**
 * A thing on a board that can be pointed at, such as "location:market": its kind, a colon, and
 * its id as the contract has it (an enum value in lower case without its prefix, a seat, a number
 * among the components). Parts of a thing follow behind further colons: "weapon:loki:2".
 */
export type Spot = string;

/** The components, rules and texts of a game, in the language of the page. */
export type Components = GetGameResponse;

/** What a board is drawn from. */
export interface BoardProps {
  /** What the viewer may know of the table. */
  view: View;
  components: Components;
  /** The players' names by seat. */
  names: readonly string[];
  /** The decision that waits for the viewer, if one does: it may show cards of its own. */
  decision?: Decision | undefined;
  /** The spots of the options that can be chosen now. */
  live: ReadonlySet<Spot>;
  /** The spots of the option that is being looked at. */
  marked?: ReadonlySet<Spot> | undefined;
  /** The spot that has been chosen and stands for several options. */
  chosen?: Spot | undefined;
  /** A spot was clicked, or chosen by the keyboard. */
  onSpot(spot: Spot): void;
  /** The pointer or the focus has reached a spot, or has left it. */
  onInspect(spot: Spot | undefined): void;
}

/** The drawing of a game. */
export interface GameBoard {
  /** Draw a view; all spots of it carry `data-spot`. */
  Board(props: BoardProps): JSX.Element;

  /**
   * Return the spots of a command that is offered, the most telling one first. At least one of
   * them is drawn with the view in which the decision waits.
   */
  spotsOf(command: Command, view: View, decision?: Decision): readonly Spot[];

  /** Return the card of a spot: what is printed there; undefined for what has no text. */
  card(spot: Spot, view: View, components: Components): ComponentCard | undefined;
}

/** What is printed on a thing, in the words of the game. */
export interface ComponentCard {
  title: string;
  /** What kind of thing it is, such as "Troll". */
  kind: string;
  /** A drawing of it. */
  picture?: ComponentChildren;
  /** Its values, such as `{ name: "Defence", value: "4" }`. */
  facts: readonly Fact[];
  /** What it does. */
  text: string;
  /** The numbers of its rules, such as "CM-5.8", the most important one first. */
  rules: readonly string[];
}

export interface Fact {
  name: string;
  value: string;
}
