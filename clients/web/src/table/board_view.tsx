/** The board of a game, with movement, and the card of the thing that the pointer is over. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import type { BoardProps, GameBoard, Spot } from "../boards";
import { boardOf } from "../boards";
import { calm } from "../app/theme";
import type { Places } from "./animation";
import { NO_PLACES, animate, elementAt, placesOf } from "./animation";
import { Card } from "./thing";

const LONG_PRESS_MS = 500;

/** Return the drawing of a game once it is loaded. */
export function useBoard(game: string | undefined): GameBoard | undefined {
  const [board, setBoard] = useState<{ game: string; drawing: GameBoard }>();
  useEffect(() => {
    if (game === undefined) return;
    let isWanted = true;
    void boardOf(game).then((drawing) => isWanted && setBoard({ game, drawing }));
    return () => void (isWanted = false);
  }, [game]);
  return board?.game === game ? board?.drawing : undefined;
}

export function BoardView(
  props: Omit<BoardProps, "onInspect"> & {
    drawing: GameBoard;
    /** The revision that is drawn. */
    revision: number;
    /** What lights up with this revision. */
    touched: readonly Spot[];
  },
) {
  const { drawing, revision, touched, ...board } = props;
  const place = useRef<HTMLDivElement>(null);
  const before = useRef<Places>(NO_PLACES);
  const drawn = useRef(revision);
  const [inspected, setInspected] = useState<Spot>();
  const isTouched = useLongPress(place, setInspected);

  if (drawn.current !== revision && !calm.value) before.current = placesOf(place.current);
  useLayoutEffect(() => {
    if (drawn.current === revision) return;
    drawn.current = revision;
    if (calm.value) return;
    animate(before.current, place.current, touched);
  }, [revision]);

  const { view, components, names, decision, live, marked, chosen } = board;
  const onSpot = useRef(board.onSpot);
  onSpot.current = board.onSpot;
  const { Board } = drawing;
  const shown = useMemo(
    () => (
      <Board
        {...board}
        onSpot={(spot) => onSpot.current(spot)}
        onInspect={(spot) => isTouched.current || setInspected(spot)}
      />
    ), // the same object is not compared with what stands there
    [Board, view, components, names, decision, live, marked, chosen],
  );
  const card = inspected === undefined ? undefined : drawing.card(inspected, view, components);
  return (
    <div class="table-board" ref={place}>
      {shown}
      {card && inspected !== undefined && inspected !== chosen && (
        <div class="thing-popover" role="tooltip" style={besides(place.current, inspected)}>
          <Card card={card} withRules={false} />
        </div>
      )}
    </div>
  );
}

/**
 * A finger that rests on a thing shows its card, and chooses nothing. Return whether the board was
 * last pointed at by a finger, which does not hover.
 */
function useLongPress(
  place: { readonly current: HTMLElement | null },
  show: (spot: Spot | undefined) => void,
): { readonly current: boolean } {
  const isTouched = useRef(false);
  useEffect(() => {
    const board = place.current;
    if (board === null) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isShown = false;
    const listen = <K extends keyof HTMLElementEventMap>(
      kinds: readonly K[],
      heard: (event: HTMLElementEventMap[K]) => void,
    ): void => {
      const options = { capture: true, signal: stop.signal };
      for (const kind of kinds) board.addEventListener(kind, heard, options);
    };
    listen(["pointerover", "pointerdown"], (event) => {
      isTouched.current = event.pointerType !== "mouse";
    });
    listen(["pointerdown"], ({ target }) => {
      isShown = false;
      if (!isTouched.current) return;
      show(undefined);
      clearTimeout(timer);
      const spot = target instanceof Element && target.closest("[data-spot]")?.getAttribute("data-spot");
      if (!spot) return;
      timer = setTimeout(() => {
        isShown = true;
        show(spot);
      }, LONG_PRESS_MS);
    });
    listen(["pointermove", "pointerup", "pointercancel"], () => clearTimeout(timer));
    listen(["contextmenu"], (event) => isTouched.current && event.preventDefault());
    listen(["click"], (event) => {
      if (!isShown) return;
      isShown = false;
      event.stopPropagation();
      event.preventDefault();
    });
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, []);
  return isTouched;
}

const CARD_WIDTH = 300;
const GAP = 8;

/** Return a place beside a thing, within the window. */
function besides(board: Element | null, spot: Spot): Record<string, string> {
  const thing = elementAt(board, spot)?.getBoundingClientRect();
  if (thing === undefined) return {};
  const isRoomRight = thing.right + GAP + CARD_WIDTH < innerWidth;
  const left = isRoomRight ? thing.right + GAP : Math.max(GAP, thing.left - GAP - CARD_WIDTH);
  const isUpper = thing.top < innerHeight / 2;
  return {
    left: `${left}px`,
    ...(isUpper
      ? { top: `${Math.max(GAP, thing.top)}px` }
      : { bottom: `${Math.max(GAP, innerHeight - thing.bottom)}px` }),
  };
}
