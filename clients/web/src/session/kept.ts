import type { Signal } from "@preact/signals";
import { effect, signal } from "@preact/signals";

/** Return a text that this browser keeps under *key*; other tabs see its changes. */
export function kept<T extends string>(key: string, parse: (text: string) => T): Signal<T> {
  const value = signal(parse(read(key) ?? ""));
  effect(() => write(key, value.value));
  addEventListener("storage", (event) => {
    if (event.key === key) value.value = parse(event.newValue ?? "");
  });
  return value;
}

/** Return what is kept under *key*; nothing where the browser forbids to keep anything. */
export function read(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keep a text; an empty one is forgotten. */
export function write(key: string, text: string): void {
  try {
    if (text) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
  } catch {
    // private windows may forbid it: then it is known until the page is closed
  }
}
