/**
 * Movement on the board: what has changed its place moves there, and what was acted upon lights up.
 *
 * Only `transform` and `opacity` are animated, so the browser needs no layout for a frame, and all
 * places are read before the first thing is animated. Things are found by their spots; who prefers less
 * movement gets none.
 */

const MOVE_MS = 380;
const PULSE_MS = 700;
/** A shorter way is not shown. */
const LEAST_PX = 3;
/** No more things are moved at once. */
const MOST = 40;

/** Where a thing is drawn. */
interface Place {
  readonly element: Element;
  readonly rect: DOMRect;
}

export type Places = ReadonlyMap<string, Place>;

/** Return where the things of a board are. */
export function placesOf(board: Element | null): Places {
  const found = new Map<string, Place>();
  board?.querySelectorAll("[data-spot]").forEach((element) => {
    const spot = element.getAttribute("data-spot");
    if (spot !== null && !found.has(spot)) found.set(spot, { element, rect: element.getBoundingClientRect() });
  });
  return found;
}

/** Let the things of a board move from where they were, and those of some spots light up for a moment. */
export function animate(before: Places, board: Element | null, touched: Iterable<string>): void {
  const now = placesOf(board);
  const moved: { element: Element; dx: number; dy: number }[] = [];
  for (const [spot, { element, rect }] of now) {
    const old = before.get(spot)?.rect;
    if (old === undefined || old.width === 0) continue;
    const [dx, dy] = [old.x - rect.x, old.y - rect.y];
    if (Math.hypot(dx, dy) <= LEAST_PX) continue;
    const scale = scaleOf(element);
    moved.push({ element, dx: dx / scale, dy: dy / scale });
  }
  if (moved.length <= MOST) {
    // with more of them the board itself has changed its place or size
    for (const { element, dx, dy } of moved) {
      element.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], {
        duration: MOVE_MS,
        easing: "cubic-bezier(.2, .8, .3, 1)",
        composite: "add",
      });
    }
  }
  for (const spot of new Set(touched)) {
    now.get(spot)?.element.animate([{ opacity: 1 }, { opacity: 0.35 }, { opacity: 1 }], PULSE_MS);
  }
}

/** Return the element of a spot. */
export function elementAt(board: Element | null, spot: string): Element | null {
  return board?.querySelector(`[data-spot="${CSS.escape(spot)}"]`) ?? null;
}

/** Return how many pixels of the screen a unit of the drawing has. */
function scaleOf(element: Element): number {
  const parent = element.parentElement;
  return (parent instanceof SVGGraphicsElement && parent.getScreenCTM()?.a) || 1;
}
