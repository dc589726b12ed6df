import { useEffect, useRef } from "preact/hooks";

/** Call *action* when Escape is pressed and no dialog is open. */
export function useEscape(action: () => void): void {
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && document.querySelector("dialog[open]") === null) latest.current();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
