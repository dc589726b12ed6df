import type { ComponentChildren } from "preact";
import type { TaflhallError } from "taflhall";

import { hrefOf } from "../app/router";
import { language, text } from "../texts";

/** Why something did not work, in words. */
export function FailureNote({ failure }: { failure: TaflhallError | undefined }) {
  if (failure === undefined) return null;
  return (
    <div class="note bad" role="alert">
      <p>{failure.uncertain ? text("server-unreachable") : failure.text(language.value)}</p>
      {failure.violations.length > 0 && (
        <ul>
          {failure.violations.map(({ field, text: why }) => (
            <li key={field}>{why}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Says that something is on its way. */
export function Waiting() {
  return (
    <p class="loading" role="status" aria-busy="true">
      {text("loading")}
    </p>
  );
}

/** The number of a rule, which opens its text; in a new tab where a form must not be lost. */
export function RuleLink(props: { game: string; rule: string; newTab?: boolean }) {
  const { game, rule, newTab = false } = props;
  if (!rule) return null;
  const place = newTab ? { target: "_blank", rel: "noreferrer" } : {};
  return (
    <a class="rule" href={hrefOf({ screen: "rules", game, rule })} {...place}>
      {rule}
    </a>
  );
}

/** A part of a screen with a heading. */
export function Section(props: {
  title: string;
  children: ComponentChildren;
  aside?: ComponentChildren;
  class?: string;
}) {
  return (
    <section class={`card ${props.class ?? ""}`}>
      <header class="section-head">
        <h2>{props.title}</h2>
        {props.aside}
      </header>
      {props.children}
    </section>
  );
}
