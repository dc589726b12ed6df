/** Players' names in texts that speak of seats. */

const SEAT = /\b(?:Seat|Platz) (\d+)\b/g;

/** Return a text of the server with names instead of "Seat 1"; it counts seats from 0. */
export function withNames(text: string, names: readonly string[]): string {
  return text.replace(SEAT, (words, seat: string) => names[Number(seat)] || words);
}
