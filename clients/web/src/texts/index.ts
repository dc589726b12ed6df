import { FluentBundle, FluentResource } from "@fluent/bundle";
import type { FluentVariable } from "@fluent/bundle";
import { computed, effect, signal } from "@preact/signals";

import { kept } from "../session/kept";

export const LANGUAGES = ["en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The languages by their own names. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: "English", de: "Deutsch" };

/** The language of the page, and of the texts of games that it asks the server for. */
export const language = kept("taflhall.language", (text): Language => known(text) ?? preferred());

const FILES = {
  en: () => import("./en"),
  de: () => import("./de"),
} satisfies Record<Language, () => Promise<{ default: string }>>;

const bundle = signal<FluentBundle | undefined>(undefined);

/** Whether the texts of some language are there. */
export const textsAreReady = computed(() => bundle.value !== undefined);

effect(() => {
  const wanted = language.value;
  document.documentElement.lang = wanted;
  void FILES[wanted]().then(({ default: source }) => {
    if (language.value !== wanted) return; // another one was chosen meanwhile
    const loaded = new FluentBundle(wanted, { useIsolating: false });
    loaded.addResource(new FluentResource(source));
    bundle.value = loaded;
  });
});

/** Return a text of the page, such as `text("seats-free", { count: 2 })`. */
export function text(id: string, values?: Record<string, FluentVariable>): string {
  const pattern = bundle.value?.getMessage(id)?.value;
  return pattern ? (bundle.value?.formatPattern(pattern, values) ?? id) : id;
}

/** Return a time of day, with its date unless it is today. */
export function timeText(time: Date): string {
  const isToday = time.toDateString() === new Date().toDateString();
  const day = isToday ? {} : ({ dateStyle: "medium" } as const);
  return new Intl.DateTimeFormat(language.value, { timeStyle: "short", ...day }).format(time);
}

/** Return several words as a list: "a, b and c", or "a, b or c". */
export function listText(words: readonly string[], last: "and" | "or" = "and"): string {
  const type = last === "or" ? "disjunction" : "conjunction";
  return new Intl.ListFormat(language.value, { type }).format(words);
}

function known(text: string): Language | undefined {
  return LANGUAGES.find((one) => text.toLowerCase().split("-")[0] === one);
}

function preferred(): Language {
  return navigator.languages.map(known).find((found) => found !== undefined) ?? "en";
}
