/**
 * Movement on the board: what has changed its place moves there, and what was acted upon lights up.
 *
 * Only `transform` and `opacity` are animated, so the browser needs no layout for a frame. Things are
 * found by their spots; who prefers less movement gets none.
 */

const MOVE_MS = 380;
const PULSE_MS = 700;
/** A shorter way is not shown. */
const LEAST_PX = 3;
/** No more things are moved at once. */
const MOST = 40;

export type Places = ReadonlyMap<string, DOMRect>;

/** Return where the things of a board are. */
export function placesOf(board: Element | null): Places {
  const found = new Map<string, DOMRect>();
  board?.querySelectorAll("[data-spot]").forEach((element) => {
    const spot = element.getAttribute("data-spot");
    if (spot !== null && !found.has(spot)) found.set(spot, element.getBoundingClientRect());
  });
  return found;
}

/** Let the things of a board move from where they were. */
export function moveFrom(before: Places, board: Element | null): void {
  const moved: { element: Element; dx: number; dy: number }[] = [];
  for (const [spot, now] of placesOf(board)) {
    const old = before.get(spot);
    if (old === undefined || old.width === 0) continue;
    const [dx, dy] = [old.x - now.x, old.y - now.y];
    const element = elementAt(board, spot);
    if (element && Math.hypot(dx, dy) > LEAST_PX) moved.push({ element, dx, dy });
  }
  if (moved.length > MOST) return; // the board itself has changed its place or size
  for (const { element, dx, dy } of moved) {
    const scale = scaleOf(element);
    element.animate([{ transform: `translate(${dx / scale}px, ${dy / scale}px)` }, { transform: "none" }], {
      duration: MOVE_MS,
      easing: "cubic-bezier(.2, .8, .3, 1)",
      composite: "add",
    });
  }
}

/** Let things light up for a moment. */
export function pulse(board: Element | null, spots: Iterable<string>): void {
  for (const spot of new Set(spots)) {
    const element = elementAt(board, spot);
    element?.animate([{ opacity: 1 }, { opacity: 0.35 }, { opacity: 1 }], { duration: PULSE_MS });
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
