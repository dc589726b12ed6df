/** Yggdrasil: the order of the cards (YG-7.9e), an exchange (YG-7.5), and Sigel (YG-9.5). */
import { Card } from "taflhall/gen/yggdrasil/v1/yggdrasil";
import type { Command } from "taflhall/gen/v1/table";

import { commandOf, fieldsOf, kindOf } from "./candidates";
import type { CountsForm, Form, OrderForm, Situation } from "./forms";
import { nameOf } from "./forms";

const GAME = "yggdrasil";

export function yggdrasilForm(situation: Situation): Form | undefined {
  const { decision, chosen } = situation;
  const asked = decision.game.case === GAME ? decision.game.value.kind : undefined;
  if (asked?.case === "peekReorder") return cardOrder(asked.value.cards, situation);
  if (asked?.case === "sigelDistribute") return sigel(asked.value.left, situation);
  if (chosen && kindOf(chosen) === "niflheim") return exchange(chosen, situation);
  return undefined;
}

function cardOrder(cards: readonly Card[], { components }: Situation): OrderForm {
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

function cardName(card: Card, components: Situation["components"]): string {
  const number = card - 1;
  if (number >= 12) return nameOf(components, "ragnarok", number - 12);
  const enemy = nameOf(components, "enemy", number % 6);
  return number < 6 ? enemy : `${enemy} ‼`;
}

function sigel(left: number, { view, components }: Situation): CountsForm {
  const holdings = view.shared?.game.case === GAME ? view.shared.game.value.holdings : [];
  const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
  return {
    kind: "counts",
    rows: holdings.map(({ god }) => ({ group: "", label: nameOf(components, "god", god - 1) })),
    bounds: (row, counts) => [0, left - total(counts) + (counts[row] ?? 0)],
    complete: () => true,
    derived: () => [],
    commands(counts) {
      return counts.map((vikings) => commandOf(GAME, "distribute", { vikings }));
    },
  };
}

function exchange(chosen: Command, { decision, view, components, text }: Situation): CountsForm {
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
    commands: (counts) => [chosen, ...counts.map((count) => commandOf(GAME, "amount", { count }))],
  };
}
