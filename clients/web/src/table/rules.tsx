/** Rules by number: a button wherever a number stands, and the dialog that it opens. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { GetGameResponse } from "taflhall/gen/v1/catalog_service";

import { hrefOf } from "../app/router";
import { Dialog } from "../parts/dialog";
import { text } from "../texts";

/** Opens a rule by its number. */
export const OpenRule = createContext<(rule: string) => void>(() => undefined);

/** The number of a rule, which opens its text. */
export function Rule({ number }: { number: string }) {
  const open = useContext(OpenRule);
  if (!number) return null;
  return (
    <button
      type="button"
      class="rule"
      aria-label={text("table-rule-open", { rule: number })}
      onClick={(event) => {
        event.stopPropagation();
        open(number);
      }}
    >
      {number}
    </button>
  );
}

/** The text of a rule, with the way to its neighbours and to the whole list. */
export function RuleDialog(props: {
  game: string;
  rule: string;
  components: GetGameResponse | undefined;
  onOpen: (rule: string) => void;
  onClose: () => void;
}) {
  const { game, rule, components, onOpen, onClose } = props;
  const rules = components?.rules ?? [];
  const at = rules.findIndex(({ number }) => number === rule);
  const beside = (by: number) => {
    const other = rules[at + by];
    return (
      <button type="button" disabled={!other} onClick={() => other && onOpen(other.number)}>
        {by < 0 ? "‹" : "›"} {other?.number}
      </button>
    );
  };
  return (
    <Dialog title={text("table-rule", { rule })} onClose={onClose}>
      <p class="rule-text">{rules[at]?.text ?? text("table-rule-unknown")}</p>
      <p class="buttons">
        {beside(-1)}
        {beside(1)}
        <a href={hrefOf({ screen: "rules", game, rule })} target="_blank" rel="noreferrer">
          {text("table-rules-all")}
        </a>
      </p>
    </Dialog>
  );
}
