import type { PublicView, Score } from "taflhall/gen/champions/v1/champions";

import { Panel, Thing, useBoard } from "../kit/board";
import { Label, Pile, SeatMark } from "../kit/parts";
import { words } from "../kit/words";

const ROUNDS = 8;

/** The decks with the numbers of their cards. */
export function Decks({ view }: { view: PublicView }) {
  const decks = [
    { kind: "troll", count: view.trollPool.length },
    { kind: "draugr", count: view.draugrPool.length },
    { kind: "monster", count: view.monsterPool.length },
    { kind: "journey", count: view.journeyDeckSize },
    { kind: "destiny", count: view.destinyDeckSize },
    { kind: "merchant", count: view.merchantPool.length },
  ];
  return (
    <Panel name="decks" title={words("boards-decks")} width={360} height={84}>
      {decks.map(({ kind, count }, index) => {
        const name = words(`boards-deck-${kind}`);
        const x = 2 + index * 60;
        return (
          <Thing
            key={kind}
            spot={`deck:${kind}`}
            label={words("boards-cards", { name, count })}
            area={{ x, y: 2, width: 56, height: 80 }}
          >
            <Pile x={x + 9} y={12} count={count} width={36} height={46} />
            <Label x={x + 28} y={76} size={10} class="dim" width={54}>
              {name}
            </Label>
          </Thing>
        );
      })}
    </Panel>
  );
}

/** CM-4.1 The eight rounds, with the present one. */
export function Rounds({ round }: { round: number }) {
  return (
    <g>
      {Array.from({ length: ROUNDS }, (_, index) => (
        <g key={index} class={index + 1 < round ? "gone" : undefined}>
          <circle
            class={index + 1 === round ? "round now" : "round"}
            cx={26 + index * 44}
            cy={16}
            r={14}
          />
          <Label
            x={26 + index * 44}
            y={21}
            size={13}
            class={index + 1 === round ? "number on-back" : "number"}
          >
            {index + 1}
          </Label>
        </g>
      ))}
    </g>
  );
}

const PARTS = [
  ["glory", "CM-4.1"],
  ["destiniesScore", "CM-12.2"],
  ["sets", "CM-12.3"],
  ["runesScore", "CM-12.4"],
  ["longship", "CM-12.5"],
  ["favour", "CM-12.6"],
  ["coins", "CM-12.7"],
  ["blame", "CM-12.8"],
  ["total", "CM-12.9"],
] as const satisfies readonly (readonly [keyof Score, string])[];

/** CM-12 The final scores, part by part. */
export function Scores({ view }: { view: PublicView }) {
  const { props } = useBoard();
  if (view.scores.length === 0) return null;
  const step = 220 / view.scores.length;
  return (
    <Panel name="scores" title={words("boards-scores")} width={360} height={PARTS.length * 22 + 34}>
      {view.scores.map((_, seat) => (
        <g key={seat}>
          <SeatMark seat={seat} x={140 + step * (seat + 0.5)} y={14} size={20} />
          <title>{props.names[seat]}</title>
        </g>
      ))}
      {PARTS.map(([part, rule], row) => (
        <g key={part}>
          <Label
            x={4}
            y={46 + row * 22}
            anchor="start"
            size={12}
            class={part === "total" ? "strong" : ""}
          >
            {words(`boards-score-${part}`)}
          </Label>
          <title>{rule}</title>
          {view.scores.map((score, seat) => (
            <Label
              key={seat}
              x={140 + step * (seat + 0.5)}
              y={46 + row * 22}
              size={13}
              class={part === "total" ? "number" : ""}
            >
              {score[part]}
            </Label>
          ))}
        </g>
      ))}
    </Panel>
  );
}
