import { kept } from "./kept";

/** The name under which the person at this browser sits down. */
export const playerName = kept("taflhall.name", (text) => text.slice(0, 64));

/** The API key of the person's account; empty without one. */
export const apiKey = kept("taflhall.key", (text) => text.trim());
