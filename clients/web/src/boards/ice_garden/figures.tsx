import type { Faction, FigureView, PublicView } from "taflhall/gen/ice_garden/v1/ice_garden";

import { Thing, useBoard } from "../kit/board";
import { Icon } from "../kit/parts";
import { words } from "../kit/words";
import { figureId, markOf, unitOf } from "./state";
import { UNITS } from "./symbols";

/** Return the symbol of a unit type. */
export function unitSymbol(unit: string): string {
  return UNITS[unit] ?? unit;
}

/** A figure: the symbol of its unit in its owner's colour, with its level as dots, and its damage. */
export function FigureChip(props: {
  view: PublicView;
  faction: Faction;
  figure: FigureView;
  x: number;
  y: number;
  size: number;
}) {
  const { view, faction, figure, x, y, size } = props;
  const { lookup } = useBoard();
  const unit = unitOf(figure.figure);
  const level = lookup.number("unit", unit, "level");
  const label = [
    lookup.label("figure", figure.figure) || lookup.name("unit", unit),
    figure.damage > 0 && words("boards-damaged", { count: figure.damage }),
    figure.defeated && words("boards-fallen"),
    figure.steps > 0 && words("boards-steps", { count: figure.steps }),
  ];
  return (
    <Thing
      spot={`figure:${figureId(figure.figure)}`}
      label={label.filter(Boolean).join(", ")}
      area={{ x, y, width: size, height: size, round: 4 }}
    >
      <g class={figure.defeated ? "gone" : undefined}>
        <rect
          class={`chip seat-${markOf(view, faction)}`}
          x={x}
          y={y}
          width={size}
          height={size}
          rx={size / 5}
        />
        <Icon
          name={unitSymbol(unit)}
          x={x + size / 2}
          y={y + size / 2 - size * 0.06}
          size={size * 0.74}
          class="on-chip"
        />
        {Array.from({ length: level }, (_, index) => (
          <circle
            key={index}
            class="on-chip"
            cx={x + size / 2 + (index - (level - 1) / 2) * size * 0.2}
            cy={y + size * 0.9}
            r={size * 0.06}
          />
        ))}
      </g>
      {figure.damage > 0 && (
        <g class="damage">
          <circle cx={x + size - 3} cy={y + size - 3} r={size * 0.24} />
          <text
            x={x + size - 3}
            y={y + size - 3 + size * 0.13}
            font-size={size * 0.38}
            text-anchor="middle"
          >
            {figure.damage}
          </text>
        </g>
      )}
      {figure.defeated && (
        <Icon name="cross" x={x + size / 2} y={y + size / 2} size={size * 0.8} class="bad" />
      )}
    </Thing>
  );
}
