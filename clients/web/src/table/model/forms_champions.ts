/** Champions of Midgard: sending warriors and food (CM-6.2), and an exchange at the market (CM-5.8). */
import { Good, Location, Post, Warrior } from "taflhall/gen/champions/v1/champions";
import type { PublicView } from "taflhall/gen/champions/v1/champions";
import type { Command } from "taflhall/gen/v1/table";

import { commandOf, kindOf } from "./candidates";
import type { CountsForm, Form, FormSource } from "./forms";
import { nameOf } from "./forms";

const GAME = "champions";
const WARRIORS = [Warrior.SWORDSMAN, Warrior.SPEARMAN, Warrior.AXEMAN] as const;
const FOOD = WARRIORS.length;

export function championsForm(source: FormSource): Form | undefined {
  const { decision, chosen, view } = source;
  const shared = view.shared?.game.case === GAME ? view.shared.game.value : undefined;
  if (shared === undefined) return undefined;
  const asked = decision.game.case === GAME ? decision.game.value.kind.case : undefined;
  if (asked === "assignWarriors") return assignment(shared, source);
  if (chosen && kindOf(chosen) === "visitMarket") return market(chosen, shared, source);
  return undefined;
}

/** A place to which something may be sent: a column of a post. */
interface Slot {
  readonly post: Post;
  /** 0 to 2 for warriors, 3 for food. */
  readonly column: number;
  /** What the longship carries; unlimited at a fight. */
  readonly capacity: number;
}

function assignment(shared: PublicView, { decision, components, text }: FormSource): CountsForm {
  const seat = shared.seats[decision.seat];
  const owned = [seat?.owned?.swordsmen ?? 0, seat?.owned?.spearmen ?? 0, seat?.owned?.axemen ?? 0];
  const left = [...owned, seat?.food ?? 0];
  const posts = shared.posts.flatMap(({ seat: holder, location }, index) =>
    holder === decision.seat ? [{ post: (index + 1) as Post, location }] : [],
  );
  const slots = posts.flatMap(({ post, location }): Slot[] => {
    const sails = location !== Location.UNSPECIFIED;
    const capacity = sails ? capacityOf(location, seat?.ship, components) : Infinity;
    const columns = sails ? [0, 1, 2, FOOD] : [0, 1, 2].filter((c) => admits(shared, post, c, components));
    return columns.filter((c) => (left[c] ?? 0) > 0).map((column) => ({ post, column, capacity }));
  });
  const names = WARRIORS.map((warrior) => nameOf(components, "die", warrior - 1));
  const rows = slots.map(({ post, column }, index) => ({
    group: slots[index - 1]?.post === post ? "" : postName(shared, post, components, text),
    label: column === FOOD ? text("table-good-food") : (names[column] ?? ""),
  }));
  const sum = (counts: readonly number[], isMeant: (slot: Slot) => boolean): number =>
    slots.reduce((total, slot, index) => total + (isMeant(slot) ? (counts[index] ?? 0) : 0), 0);
  const free = (index: number, counts: readonly number[]): number => {
    const slot = slots[index];
    if (slot === undefined) return 0;
    const unsent = (left[slot.column] ?? 0) - sum(counts, ({ column }) => column === slot.column);
    return Math.min(unsent, slot.capacity - sum(counts, ({ post }) => post === slot.post));
  };
  return {
    kind: "counts",
    rows,
    bounds: (row, counts) => [0, free(row, counts) + (counts[row] ?? 0)],
    complete: () => true,
    derived: (counts) =>
      left.flatMap((most, column) => {
        const label = column === FOOD ? text("table-good-food") : (names[column] ?? "");
        const count = most - sum(counts, (slot) => slot.column === column);
        return most > 0 ? [{ label: text("table-left-over", { what: label }), count }] : [];
      }),
    commands(counts) {
      const found: Command[] = [];
      const sofar = counts.map(() => 0);
      slots.forEach(({ post, column }, index) => {
        const isAsked = free(index, sofar) > 0;
        const count = counts[index] ?? 0;
        sofar[index] = count;
        if (!isAsked) return;
        found.push(
          column === FOOD
            ? commandOf(GAME, "loadFood", { post, count })
            : commandOf(GAME, "sendWarriors", { post, warrior: column + 1, count }),
        );
      });
      return found;
    },
  };
}

function market(chosen: Command, shared: PublicView, { decision, text }: FormSource): CountsForm {
  const seat = shared.seats[decision.seat];
  const [food, wood, coins] = [seat?.food ?? 0, seat?.wood ?? 0, seat?.coins ?? 0];
  return {
    kind: "counts",
    rows: [
      { group: "", label: text("table-good-food") },
      { group: "", label: text("table-good-wood") },
    ],
    bounds: (row, [f = 0, w = 0]) => (row === 0 ? [-food, coins - w] : [-wood, coins - f]),
    complete: ([f = 0, w = 0]) => f !== 0 || w !== 0,
    derived: ([f = 0, w = 0]) => [{ label: text("table-good-coins"), count: 0 - f - w }],
    commands([f = 0, w = 0]) {
      const exchanged = (good: Good, amount: number): Command =>
        commandOf(GAME, "exchangeGoods", { good, amount });
      // CM-4.3 a step with one answer is not asked; to exchange nothing is none
      const foods = food + wood + coins + (wood + coins === 0 ? 0 : 1);
      const woods = wood + coins - f + (f === 0 ? 0 : 1);
      return [
        chosen,
        ...(foods > 1 ? [exchanged(Good.FOOD, f)] : []),
        ...(woods > 1 ? [exchanged(Good.WOOD, w)] : []),
      ];
    },
  };
}

function enemyOf(shared: PublicView, post: Post): readonly [kind: string, number: number] {
  if (post === Post.TROLL) return ["troll", shared.troll ?? -1];
  if (post <= Post.DRAUGR_RIGHT) return ["draugr", shared.draugr[post - Post.DRAUGR_LEFT] ?? -1];
  return ["monster", shared.monsters[post - Post.SHORE_1] ?? -1];
}

function admits(
  shared: PublicView,
  post: Post,
  column: number,
  components: FormSource["components"],
): boolean {
  const [kind, number] = enemyOf(shared, post);
  const enemy = components.find((one) => one.kind === kind && one.number === number);
  const type = components.find((one) => one.kind === "die" && one.number === column)?.id ?? "";
  return !(enemy?.properties["bans"] ?? "").split(", ").includes(type);
}

function postName(
  shared: PublicView,
  post: Post,
  components: FormSource["components"],
  text: FormSource["text"],
): string {
  const [kind, number] = enemyOf(shared, post);
  const enemy = nameOf(components, kind, number);
  if (post < Post.SHORE_1) return enemy;
  return text("table-shore", { number: post - Post.SHORE_1 + 1, enemy });
}

function capacityOf(
  location: Location,
  ship: number | undefined,
  components: FormSource["components"],
): number {
  const found =
    location === Location.SHIP_PRIVATE
      ? components.find(({ kind, number }) => kind === "private_longship" && number === ship)
      : components.find(({ kind, properties }) => {
          const wanted = location === Location.SHIP_SMALL ? "ship_small" : "ship_large";
          return kind === "public_longship" && properties["location"] === wanted;
        });
  return Number(found?.properties["capacity"] ?? 0);
}
