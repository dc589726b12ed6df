import type { PublicView } from "taflhall/gen/yggdrasil/v1/yggdrasil";
import { Card } from "taflhall/gen/yggdrasil/v1/yggdrasil";

import { Panel, Thing, useBoard } from "../kit/board";
import { idOf } from "../kit/lookup";
import { Icon, Label, Pile } from "../kit/parts";
import { words } from "../kit/words";
import { cardSymbol, DieFace, EnemyCard } from "./enemy_card";

const RAGNAROK = [Card.RAGNAROK_1, Card.RAGNAROK_2, Card.RAGNAROK_3, Card.RAGNAROK_4];

/** The decks: enemy cards to come and gone, Fenrir's card, the die. */
export function Decks({ view }: { view: PublicView }) {
  const last = view.discard.at(-1);
  const below = RAGNAROK.some((card) => view.composition[card - 1]) ? 172 : 140;
  const known = view.deck
    .map((card, index) => ({ card, index }))
    .filter(({ card }) => card !== Card.UNSPECIFIED);
  return (
    <Panel
      name="decks"
      title={words("boards-decks")}
      width={360}
      height={below + (known.length > 0 ? 72 : 0)}
    >
      <Thing
        spot="deck"
        label={words("boards-deck", { count: view.deck.length })}
        area={{ x: 4, y: 4, width: 60, height: 88 }}
      >
        <Pile x={10} y={14} count={view.deck.length} width={46} height={60} />
        <Label x={33} y={90} size={10.5} class="dim" width={60}>
          {words("boards-deck-name")}
        </Label>
      </Thing>
      <Thing
        spot="discard"
        label={words("boards-discard", { count: view.discard.length })}
        area={{ x: 76, y: 4, width: 60, height: 88 }}
      >
        {last === undefined ? (
          <rect class="empty" x={82} y={12} width={46} height={62} rx={4} />
        ) : (
          <EnemyCard card={last} x={82} y={12} />
        )}
        <Label x={106} y={90} size={10.5} class="dim" width={64}>
          {`${words("boards-discard-name")} ${view.discard.length}`}
        </Label>
      </Thing>
      <Thing
        spot="fenrir"
        label={words(view.fenrirCard ? "boards-angry" : "boards-calm", { level: view.fenrirLevel })}
        area={{ x: 148, y: 4, width: 84, height: 88 }}
      >
        {view.fenrirCard ? (
          <EnemyCard card={view.fenrirCard} x={167} y={12} />
        ) : (
          <Icon name="fenrir" x={190} y={42} size={40} class="none" />
        )}
        <Label x={190} y={90} size={10.5} class={view.fenrirCard ? "bad strong" : "dim"} width={84}>
          {words(view.fenrirCard ? "boards-fenrir-angry" : "boards-fenrir-calm", {
            level: view.fenrirLevel,
          })}
        </Label>
      </Thing>
      <Thing
        spot="die"
        label={words(view.dieBlocked ? "boards-no-die" : "boards-die")}
        area={{ x: 244, y: 4, width: 52, height: 88 }}
      >
        <DieFace face={view.die} x={250} y={20} />
        <Label x={270} y={90} size={10.5} class={view.dieBlocked ? "bad strong" : "dim"} width={52}>
          {words(view.dieBlocked ? "boards-die-blocked" : "boards-die-name")}
        </Label>
      </Thing>
      <Thing
        spot="daeg"
        label={words("boards-daeg", { turns: view.daeg })}
        area={{ x: 306, y: 4, width: 50, height: 88 }}
      >
        <Icon name="daeg" x={331} y={38} size={30} class={view.daeg > 0 ? "good" : "none"} />
        <Label x={331} y={68} size={14} class="number">
          {view.daeg}
        </Label>
        <Label x={331} y={90} size={10.5} class="dim" width={48}>
          {words("boards-daeg-name")}
        </Label>
      </Thing>
      <Remaining view={view} y={100} />
      {known.slice(0, 7).map(({ card, index }, place) => (
        <g key={index}>
          <Label x={24 + place * 50} y={below + 10} size={10} class="dim">
            {words("boards-nth", { place: index + 1 })}
          </Label>
          <EnemyCard card={card} x={4 + place * 50} y={below + 14} small />
        </g>
      ))}
    </Panel>
  );
}

/** How many cards of each enemy are still to come, as everybody can count. */
function Remaining({ view, y }: { view: PublicView; y: number }) {
  const { lookup } = useBoard();
  const gone = [...view.discard, view.fenrirCard];
  const left = view.composition.map(
    (count, index) => count - gone.filter((card) => card === index + 1).length,
  );
  return (
    <g>
      {[1, 2, 3, 4, 5, 6].map((enemy, index) => {
        const id = cardSymbol(enemy);
        const furious = left[enemy + 5] ?? 0;
        return (
          <Thing
            key={enemy}
            spot={`left:${id}`}
            label={words("boards-left", {
              name: lookup.name("enemy", id),
              count: (left[enemy - 1] ?? 0) + furious,
            })}
            area={{ x: 4 + index * 50, y, width: 48, height: 34 }}
          >
            <Icon name={id} x={18 + index * 50} y={y + 17} size={22} />
            <Label x={32 + index * 50} y={y + 22} anchor="start" size={13} class="number">
              {`${left[enemy - 1] ?? 0}${furious ? "!".repeat(furious) : ""}`}
            </Label>
          </Thing>
        );
      })}
      {RAGNAROK.filter((card) => view.composition[card - 1]).map((card, index) => (
        <g key={card} class={(left[card - 1] ?? 0) > 0 ? undefined : "gone"}>
          <EnemyRow card={card} x={10 + index * 88} y={y + 54} />
        </g>
      ))}
    </g>
  );
}

/** The enemies that a Ragnarok card moves. */
function EnemyRow({ card, x, y }: { card: Card; x: number; y: number }) {
  const { lookup } = useBoard();
  const enemies = lookup.list("ragnarok", idOf(Card, card), "enemies");
  return (
    <g>
      <Icon name="flame" x={x} y={y} size={13} />
      {enemies.map((enemy, index) => (
        <Icon key={enemy} name={enemy} x={x + 18 + index * 19} y={y} size={16} />
      ))}
    </g>
  );
}
