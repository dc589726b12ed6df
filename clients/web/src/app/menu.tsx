import { useEffect, useRef } from "preact/hooks";

import { LANGUAGES, LANGUAGE_NAMES, language, text } from "../texts";
import { apiKey, playerName } from "../session/person";
import { Choice, TextField } from "../parts/fields";
import { THEMES, sound, theme } from "./theme";

/** The settings of this browser: language, colours, sound, name and account. */
export function Menu() {
  const details = useRef<HTMLDetailsElement>(null);
  const close = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !details.current?.open) return;
    details.current.open = false;
    details.current.querySelector("summary")?.focus();
  };
  useEffect(() => {
    const closeBeside = ({ target }: Event): void => {
      if (details.current?.open && !details.current.contains(target as Node)) {
        details.current.open = false;
      }
    };
    addEventListener("pointerdown", closeBeside);
    return () => removeEventListener("pointerdown", closeBeside);
  }, []);
  return (
    <details class="menu" ref={details} onKeyDown={close}>
      <summary aria-label={text("settings")} title={text("settings")}>
        <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
          <path d="M3 6h11m4 0h3M3 12h3m4 0h11M3 18h9m4 0h5" />
          <circle cx="16" cy="6" r="2" />
          <circle cx="8" cy="12" r="2" />
          <circle cx="14" cy="18" r="2" />
        </svg>
      </summary>
      <div class="menu-body">
        <Choice
          label={text("settings-language")}
          values={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
          value={language.value}
          onChange={(value) => (language.value = value)}
        />
        <Choice
          label={text("settings-theme")}
          values={THEMES.map((value) => ({ value, label: text(`theme-${value}`) }))}
          value={theme.value}
          onChange={(value) => (theme.value = value)}
        />
        <Choice
          label={text("settings-sound")}
          values={(["off", "on"] as const).map((value) => ({ value, label: text(`sound-${value}`) }))}
          value={sound.value}
          onChange={(value) => (sound.value = value)}
        />
        <TextField
          label={text("your-name")}
          value={playerName.value}
          maxLength={64}
          onInput={(value) => (playerName.value = value)}
        />
        <TextField
          label={text("api-key")}
          hint={text("api-key-hint")}
          isSecret
          value={apiKey.value}
          onInput={(value) => (apiKey.value = value.trim())}
        />
      </div>
    </details>
  );
}
