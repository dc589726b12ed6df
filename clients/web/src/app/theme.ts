import { effect, signal } from "@preact/signals";

import { kept } from "../session/kept";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** The colours: those of the system, or those that were chosen here. */
export const theme = kept(
  "taflhall.theme",
  (text): Theme => THEMES.find((known) => known === text) ?? "system",
);

/** Whether sounds are played. */
export const sound = kept("taflhall.sound", (text): "on" | "off" => (text === "on" ? "on" : "off"));

/** Whether movement on the screen should be avoided, as the system says. */
export const calm = signal(matchMedia("(prefers-reduced-motion: reduce)").matches);
matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", ({ matches }) => {
  calm.value = matches;
});

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
});
