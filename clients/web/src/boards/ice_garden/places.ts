import type { Region } from "taflhall/gen/ice_garden/v1/ice_garden";

import { regionId } from "./state";

/** The width of a region's card. */
export const CARD = 114;
/** The height of a region's card. */
export const TALL = 116;

/** The middles of the regions. */
export const PLACES: Readonly<Record<string, readonly [number, number]>> = {
  r1: [62, 76],
  r2: [220, 98],
  r3: [378, 76],
  r4: [128, 234],
  r5: [312, 234],
  r6: [378, 478],
  r7: [62, 478],
  r8: [220, 356],
};

/** Return the upper left corner of the card of a region. */
export function corner(region: Region): readonly [number, number] {
  const [x, y] = PLACES[regionId(region)] ?? [0, 0];
  return [x - CARD / 2, y - TALL / 2];
}
