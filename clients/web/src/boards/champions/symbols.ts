import type { SymbolPaths } from "../kit/symbols";

export const SYMBOLS: SymbolPaths = {
  food: "M2 12c4-6 11-6 14-1l5-4v10l-5-4c-3 5-10 5-14-1zM6 10.5a1.2 1.2 0 1 0 .01 0z",
  wood: "M4 7h13a5 5 0 0 1 0 10H4a5 5 0 0 1 0-10zM17 9.5a2.5 2.5 0 1 0 .01 0z",
  favour: "M12 1l3 8 8 3-8 3-3 8-3-8-8-3 8-3z",
  scales:
    "M11 2h2v3l7 1 2 7a4 4 0 0 1-7 0l2-5.5-4-.5v12h4v2H7v-2h4V7l-4 .5L9 13a4 4 0 0 1-7 0l2-7 7-1z",
  church:
    "M12 1l1 2h2v2h-2v1l4 4h-2l5 5h-2l3 4v3h-6v-4a3 3 0 0 0-6 0v4H3v-3l3-4H4l5-5H7l4-4V5H9V3h2z",
  hut: "M12 3l11 10h-3v8h-5v-6H9v6H4v-8H1z",
  bow: "M5 2c9 1 15 7 16 16l-2 1C17 11 12 6 5 5zM2 20L14 8l2 2L4 22zM15 3l6-1-1 6z",
  hand: "M5 12V6a1.5 1.5 0 0 1 3 0V3.5a1.5 1.5 0 0 1 3 0V3a1.5 1.5 0 0 1 3 0v1.5a1.5 1.5 0 0 1 3 0V14l2-2c2-1 3 1 2 2l-5 7c-1 1-2 2-4 2h-3c-4 0-5-3-5-6z",
  tent: "M3 3h18l2 6a3 3 0 0 1-4 2v10H5V11a3 3 0 0 1-4-2zM8 13v6h8v-6z",
  smokehouse: "M3 12l9-7 9 7v9H3zM10 15h4v6h-4zM17 1c2 1 0 3 2 4-2 0-3 0-3-2z",
  rune: "M6 1h12l4 5v17H2V6zM11 6v13h2v-6l4 4 1.5-1.500L13 11V9l4-3.500z",
  troll:
    "M12 2c5 0 8 4 8 9 2 0 2 3 0 4-1 4-4 7-8 7s-7-3-8-7c-2-1-2-4 0-4 0-5 3-9 8-9zM8 10a1.5 1.5 0 1 0 .01 0zM16 10a1.5 1.5 0 1 0 .01 0zM7 16l2 4v-3h6v3l2-4z",
  kraken:
    "M12 2c4 0 7 3 7 8 0 3-1 4-1 6s2 2 3 1c0 3-4 5-6 2l-1-3-1 6h-2l-1-6-1 3c-2 3-6 1-6-2 1 1 3 1 3-1s-1-3-1-6c0-5 3-8 7-8zM9 9a1.5 1.5 0 1 0 .01 0zM15 9a1.5 1.5 0 1 0 .01 0z",
  compass: "M12 1a11 11 0 1 0 .01 0zM12 4a8 8 0 1 1-.01 0zM16 8l-2.5 5.5L8 16l2.5-5.5z",
  destiny:
    "M4 3h14a3 3 0 0 1 3 3v3h-4v9a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3v-2h3V6zM8 7v1.5h6V7zM8 11v1.5h6V11z",
  ban: "M12 1a11 11 0 1 0 .01 0zM12 4a8 8 0 0 1 4.5 1.400L5.4 16.500A8 8 0 0 1 12 4zM7.5 18.600L18.6 7.500A8 8 0 0 1 7.5 18.600z",
  burst:
    "M12 1l2.5 6L20 4l-2.5 5.500L23 12l-5.5 2.500L20 20l-5.5-3L12 23l-2.5-6L4 20l2.5-5.500L1 12l5.5-2.500L4 4l5.5 3z",
  wind: "M2 9h12a3 3 0 1 0-3-3h2a1 1 0 1 1 1 1H2zM2 12h17a3 3 0 1 1-3 3h2a1 1 0 1 0 1-1H2zM2 17h8a2.5 2.5 0 1 1-2.5 2.500h1.500a1 1 0 1 0 1-1H2z",
  storm: "M6 13a5 5 0 0 1 1-9 6 6 0 0 1 11 1 4 4 0 0 1 1 8h-5l-3 4h3l-4 6 1-5H8l3-5z",
};

/** The symbol of each worker space. */
export const PLACES: Readonly<Record<string, string>> = {
  swordsmith: "sword",
  hafter: "spear",
  blacksmith: "axe",
  smokehouse: "smokehouse",
  longhouse: "hall",
  market: "scales",
  merchant_ship: "ship",
  runesmith: "rune",
  sages_hut: "eye",
  shipwright: "hammer",
  stave_church: "church",
  worker_huts: "hut",
  hunting_grounds: "bow",
  beg: "hand",
};

/** The symbol of each type of warrior, in the order of the contract's enum. */
export const WARRIORS = ["", "sword", "spear", "axe"] as const;

/** The symbols of amounts by their names among the components. */
export const AMOUNTS: Readonly<Record<string, string>> = {
  swordsman: "sword",
  spearman: "spear",
  axeman: "axe",
  coins: "coin",
  glory: "crown",
  blame: "skull",
};

/** The symbol of each journey. */
export const JOURNEYS: Readonly<Record<string, string>> = {
  all_quiet: "check",
  kraken: "kraken",
  lost: "compass",
  no_wind: "wind",
  storm: "storm",
  whirlpool: "burst",
};
