import type { ComponentChildren } from "preact";

/** The drawing of a symbol, *size* units wide and high, with its middle at (x, y). */
export function Icon(props: { name: string; x: number; y: number; size: number; class?: string }) {
  const { name, x, y, size } = props;
  return (
    <use
      href={`#sym-${name}`}
      x={x - size / 2}
      y={y - size / 2}
      width={size}
      height={size}
      class={props.class ?? `sym-${name}`}
    />
  );
}

/** A line of text. It is made narrower if it is longer than *width*. */
export function Label(props: {
  x: number;
  y: number;
  children: string | number;
  class?: string;
  anchor?: "start" | "middle" | "end";
  width?: number;
  size?: number;
}) {
  const { x, y, children, anchor = "middle", width, size = 11 } = props;
  const shown = String(children);
  const bold = /strong|number/.test(props.class ?? "");
  const tight = width !== undefined && shown.length * size * (bold ? 0.65 : 0.57) > width;
  return (
    <text
      x={x}
      y={y}
      class={`label ${props.class ?? ""}`}
      text-anchor={anchor}
      font-size={size}
      {...(tight && { textLength: width, lengthAdjust: "spacingAndGlyphs" })}
    >
      {shown}
    </text>
  );
}

/** A text in several lines of at most *width* units, cut after *lines*. */
export function Lines(props: {
  x: number;
  y: number;
  width: number;
  children: string;
  lines?: number;
  size?: number;
  class?: string;
  anchor?: "start" | "middle";
}) {
  const { x, y, width, size = 11, anchor = "middle", lines = 2 } = props;
  const each = size * (/strong/.test(props.class ?? "") ? 0.6 : 0.53);
  return (
    <text x={x} y={y} class={`label ${props.class ?? ""}`} text-anchor={anchor} font-size={size}>
      {wrapped(props.children, Math.floor(width / each), lines).map((line, index) => (
        <tspan
          key={index}
          x={x}
          dy={index === 0 ? 0 : size * 1.15}
          {...(line.length * each > width && {
            textLength: width,
            lengthAdjust: "spacingAndGlyphs",
          })}
        >
          {line}
        </tspan>
      ))}
    </text>
  );
}

/** Break a text into lines of at most *length* characters; the last of *lines* ends in a dash if cut. */
export function wrapped(text: string, length: number, lines: number): string[] {
  const found: string[] = [];
  for (const word of text.split(" ")) {
    const last = found.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= length) {
      found[found.length - 1] = `${last} ${word}`;
    } else {
      found.push(word);
    }
  }
  if (found.length <= lines) return found;
  const kept = found.slice(0, lines);
  kept[lines - 1] = `${kept[lines - 1]} …`;
  return kept;
}

/** A symbol with a number beside it; pale if the number is 0. */
export function Count(props: {
  name: string;
  x: number;
  y: number;
  count: number | string;
  size?: number;
  class?: string;
}) {
  const { x, y, count, size = 16 } = props;
  return (
    <g class={count === 0 ? "none" : undefined}>
      <Icon
        name={props.name}
        x={x}
        y={y}
        size={size}
        {...(props.class && { class: props.class })}
      />
      <Label
        x={x + size * 0.62}
        y={y + size * 0.28}
        anchor="start"
        size={size * 0.8}
        class="number"
      >
        {count}
      </Label>
    </g>
  );
}

/** Return how wide a {@link Count} is drawn, with a little room behind it. */
export function countWidth(count: number | string, size: number): number {
  return size * (1.25 + 0.5 * String(count).length);
}

/** A pile of cards, face down, with its number of cards. */
export function Pile(props: {
  x: number;
  y: number;
  count: number;
  width?: number;
  height?: number;
}) {
  const { x, y, count, width = 40, height = 52 } = props;
  const layers = Math.min(3, count);
  return (
    <g class={count === 0 ? "pile none" : "pile"}>
      {count === 0 && <rect class="empty" x={x} y={y} width={width} height={height} rx={4} />}
      {Array.from({ length: layers }, (_, index) => (
        <rect
          key={index}
          class="back"
          x={x + (layers - 1 - index) * 2.5}
          y={y - (layers - 1 - index) * 2.5}
          width={width}
          height={height}
          rx={4}
        />
      ))}
      {count > 0 && (
        <path
          class="back-mark"
          d={`M${x + width / 2} ${y + 7}l${width / 2 - 8} ${height / 2 - 7}l${8 - width / 2} ${height / 2 - 7}l${8 - width / 2} ${7 - height / 2}z`}
        />
      )}
      <Label x={x + width / 2} y={y + height / 2 + 6} class="number on-back" size={16}>
        {count}
      </Label>
    </g>
  );
}

/** A card or a tile, face up. */
export function Tile(props: {
  x: number;
  y: number;
  width: number;
  height: number;
  class?: string;
  round?: number;
  children?: ComponentChildren;
}) {
  const { x, y, width, height, round = 6 } = props;
  return (
    <g class={`tile ${props.class ?? ""}`}>
      <rect class="tile-face" x={x} y={y} width={width} height={height} rx={round} />
      {props.children}
    </g>
  );
}

const OUTLINES = [
  "M10 1a9 9 0 1 1-.01 0z", // circle
  "M2.5 2.5h15v15h-15z", // square
  "M10 1l9.5 17h-19z", // triangle
  "M10 .5l9.5 9.5-9.5 9.5L.5 10z", // diamond
  "M10 .8l8.7 6.6-3.3 10.8H4.6L1.3 7.4z", // pentagon
  "M6.5 .5h7v6h6v7h-6v6h-7v-6h-6v-7h6z", // cross
];

/** The mark of a seat: a shape and a colour of its own, so that neither is needed to tell seats apart. */
export function SeatMark(props: {
  seat: number;
  x: number;
  y: number;
  size?: number;
  children?: string | number;
}) {
  const { seat, x, y, size = 18 } = props;
  const scale = size / 20;
  return (
    <g class={`seat-mark seat-${seat}`}>
      <path
        d={OUTLINES[seat % OUTLINES.length]}
        transform={`translate(${x - size / 2} ${y - size / 2}) scale(${scale})`}
      />
      {props.children !== undefined && (
        <Label
          x={x}
          y={y + size * (seat % OUTLINES.length === 2 ? 0.32 : 0.22)}
          size={size * 0.58}
          class="number on-seat"
        >
          {props.children}
        </Label>
      )}
    </g>
  );
}
