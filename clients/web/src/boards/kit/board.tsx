import { createContext } from "preact";
import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";

import "../boards.css";
import type { BoardProps, Spot } from "../types";
import type { Lookup } from "./lookup";
import { lookupOf } from "./lookup";
import { Symbols } from "./symbols";
import type { SymbolPaths } from "./symbols";

interface Drawing {
  props: BoardProps;
  lookup: Lookup;
}

const Context = createContext<Drawing | undefined>(undefined);

/** Return what the board is drawn from. */
export function useBoard(): Drawing {
  const drawing = useContext(Context);
  if (!drawing) throw new Error("a part of a board is drawn outside of one");
  return drawing;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
};

/** The frame of a board: its panels side by side, and the arrow keys that lead from spot to spot. */
export function BoardFrame(props: {
  board: BoardProps;
  game: string;
  label: string;
  symbols: SymbolPaths;
  children: ComponentChildren;
}) {
  const drawing = { props: props.board, lookup: lookupOf(props.board.components) };
  return (
    <Context.Provider value={drawing}>
      <div
        class={`board board-${props.game}`}
        role="group"
        aria-label={props.label}
        tabindex={0}
        onKeyDown={(event) => {
          const step = STEPS[event.key];
          if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          event.stopPropagation();
          focusNext(event.currentTarget, step);
        }}
      >
        <Symbols own={props.symbols} />
        {props.children}
      </div>
    </Context.Provider>
  );
}

function focusNext(frame: Element, step: number): void {
  const spots = [...frame.querySelectorAll<SVGElement>("[data-spot] > .target")];
  const at = spots.findIndex((spot) => spot === document.activeElement);
  const next = at < 0 && step < 0 ? spots.length - 1 : at + step;
  spots[(next + spots.length) % spots.length]?.focus();
}

/** A part of a board with a title. Its name is that of its place in the style sheet. */
export function Panel(props: {
  title: string;
  width: number;
  height: number;
  name: string;
  children: ComponentChildren;
  note?: string;
}) {
  return (
    <section class={`panel panel-${props.name}`} aria-label={props.title}>
      <h2>
        {props.title}
        {props.note && <small>{props.note}</small>}
      </h2>
      <svg viewBox={`0 0 ${props.width} ${props.height}`} role="presentation" class="drawing">
        {props.children}
      </svg>
    </section>
  );
}

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
  /** The radius of its corners. */
  round?: number;
}

/**
 * A thing that can be pointed at. *area* is where it lies. One that is live is framed by dashes and
 * carries a dot; one that belongs to the option being looked at has a double frame.
 */
export function Thing(props: {
  spot: Spot;
  label: string;
  area: Area;
  children?: ComponentChildren;
}) {
  const { spot, label, area, children } = props;
  const { props: board } = useBoard();
  const live = board.live.has(spot);
  const chosen = board.chosen === spot;
  const state = [live && "live", chosen && "chosen", board.marked?.has(spot) && "marked"];
  const { round = 6, ...box } = area;
  return (
    <g
      class={["thing", ...state.filter(Boolean)].join(" ")}
      data-spot={spot}
      data-live={live || undefined}
      onClick={(event) => {
        event.stopPropagation();
        board.onSpot(spot);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        board.onSpot(spot);
      }}
      onPointerOver={(event) => {
        event.stopPropagation();
        board.onInspect(spot);
      }}
      onPointerOut={(event) => {
        event.stopPropagation();
        board.onInspect(undefined);
      }}
      onFocusIn={() => board.onInspect(spot)}
      onFocusOut={() => board.onInspect(undefined)}
    >
      <g aria-hidden="true">{children}</g>
      <g
        class="target"
        role={live ? "button" : "img"}
        aria-label={label}
        aria-pressed={live ? chosen : undefined}
        tabindex={live ? 0 : -1}
      >
        <rect class="hit" {...box} rx={round} />
        <rect class="frame" {...box} rx={round} />
        {live && <circle class="dot" cx={area.x + area.width - 3} cy={area.y + 3} r={4} />}
      </g>
    </g>
  );
}
