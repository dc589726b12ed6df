import { playerName } from "../session/person";

const GUESTS = ["Ask", "Embla", "Gunnar", "Idun", "Leif", "Rúna", "Sigrún", "Torvald", "Ylva"];
const guest = `${GUESTS[Math.floor(Math.random() * GUESTS.length)] ?? "Ask"} ${10 + Math.floor(Math.random() * 90)}`;
let isOffered = false;

/** Return the person's name; a first one is made up, so that nobody has to type to play. */
export function nameOrGuest(): string {
  if (!playerName.peek() && !isOffered) playerName.value = guest;
  isOffered = true;
  return playerName.value;
}
