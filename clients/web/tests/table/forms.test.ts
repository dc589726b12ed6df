import { create } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Card, Enemy } from "taflhall/gen/yggdrasil/v1/yggdrasil";
import { Location, Post, Warrior } from "taflhall/gen/champions/v1/champions";
import type { GameComponent } from "taflhall/gen/v1/catalog_service";
import { DecisionSchema, ViewSchema } from "taflhall/gen/v1/table";
import type { Command } from "taflhall/gen/v1/table";
import { describe, expect, test } from "vitest";

import { commandOf, commandsOf, fieldsOf, kindOf, meantBy } from "../../src/table/model/candidates";
import { formOf } from "../../src/table/model/form_of";
import type { CountsForm, Form, OrderForm, FormSource } from "../../src/table/model/forms";
import { rest } from "../../src/table/model/forms";

function component(kind: string, number: number, properties: Record<string, string> = {}): GameComponent {
  return { kind, number, id: kind, name: `${kind} ${number}`, properties } as GameComponent;
}

function form<F extends Form>(
  decision: MessageInitShape<typeof DecisionSchema>,
  view: MessageInitShape<typeof ViewSchema>,
  components: GameComponent[] = [],
  chosen?: Command,
): F {
  const source: FormSource = {
    decision: create(DecisionSchema, decision),
    view: create(ViewSchema, view),
    components,
    chosen,
    text: (id) => id,
  };
  const found = formOf(source);
  if (found === undefined) throw new Error("there is no form");
  return found as F;
}

const shortly = (commands: readonly Command[]) =>
  commands.map((command) => {
    const { $typeName: _, $unknown: __, ...fields } = fieldsOf(command) as Record<string, unknown>;
    return [kindOf(command), ...Object.values(fields)];
  });

describe("a whole answer in one form", () => {
  test("YG-7.9e the order of six cards ends where only equal ones are left", () => {
    const cards = [Card.LOKI, Card.HEL, Card.LOKI, Card.LOKI];
    const order = form<OrderForm>(
      { game: { case: "yggdrasil", value: { kind: { case: "peekReorder", value: { cards } } } } },
      {},
    );
    expect(shortly(order.commands([0, 1, 2, 3]))).toEqual([["putNext", Card.LOKI], ["putNext", Card.HEL]]);
    expect(shortly(order.commands([0, 2, 3, 1]))).toEqual([
      ["putNext", Card.LOKI],
      ["putNext", Card.LOKI],
      ["putNext", Card.LOKI],
    ]);
  });

  test("CM-6.2 warriors and food are sent post by post, and what has no choice is not asked", () => {
    const posts = [
      { seat: 0 },
      {},
      {},
      { seat: 0, location: Location.SHIP_SMALL },
    ];
    const assignment = form<CountsForm>(
      { seat: 0, game: { case: "champions", value: { kind: { case: "assignWarriors", value: {} } } } },
      {
        shared: {
          game: {
            case: "champions",
            value: {
              posts,
              troll: 0,
              monsters: [4],
              seats: [{ food: 2, owned: { swordsmen: 2, spearmen: 0, axemen: 3 } }],
            },
          },
        },
      },
      [
        { ...component("die", 0), id: "swordsman" },
        { ...component("die", 2), id: "axeman" },
        component("troll", 0, { bans: "spearman, axeman" }),
        component("public_longship", 0, { location: "ship_small", capacity: "4" }),
      ],
    );
    // the troll takes swordsmen only; the ship takes all, four in all
    expect(assignment.rows).toHaveLength(4);
    expect(assignment.bounds(0, [0, 0, 0, 0])).toEqual([0, 2]);
    expect(assignment.bounds(3, [0, 1, 2, 0])).toEqual([0, 1]);
    expect(shortly(assignment.commands([1, 1, 2, 1]))).toEqual([
      ["sendWarriors", Post.TROLL, Warrior.SWORDSMAN, 1],
      ["sendWarriors", Post.SHORE_1, Warrior.SWORDSMAN, 1],
      ["sendWarriors", Post.SHORE_1, Warrior.AXEMAN, 2],
      ["loadFood", Post.SHORE_1, 1],
    ]);
    // with all swordsmen at the troll none is left to be asked about
    expect(shortly(assignment.commands([2, 0, 3, 1]))[1]?.[2]).toBe(Warrior.AXEMAN);
  });

  test("CM-5.8 an exchange is one for one", () => {
    const visit = commandOf("champions", "visitMarket", {});
    const market = form<CountsForm>(
      { seat: 0 },
      { shared: { game: { case: "champions", value: { seats: [{ food: 1, wood: 0, coins: 3 }] } } } },
      [],
      visit,
    );
    expect(market.bounds(0, [0, 0])).toEqual([-1, 3]);
    expect(market.bounds(1, [2, 0])).toEqual([-0, 1]);
    expect(market.derived([2, 1])).toEqual([{ label: "table-good-coins", count: -3 }]);
    expect(market.complete([0, 0])).toBe(false);
    expect(market.commands([2, 1])).toHaveLength(3);
  });

  test("YG-7.5 the numbers of an exchange that have no choice are not asked", () => {
    const exchange = form<CountsForm>(
      { seat: 0 },
      {
        shared: {
          game: { case: "yggdrasil", value: { holdings: [{ vikings: 2, elves: 1 }, { vikings: 0, elves: 0 }] } },
        },
      },
      [],
      commandOf("yggdrasil", "niflheim", { partner: 1 }),
    );
    expect(shortly(exchange.commands([1, 0, 1, 0]))).toEqual([["niflheim", 1], ["amount", 1], ["amount", 1]]);
    expect(shortly(exchange.commands([0, 0, 1, 0]))).toEqual([["niflheim", 1], ["amount", 0]]);
  });

  test("YG-9.5 no god is asked for once all Vikings are given", () => {
    const sigel = form<CountsForm>(
      { game: { case: "yggdrasil", value: { kind: { case: "sigelDistribute", value: { left: 3 } } } } },
      { shared: { game: { case: "yggdrasil", value: { holdings: [{}, {}, {}] } } } },
    );
    expect(sigel.bounds(2, [1, 1, 0])).toEqual([0, 1]);
    expect(shortly(sigel.commands([1, 2, 0]))).toEqual([["distribute", 1], ["distribute", 2]]);
  });

  test("what was not asked is left out of what is sent on", () => {
    const put = (card: Card): Command => commandOf("yggdrasil", "putNext", { card });
    const next = create(DecisionSchema, { options: [{ command: put(Card.HEL) }] });
    expect(shortly(rest([put(Card.LOKI), put(Card.SURT), put(Card.HEL)], 1, next))).toEqual([["putNext", Card.HEL]]);
    expect(rest([put(Card.LOKI), put(Card.SURT)], 1, next)).toEqual([]);
  });
});

describe("the commands that could be meant by a thing", () => {
  const all = commandsOf("yggdrasil");

  test("are of every kind of the game", () => {
    const kinds = new Set(all.map(kindOf));
    expect(kinds.size).toBe(28);
    expect(kinds).toContain("vanirPushEnemy");
  });

  test("come one of a kind, those of kinds that are offered first", () => {
    const spotsOf = (command: Command): string[] =>
      ["asgard", "nidavellir", "chooseMann"].includes(kindOf(command)) ? [`enemy:${fieldsOf(command)["enemy"]}`] : [];
    const offered = [commandOf("yggdrasil", "nidavellir", { enemy: Enemy.HEL })];
    const alone = meantBy("world:alfheim", all, offered, () => ["world:alfheim"]);
    expect(alone.every((command) => Object.keys(fieldsOf(command)).every((name) => name.startsWith("$")))).toBe(true);
    const meant = meantBy(`enemy:${Enemy.LOKI}`, all, offered, spotsOf);
    expect(shortly(meant)).toEqual([
      ["nidavellir", Enemy.LOKI],
      ["asgard", Enemy.LOKI],
      ["chooseMann", Enemy.LOKI],
    ]);
  });
});
