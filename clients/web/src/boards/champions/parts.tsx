import { useBoard } from "../kit/board";
import { Count, Icon, Label, Tile } from "../kit/parts";
import { AMOUNTS, WARRIORS } from "./symbols";
import { warriorId } from "./state";

/** Amounts of goods and warriors side by side, such as what a card costs. */
export function Amounts(props: {
  amounts: Readonly<Record<string, number>>;
  x: number;
  y: number;
  size?: number;
}) {
  const { amounts, x, y, size = 14 } = props;
  return (
    <g>
      {Object.entries(amounts).map(([name, count], index) => (
        <Count
          key={name}
          name={AMOUNTS[name] ?? name}
          x={x + size / 2 + index * size * 1.75}
          y={y}
          count={count}
          size={size}
        />
      ))}
    </g>
  );
}

/** Warriors by type, as dice with a number. Types that are not there are left out. */
export function Crew(props: {
  crew: readonly number[];
  x: number;
  y: number;
  size?: number;
  all?: boolean;
}) {
  const { crew, x, y, size = 18, all } = props;
  const shown = [1, 2, 3].filter((warrior) => all || (crew[warrior - 1] ?? 0) > 0);
  return (
    <g>
      {shown.map((warrior, index) => {
        const at = x + index * (size + 15);
        const count = crew[warrior - 1] ?? 0;
        return (
          <g key={warrior} class={count === 0 ? "none" : undefined}>
            <rect
              class={`warrior-die warrior-die-${warriorId(warrior)}`}
              x={at}
              y={y - size / 2}
              width={size}
              height={size}
              rx={4}
            />
            <Icon
              name={WARRIORS[warrior] ?? ""}
              x={at + size / 2}
              y={y}
              size={size - 4}
              class={`on-die-${warriorId(warrior)}`}
            />
            <Label x={at + size + 2} y={y + 5} anchor="start" size={13} class="number">
              {count}
            </Label>
          </g>
        );
      })}
    </g>
  );
}

/** An enemy card: damage, defence, reward and banned warriors, in a frame of its colour. */
export function EnemyCard(props: {
  kind: string;
  number: number;
  x: number;
  y: number;
  width: number;
  bounty?: number;
}) {
  const { kind, number, x, y, width, bounty = 0 } = props;
  const { lookup } = useBoard();
  const value = (property: string): number => lookup.number(kind, number, property);
  const colour = lookup.component(kind, number)?.properties["color"] ?? "grey";
  const bans = lookup.list(kind, number, "bans");
  const coins = value("coins") + bounty;
  const second = x + width * 0.4;
  return (
    <Tile x={x} y={y} width={width} height={82} class={`enemy colour-${colour}`}>
      <rect class="colour-band" x={x} y={y} width={width} height={18} rx={5} />
      <Label x={x + width / 2} y={y + 13} size={11} class="strong on-band" width={width - 24}>
        {lookup.name(kind, number)}
      </Label>
      <ColourMark colour={colour} x={x + 9} y={y + 9} />
      <Icon
        name={kind === "troll" ? "troll" : kind === "draugr" ? "skull" : "dragon"}
        x={x + width - 22}
        y={y + 40}
        size={32}
        class="enemy-picture"
      />
      <Count name="burst" x={x + 13} y={y + 32} count={value("attack")} size={20} class="bad" />
      <Count name="shield" x={second} y={y + 32} count={value("defence")} size={20} />
      <Count name="crown" x={x + 13} y={y + 54} count={value("glory")} size={17} />
      {coins > 0 && <Count name="coin" x={second} y={y + 54} count={coins} size={16} />}
      {value("favour") > 0 && (
        <Count name="favour" x={x + 13} y={y + 72} count={value("favour")} size={15} />
      )}
      {bans.map((warrior, index) => (
        <g key={warrior}>
          <Icon
            name={AMOUNTS[warrior] ?? "sword"}
            x={second + 2 + index * 22}
            y={y + 70}
            size={14}
          />
          <Icon name="ban" x={second + 2 + index * 22} y={y + 70} size={21} class="ban" />
        </g>
      ))}
    </Tile>
  );
}

/** The colour of an enemy as a shape, so that it can be told without colours. */
export function ColourMark({ colour, x, y }: { colour: string; x: number; y: number }) {
  if (colour === "yellow") return <circle class="colour-mark" cx={x} cy={y} r={4} />;
  if (colour === "red") return <path class="colour-mark" d={`M${x} ${y - 5}l5 9h-10z`} />;
  if (colour === "blue") return <path class="colour-mark" d={`M${x - 4} ${y - 4}h8v8h-8z`} />;
  return null;
}
