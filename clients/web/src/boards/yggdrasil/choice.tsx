import type { Decision } from "taflhall/gen/v1/table";
import type { Card } from "taflhall/gen/yggdrasil/v1/yggdrasil";

import { Panel, Thing } from "../kit/board";
import { Label } from "../kit/parts";
import { words } from "../kit/words";
import { DieFace, EnemyCard } from "./enemy_card";

/** The cards or dice that a decision offers, and the numbers of a battle. */
export function Choice({ decision }: { decision: Decision | undefined }) {
  const asked = decision?.game.case === "yggdrasil" ? decision.game.value.kind : undefined;
  switch (asked?.case) {
    case "odinChoice":
      return <Cards cards={[asked.value.firstCard, asked.value.secondCard]} />;
    case "peekReorder":
      return <Cards cards={asked.value.cards} />;
    case "peekFurther":
      return <Cards cards={asked.value.cards} placed={asked.value.placed} />;
    case "tyrChoice":
      return <Dice faces={[asked.value.firstFace, asked.value.secondFace]} />;
    default:
      return null;
  }
}

function Cards({ cards, placed = [] }: { cards: readonly Card[]; placed?: readonly Card[] }) {
  return (
    <Panel name="choice" title={words("boards-shown")} width={360} height={86}>
      {placed.map((card, index) => (
        <g key={`placed${index}`} class="gone">
          <EnemyCard card={card} x={6 + index * 58} y={14} />
        </g>
      ))}
      {cards.map((card, index) => (
        <Thing
          key={index}
          spot={`shown:${index}`}
          label={words("boards-shown-card", { place: index + 1 })}
          area={{ x: 3 + (placed.length + index) * 58, y: 10, width: 52, height: 70 }}
        >
          <EnemyCard card={card} x={6 + (placed.length + index) * 58} y={14} />
        </Thing>
      ))}
    </Panel>
  );
}

function Dice({ faces }: { faces: readonly number[] }) {
  return (
    <Panel name="choice" title={words("boards-rolled")} width={360} height={62}>
      {faces.map((face, index) => (
        <Thing
          key={index}
          spot={`shown:${index}`}
          label={words("boards-shown-die", { place: index + 1 })}
          area={{ x: 100 + index * 90, y: 4, width: 52, height: 52 }}
        >
          <DieFace face={face} x={106 + index * 90} y={10} />
        </Thing>
      ))}
      <Label x={171} y={36} size={12} class="dim" width={36}>
        {words("boards-or")}
      </Label>
    </Panel>
  );
}
