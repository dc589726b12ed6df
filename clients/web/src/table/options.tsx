/** The decision that waits here: what is asked, every option with its rule, and what was chosen. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Decision, Option } from "taflhall/gen/v1/table";

import { text } from "../texts";
import { useNamed } from "./named";
import { Rule } from "./rules";
import type { Draft } from "./model/draft";

/** More options than this can be searched. */
const MANY = 12;
/** Digits that follow each other within this time are one number. */
const DIGITS_MS = 800;

/** What is asked, with the steps of the answer that were given so far. */
export function Asked(props: { decision: Decision; draft: Draft | undefined; onWithdraw: () => void }) {
  const { decision, draft, onWithdraw } = props;
  const named = useNamed();
  return (
    <div class="asked">
      <h2>
        {named(decision.text)} <Rule number={decision.rule} />
      </h2>
      {draft && (
        <>
          <ol class="steps" aria-label={text("table-draft-steps")}>
            {draft.steps.map((step, index) => (
              <li key={index}>{named(step.chosen || step.asked)}</li>
            ))}
          </ol>
          <p class="hint">
            {text("table-draft-hint")}{" "}
            <button type="button" onClick={onWithdraw}>
              {text("table-draft-withdraw")}
            </button>
          </p>
        </>
      )}
    </div>
  );
}

/**
 * The options as a list. Arrow keys go through it, digits go to an option by its number, Enter or a
 * click gives it as the answer.
 */
export function OptionList(props: {
  options: readonly Option[];
  /** Numbers by which the options are known, beside them. */
  numbers: readonly number[];
  isBusy: boolean;
  onChoose: (option: Option) => void;
  onLookAt: (option: Option | undefined) => void;
}) {
  const { options, numbers, isBusy, onChoose, onLookAt } = props;
  const named = useNamed();
  const [wanted, setWanted] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = options.filter(({ text: found }) => words.every((word) => found.toLowerCase().includes(word)));
  const focus = (index: number): void => {
    const buttons = list.current?.querySelectorAll<HTMLButtonElement>("button.option");
    buttons?.[Math.max(0, Math.min(index, buttons.length - 1))]?.focus();
  };
  useDigits((number) => focus(shown.findIndex((option) => numbers[options.indexOf(option)] === number)));
  const move = (event: KeyboardEvent): void => {
    const buttons = [...(list.current?.querySelectorAll<HTMLButtonElement>("button.option") ?? [])];
    const at = buttons.findIndex((button) => button === document.activeElement);
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    focus(to);
  };
  return (
    <>
      {options.length > MANY && (
        <input
          type="search"
          class="option-search"
          placeholder={text("table-options-search", { count: options.length })}
          aria-label={text("table-options-search", { count: options.length })}
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
      )}
      <ul class="options" ref={list} onKeyDown={move} aria-label={text("table-options")} aria-busy={isBusy}>
        {shown.map((option) => {
          const number = numbers[options.indexOf(option)];
          return (
            <li key={number}>
              <button
                type="button"
                class="option"
                disabled={isBusy}
                onClick={() => onChoose(option)}
                onPointerEnter={() => onLookAt(option)}
                onPointerLeave={() => onLookAt(undefined)}
                onFocus={() => onLookAt(option)}
                onBlur={() => onLookAt(undefined)}
              >
                <kbd aria-hidden="true">{number}</kbd> 
                <span>{named(option.text) || text("table-option", { number: number ?? 0 })}</span>
              </button>
              <Rule number={option.rule} />
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** Call *goTo* with the number that is typed outside of a field. */
function useDigits(goTo: (number: number) => void): void {
  const latest = useRef(goTo);
  latest.current = goTo;
  useEffect(() => {
    let typed = "";
    let timer: ReturnType<typeof setTimeout> | undefined;
    const press = (event: KeyboardEvent): void => {
      const isField = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
      const isOpen = document.querySelector("dialog[open]") !== null;
      if (!/^\d$/.test(event.key) || isField || isOpen || event.ctrlKey || event.altKey || event.metaKey) return;
      typed += event.key;
      latest.current(Number(typed));
      clearTimeout(timer);
      timer = setTimeout(() => (typed = ""), DIGITS_MS);
    };
    addEventListener("keydown", press);
    return () => {
      removeEventListener("keydown", press);
      clearTimeout(timer);
    };
  }, []);
}
