import type { SymbolPaths } from "../kit/symbols";

export const SYMBOLS: SymbolPaths = {
  fenrir:
    "M3 2l5 4h8l5-4-1 9-3 5-5 6-5-6-3-5zM8 10l3 1.500L9 13zM16 10l-3 1.5 2 1.500zM12 16l2 2-2 2-2-2z",
  hel: "M12 2a8 9 0 0 0-8 9c0 5 3 11 8 11zM13 2v3h2l-2 3h3l-3 4h3l-3 4v6c4-.5 7-6 7-11 0-5-3-9-7-9zM8 9a1.5 1.5 0 1 0 .01 0z",
  jormungand:
    "M12 2a10 10 0 1 0 9 6l-3 1.500A7 7 0 1 1 12 5c2 0 3.5.7 4.5 1.800L14 9l8 1V2l-2.7 2.300A10 10 0 0 0 12 2zM12 9a3 3 0 1 0 .01 0z",
  loki: "M4 1c0 4 1 6 3 7 3-1.5 7-1.5 10 0 2-1 3-3 3-7 2 4 2 8 0 11 0 6-4 11-8 11s-8-5-8-11C2 9 2 5 4 1zM7 12c1-1.5 3-1.5 4 .5-1.5 1-3 1-4-.5zM17 12c-1-1.5-3-1.5-4 .5 1.5 1 3 1 4-.5zM8 17c2 2 6 2 8 0-1 3-7 3-8 0z",
  nidhogg:
    "M2 9l7-6 3 3 8-1-2 3 4 2-6 2c1 3 0 6-3 8l-7 3 3-4-4-1 4-3-3-3 3-2zM14 8a1 1 0 1 0 .01 0z",
  surt: "M12 1c2 3 0 4 2 6s1 4 2 6l-2 2h4v2h-5v5h-2v-5H6v-2h4l-2-2c1-2 0-4 2-6s0-3 2-6z",
  elf: "M20 2C9 3 4 8 4 15c0 2 .5 4 1 5l-2 2 1.5 1 2-2.500C16 21 21 14 20 2zM8 17c1-4 4-7 7-9-3 3-5 6-6 9.500z",
  valkyries:
    "M2 20c0-9 6-16 20-17-2 3-4 4-6 4.5 1 0 3 0 4-.5-2 4-5 5-8 5 2 .5 4 .5 5 0-3 4-6 5-9 4.5-2 0-4 1.5-6 3.500z",
  anvil: "M2 6h15l5-1c0 4-3 6-7 6v4l3 4v2H6v-2l3-4v-3c-4 0-7-2-7-6z",
  sun: "M12 7a5 5 0 1 0 .01 0zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4zM4 5l1-1 3 3-1 1zM16 17l1-1 3 3-1 1zM20 5l-1-1-3 3 1 1zM8 17l-1-1-3 3 1 1z",
  sigel: "M7 2h3v8l7 3v9h-3v-7l-7-3z",
  daeg: "M3 3h3l6 7 6-7h3v18h-3l-6-7-6 7H3zM6 8v8l4-4zM18 8v8l-4-4z",
  mann: "M4 2h3l5 5 5-5h3v20h-3V13l-5-4-5 4v9H4zM7 6v4l3-2.500zM17 6v4l-3-2.500z",
  tiwaz: "M12 1l8 8-2 2-4.5-4.500V23h-3V6.500L6 11 4 9z",
  frey: "M11 22V8L7 5l1-3 4 4 4-4 1 3-4 3v3l5-3 1 3-6 4v7zM11 14l-6-4 1-3 5 3z",
  freyja:
    "M12 21C4 15 1 11 1 7.5 1 4 4 2 6.5 2c2.5 0 4 1 5.5 3.500C13.5 3 15 2 17.5 2 20 2 23 4 23 7.5 23 11 20 15 12 21z",
  ring: "M12 3a9 9 0 1 0 .01 0zM12 7a5 5 0 1 1-.01 0z",
  fetter:
    "M7 6h5a5 5 0 0 1 0 10H7A5 5 0 0 1 7 6zM7 9a2 2 0 0 0 0 4h5a2 2 0 0 0 0-4zM15 8h3a5 5 0 0 1 0 10h-5l-2-3h7a2 2 0 0 0 0-4h-1z",
  whirlpool:
    "M12 2a10 10 0 0 1 10 10h-3a7 7 0 0 0-7-7 6 6 0 0 0-6 6 5 5 0 0 0 5 5 4 4 0 0 0 4-4 3 3 0 0 0-3-3v3a1 1 0 0 1-1 1 2 2 0 0 1-2-2 3 3 0 0 1 3-3 6 6 0 0 1 6 6 7 7 0 0 1-7 7 8 8 0 0 1-8-8A10 10 0 0 1 12 2z",
  giant: "M8 2h8l1 5h3l2 7-3 1-1-3v10h-4v-6h-4v6H6V12l-1 3-3-1 2-7h3zM9 4v2h2V4zM13 4v2h2V4z",
};

/** The symbol of each god. */
export const GODS: Readonly<Record<string, string>> = {
  odin: "eye",
  thor: "hammer",
  frey: "frey",
  heimdall: "horn",
  tyr: "sword",
  freyja: "freyja",
};

/** The symbol of each world. */
export const WORLDS: Readonly<Record<string, string>> = {
  asgard: "hall",
  midgard: "valkyries",
  nidavellir: "anvil",
  alfheim: "elf",
  niflheim: "exchange",
  helheim: "skull",
  muspellheim: "flame",
  jotunheim: "mountain",
  vanaheim: "sun",
};
