import { Card } from "taflhall/gen/yggdrasil/v1/yggdrasil";

import { useBoard } from "../kit/board";
import { idOf } from "../kit/lookup";
import { Icon, Label, Tile } from "../kit/parts";

/** Return the symbol of a plain or furious card. */
export function cardSymbol(card: Card): string {
  return idOf(Card, card).replace("_furious", "");
}

/** An enemy card, face up. */
export function EnemyCard({
  card,
  x,
  y,
  small,
}: {
  card: Card;
  x: number;
  y: number;
  small?: boolean;
}) {
  const { lookup } = useBoard();
  const furious = card >= Card.FENRIR_FURIOUS && card <= Card.SURT_FURIOUS;
  const height = small ? 52 : 62;
  if (card >= Card.RAGNAROK_1) {
    const enemies = lookup.list("ragnarok", idOf(Card, card), "enemies");
    return (
      <Tile x={x} y={y} width={46} height={height} class="enemy-card furious">
        <Icon name="flame" x={x + 23} y={y + 12} size={16} />
        {enemies.map((enemy, index) => (
          <Icon
            key={enemy}
            name={enemy}
            x={x + 12 + (index % 2) * 22}
            y={y + 29 + Math.floor(index / 2) * 16}
            size={15}
          />
        ))}
      </Tile>
    );
  }
  return (
    <Tile
      x={x}
      y={y}
      width={46}
      height={height}
      class={furious ? "enemy-card furious" : "enemy-card"}
    >
      <Icon
        name={cardSymbol(card)}
        x={x + 23}
        y={y + height / 2 - 4}
        size={34}
        class={`world-mark enemy-${cardSymbol(card)}`}
      />
      <Label x={x + 23} y={y + height - 5} size={12} class={furious ? "bad number" : "dim number"}>
        {furious ? "+2" : "+1"}
      </Label>
    </Tile>
  );
}

/** The die: value and colour of a face, from 0 (YG-1.6). */
export function DieFace({ face, x, y }: { face: number | undefined; x: number; y: number }) {
  const { lookup } = useBoard();
  const shown = face === undefined ? undefined : lookup.component("die_face", face)?.properties;
  return (
    <g>
      <rect class={shown ? `die die-${shown["colour"]}` : "die none"} x={x} y={y} width={40} height={40} rx={8} />
      <Label
        x={x + 20}
        y={y + 28}
        size={22}
        class={shown ? `number die-text-${shown["colour"]}` : "number dim"}
      >
        {shown?.["value"] ?? "?"}
      </Label>
    </g>
  );
}
