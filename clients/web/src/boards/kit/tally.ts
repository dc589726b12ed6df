import type { Fact } from "../types";

/** Count equal names: each once, with how often it occurs. */
export function tally(names: readonly string[]): Fact[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, value: `×${count}` }));
}
