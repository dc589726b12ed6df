import type { SymbolPaths } from "../kit/symbols";

export const SYMBOLS: SymbolPaths = {
  population:
    "M8 4a3 3 0 1 0 .01 0zM16 4a3 3 0 1 0 .01 0zM2 20c0-6 2-9 6-9s4 2 4 2 0-2 4-2 6 3 6 9z",
  m_factor: "M12 1l9.5 5.5v11L12 23l-9.5-5.500v-11zM12 6a6 6 0 1 1-.01 0zM12 9a3 3 0 1 0 .01 0z",
  snow: "M11 1h2v6l4-3 1.5 1.5-4 5 6-1 .5 2-6 .5 6 .5-.5 2-6-1 4 5L17 20l-4-3v6h-2v-6l-4 3-1.5-1.5 4-5-6 1-.5-2 6-.5-6-.5.5-2 6 1-4-5L7 4l4 3z",
  vuko: "M10 1a4 4 0 1 1-.01 0zM3 23l1-9c0-3 2-4 6-4s6 1 6 4l1 9h-4l-1-7H8l-1 7zM20 1l3 6-2 .5V23h-2V7.5L17 7z",
  thorn: "M12 1l2 9 5-4-3 7h6l-7 4 1 5H8l1-5-7-4h6L5 6l5 4z",
  tower: "M5 2h3v3h2.500V2h3v3H16V2h3v8l-2 2v10H7V12L5 10zM11 14v4h2v-4z",
  nightmare_token: "M15 2A10 10 0 1 0 22 16 8 8 0 0 1 15 2z",
  reserve: "M12 1l6 7-6 15L6 8zM12 4L9 8h6z",
  speed: "M3 3l8 9-8 9h4l8-9-8-9zM12 3l8 9-8 9h4l8-9-8-9z",
  viper:
    "M4 20c8 2 4-6 8-6s4 4 8 2c-2 6-8 2-9 4-2 4-7 2-7 0zM8 2c4-1 8 1 8 5 0 3-3 4-3 6h-2c0-3 2-4 2-6 0-2-2-2-3-2l-4 2 1-2-4-1zM9 3.500a.8.8 0 1 0 .01 0z",
  raven:
    "M1 8l6-3c2-3 6-3 8 0l7 9-3 1 2 4-4-1v3l-4-2-2 3-2-3c-4-1-6-4-5-9zM8 6.500a1 1 0 1 0 .01 0z",
  foot: "M9 1c3 0 5 3 4 7-1 3 0 5 3 6l5 2c2 1 2 4 0 4H8c-2 0-3-2-2-4 2-4 0-6 0-10 0-3 1-5 3-5z",
  moonlit_brother:
    "M12 2c4 0 6 4 6 8l3 12H3l3-12c0-4 2-8 6-8zM12 5c-2 0-3 2-3 4s1 3 3 3 3-1 3-3-1-4-3-4z",
  enlightened_one:
    "M12 1a6 2.5 0 1 1-.01 0zM12 2.500a4 1 0 1 0 .01 0zM12 7a3.5 3.5 0 1 1-.01 0zM4 22c0-6 3-7.5 8-7.500s8 1.5 8 7.500z",
  harrasim: "M12 2c5 0 7 3 7 7 0 2-1 3-1 4l3 9H3l3-9c0-1-1-2-1-4 0-4 2-7 7-7zM7 8v3h10V8z",
  crab: "M4 3c3 0 5 2 5 4L6 6v3c1 0 2-1 3-1h6c1 0 2 1 3 1V6l-3 1c0-2 2-4 5-4 2 3 1 6-1 7 1 2 1 3 1 4l3 1-1 2-3-1-1 2 2 3-2 1-2-3c-3 2-5 2-8 0l-2 3-2-1 2-3-1-2-3 1-1-2 3-1c0-1 0-2 1-4-2-1-3-4-1-7z",
  ratling_musician:
    "M3 17L16 4l3 3L6 20zM19 1l4 4-2 2-4-4zM9 12l1.5 1.5-1 1L8 13zM12 9l1.5 1.5-1 1L11 10zM17 13h2v5a2.5 2.5 0 1 1-2-2.400z",
  wild_child:
    "M12 2a4 4 0 0 1 3 6.500l6-3 1 2-6 4 1 4 3 6h-3l-4-6h-2l-4 6H4l3-6 1-4-6-4 1-2 6 3A4 4 0 0 1 12 2z",
  faun: "M6 1c-1 4 0 6 3 7-2 1-3 3-3 5 0 4 2 9 6 9s6-5 6-9c0-2-1-4-3-5 3-1 4-3 3-7-1 3-3 4-6 4S7 4 6 1zM9.5 12a1.3 1.3 0 1 0 .01 0zM14.5 12a1.3 1.3 0 1 0 .01 0z",
  nightmare: "M9 1l3 3c5 1 8 5 9 12l-3 1-5-4c-1 4 0 7 3 10H5C4 13 5 7 9 4zM13 7a1 1 0 1 0 .01 0z",
  volcano_people: "M9 7h6l7 15H2zM11 1c2 1 0 2 2 4h-3c-1-2 2-2 1-4zM10 9l1 5 1-2 1 4 1-7z",
  tree_brothers:
    "M12 1c5 0 8 4 8 8s-3 6-6 6l1 8H9l1-8c-3 0-6-2-6-6s3-8 8-8zM11 15h2v-5l3-3-1-1-3 3-3-3-1 1 3 3z",
};

/** The symbol of each unit type. */
export const UNITS: Readonly<Record<string, string>> = {
  wyvern: "dragon",
  ice_drakkar: "ship",
};

/** The symbols of attack, shield, dominance and speed, in the order of the contract. */
export const ABILITIES = ["sword", "shield", "crown", "speed"] as const;

/** The symbol of each action field. */
export const FIELDS: Readonly<Record<string, string>> = {
  viper_gorge: "viper",
  influence: "crown",
  move: "foot",
  mountain: "mountain",
  raven_shadow: "raven",
  making: "hammer",
  activation: "sword",
  vuko: "vuko",
};
