/** The log: what has happened, newest first, with the rule of each command. */
import type { Event } from "taflhall/gen/v1/table";

import { text } from "../texts";
import { useNamed } from "./named";
import { Rule } from "./rules";
import type { LogEntry } from "./model/table_state";

/** The revisions, newest first; each can be looked at. */
export function Log(props: {
  log: readonly LogEntry[];
  /** The revision that is shown on the board. */
  shown: number;
  onShow: (revision: number) => void;
  /** Load what happened before; unset if nothing is missing. */
  onEarlier: (() => void) | undefined;
}) {
  const { log, shown, onShow, onEarlier } = props;
  return (
    <ol class="log" reversed aria-label={text("table-log")}>
      {[...log].reverse().map(({ revision, events }) => (
        <li key={revision} aria-current={revision === shown ? "step" : undefined}>
          <button
            type="button"
            class="log-revision"
            title={text("table-look-at", { revision })}
            aria-label={text("table-look-at", { revision })}
            onClick={() => onShow(revision)}
          >
            {revision}
          </button>
          <ul>
            {events.map((event, index) => (
              <LogLine key={index} event={event} />
            ))}
          </ul>
        </li>
      ))}
      {onEarlier && (
        <li>
          <button type="button" onClick={onEarlier}>
            {text("table-log-earlier")}
          </button>
        </li>
      )}
    </ol>
  );
}

function LogLine({ event }: { event: Event }) {
  const named = useNamed();
  return (
    <li data-kind={event.kind.case}>
      {named(event.text)} <Rule number={ruleOf(event)} />
    </li>
  );
}

/** Return the number of the rule by which an event happened; empty if there is none. */
export function ruleOf(event: Event): string {
  const { kind } = event;
  if (kind.case === "answered") return kind.value.rule;
  const inner = (kind.value as { kind?: { value?: { rule?: string } } } | undefined)?.kind?.value;
  return inner?.rule ?? "";
}
