/** Yggdrasil: the order of the cards (YG-7.9e), an exchange (YG-7.5), and Sigel (YG-9.5). */
import { Card } from "taflhall/gen/yggdrasil/v1/yggdrasil";
import type { Command } from "taflhall/gen/v1/table";

import { commandOf, fieldsOf, kindOf } from "./candidates";
import type { CountsForm, Form, OrderForm, FormSource } from "./forms";
import { nameOf } from "./forms";

const GAME = "yggdrasil";

export function yggdrasilForm(source: FormSource): Form | undefined {
  const { decision, chosen } = source;
  const asked = decision.game.case === GAME ? decision.game.value.kind : undefined;
  if (asked?.case === "peekReorder") return cardOrder(asked.value.cards, source);
  if (asked?.case === "sigelDistribute") return sigel(asked.value.left, source);
  if (chosen && kindOf(chosen) === "niflheim") return exchange(chosen, source);
  return undefined;
}

function cardOrder(cards: readonly Card[], { components }: FormSource): OrderForm {
  const items = cards.map((card) => cardName(card, components));
  return {
    kind: "order",
    items,
    commands(order) {
      const ordered = order.map((place) => cards[place] ?? Card.UNSPECIFIED);
      let end = ordered.length - 1; // when only equal ones are left, the order is complete
      while (end > 0 && ordered[end] === ordered[end - 1]) end -= 1;
      return ordered.slice(0, end).map((card) => commandOf(GAME, "putNext", { card }));
    },
  };
}

function cardName(card: Card, components: FormSource["components"]): string {
  const number = card - 1;
  if (number >= 12) return nameOf(components, "ragnarok", number - 12);
  const enemy = nameOf(components, "enemy", number % 6);
  return number < 6 ? enemy : `${enemy} ‼`;
}

function sigel(left: number, { view, components }: FormSource): CountsForm {
  const holdings = view.shared?.game.case === GAME ? view.shared.game.value.holdings : [];
  return {
    kind: "counts",
    rows: holdings.map(({ god }) => ({ group: "", label: nameOf(components, "god", god - 1) })),
    bounds: (row, counts) => [0, left - total(counts) + (counts[row] ?? 0)],
    complete: () => true,
    derived: () => [],
    commands(counts) {
      const isAsked = (row: number): boolean => total(counts.slice(0, row)) < left;
      return counts
        .filter((_, row) => isAsked(row))
        .map((vikings) => commandOf(GAME, "distribute", { vikings }));
    },
  };
}

/** YG-3.5 A step with one answer is not asked: of none, or of one where something must change hands. */
function isAskedOf(row: number, counts: readonly number[], most: readonly number[]): boolean {
  const otherwise = total(counts.slice(0, row)) + total(most.slice(row + 1));
  return (most[row] ?? 0) > (otherwise === 0 ? 1 : 0);
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function exchange(chosen: Command, { decision, view, components, text }: FormSource): CountsForm {
  const holdings = view.shared?.game.case === GAME ? view.shared.game.value.holdings : [];
  const mine = holdings[decision.seat];
  const other = holdings[Number(fieldsOf(chosen)["partner"])];
  const most = [mine?.vikings ?? 0, other?.vikings ?? 0, mine?.elves ?? 0, other?.elves ?? 0];
  const partner = nameOf(components, "god", (other?.god ?? 1) - 1);
  return {
    kind: "counts",
    rows: ["give-vikings", "take-vikings", "give-elves", "take-elves"].map((what) => ({
      group: "",
      label: text(`table-exchange-${what}`, { partner }),
    })),
    bounds: (row) => [0, most[row] ?? 0],
    complete: (counts) => counts.some((count) => count > 0),
    derived: () => [],
    commands: (counts) => [
      chosen,
      ...counts
        .filter((_, row) => isAskedOf(row, counts, most))
        .map((count) => commandOf(GAME, "amount", { count })),
    ],
  };
}
