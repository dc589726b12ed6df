/**
 * Movement on the board: what has changed its place moves there, and what was acted upon lights up.
 *
 * A panel that has moved moves as a whole; a thing moves if it lies elsewhere in its panel, or in another
 * one. Only `transform` and `opacity` are animated, and nothing is added to what an element has of them:
 * so the browser's compositor moves all without layout or paint for a frame. All places are read before
 * the first movement begins. Things are found by their spots, panels by their titles; who prefers less
 * movement gets none.
 */

const TIMING = { duration: 380, easing: "cubic-bezier(.2, .8, .3, 1)" };
const PULSE_MS = 700;
/** A shorter way is not shown. */
const LEAST_PX = 3;
/** With more things to move, the board itself has changed its size, and none is. */
const MOST = 40;

interface Place {
  readonly element: Element;
  readonly x: number;
  readonly y: number;
  /** The title of the panel in which a thing lies. */
  readonly panel?: string;
}

/** Where the panels and the things of a board are drawn. */
export interface Places {
  readonly panels: ReadonlyMap<string, Place>;
  readonly things: ReadonlyMap<string, Place>;
}

interface Way {
  readonly dx: number;
  readonly dy: number;
}

const NO_WAY: Way = { dx: 0, dy: 0 };
export const NO_PLACES: Places = { panels: new Map(), things: new Map() };

/** The movements that have begun and may not have ended. */
const moving = new Set<Animation>();

/** Return where all of a board is drawn. */
export function placesOf(board: Element | null): Places {
  const panels = new Map<string, Place>();
  const things = new Map<string, Place>();
  board?.querySelectorAll(".panel").forEach((section) => {
    let panel = section.getAttribute("aria-label") ?? "";
    while (panels.has(panel)) panel += "'"; // of two players with one name
    panels.set(panel, placeOf(section));
    section.querySelectorAll("[data-spot]").forEach((thing) => {
      const spot = thing.getAttribute("data-spot");
      if (spot !== null && !things.has(spot)) things.set(spot, { ...placeOf(thing, ":scope > .target > .hit"), panel });
    });
  });
  return { panels, things };
}

/** Let all of a board move from where it was, and the things of some spots light up for a moment. */
export function animate(before: Places, board: Element | null, touched: Iterable<string>): void {
  for (const movement of moving) movement.cancel(); // so that all is read where it will come to rest
  moving.clear();
  const now = placesOf(board);
  const shifts = new Map([...now.panels].map(([panel, at]) => [panel, wayTo(at, before.panels.get(panel))]));
  const moves = [...now.panels].map(([panel, { element }]) => ({ element, way: shifts.get(panel) ?? NO_WAY }));
  const moved = [...now.things].flatMap(([spot, at]) => {
    const old = before.things.get(spot);
    if (old === undefined) return [];
    const way = difference(wayTo(at, old), shifts.get(at.panel ?? "") ?? NO_WAY);
    return isSeen(way) ? [{ element: at.element, way: inUnits(way, at.element) }] : [];
  });
  if (moved.length <= MOST) moves.push(...moved);
  for (const { element, way } of moves.filter(({ way }) => isSeen(way))) {
    const from = { transform: `translate(${way.dx}px, ${way.dy}px)` };
    moving.add(element.animate([from, { transform: "none" }], TIMING));
  }
  for (const spot of new Set(touched)) {
    now.things.get(spot)?.element.animate([{ opacity: 1 }, { opacity: 0.35 }, { opacity: 1 }], PULSE_MS);
  }
}

/** Return the element of a spot. */
export function elementAt(board: Element | null, spot: string): Element | null {
  return board?.querySelector(`[data-spot="${CSS.escape(spot)}"]`) ?? null;
}

/** Return where an element is drawn, or the part of it that keeps its size. */
function placeOf(element: Element, part = ""): Place {
  const { x, y } = ((part && element.querySelector(part)) || element).getBoundingClientRect();
  return { element, x, y };
}

/** Return the way that leads back from a place to the one before. */
function wayTo(now: Place, before: Place | undefined): Way {
  return before === undefined ? NO_WAY : { dx: before.x - now.x, dy: before.y - now.y };
}

function difference(one: Way, other: Way): Way {
  return { dx: one.dx - other.dx, dy: one.dy - other.dy };
}

function isSeen({ dx, dy }: Way): boolean {
  return Math.hypot(dx, dy) > LEAST_PX;
}

/** Return a way on the screen in the units of the drawing in which an element lies. */
function inUnits({ dx, dy }: Way, element: Element): Way {
  const parent = element.parentElement;
  const scale = (parent instanceof SVGGraphicsElement && parent.getScreenCTM()?.a) || 1;
  return { dx: dx / scale, dy: dy / scale };
}
