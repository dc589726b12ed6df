/** What is going on: who is waited for, what happened last, and what the server said to an answer. */
import type { GetMatchViewResponse } from "taflhall/gen/v1/match_service";
import type { Event } from "taflhall/gen/v1/table";

import { connectionState } from "../connection";
import { FailureNote } from "../parts/notes";
import { listText, text } from "../texts";
import type { Notice } from "./model/session";
import type { TableState } from "./model/table_state";
import { waitedFor } from "./model/table_state";
import { useNamed } from "./named";
import { nameOfSeat } from "./players";
import { Rule } from "./rules";

/** So many of the latest events are shown. */
const MOST = 6;

/** Whether what is shown is how the match stands. */
export function Standing(props: { state: TableState; isPast: boolean }) {
  const { isPast } = props;
  const { phase, failure } = props.state;
  const isLost = connectionState.value === "lost" && phase === "following";
  const state = isPast ? "past" : isLost ? "reconnecting" : phase;
  return (
    <p class="standing" role="status" data-state={state}>
      {text(`table-standing-${state}`)} {state === "failed" && <FailureNote failure={failure} />}
    </p>
  );
}

/** Who is waited for. */
export function Waits({ state }: { state: TableState }) {
  const waited = waitedFor(state);
  return (
    <>
      {waited.length > 0 && (
        <h2>{text("table-waits", { names: listText(waited.map((seat) => nameOfSeat(state, seat))) })}</h2>
      )}
      <Latest events={latestOf(state).slice(-MOST)} />
    </>
  );
}

/** What happened at the moment that is shown. */
export function Moment(props: {
  moment: GetMatchViewResponse | undefined;
  revision: number;
  /** A decision waits for the viewer, at the match as it is. */
  isTurn: boolean;
}) {
  const { moment, revision, isTurn } = props;
  return (
    <>
      {isTurn && <p class="note">{text("table-your-turn")}</p>}
      <h2>{text("table-moment", { revision })}</h2>
      <Latest events={moment?.events ?? []} />
      {moment?.decisions.map((decision) => (
        <p key={decision.id} class="hint">
          {decision.text} <Rule number={decision.rule} />
        </p>
      ))}
    </>
  );
}

/** What the server has said to the last answer. */
export function NoticeBar(props: { notice: Notice | undefined; onClose: () => void }) {
  const { notice, onClose } = props;
  if (notice === undefined) return null;
  return (
    <div class="note bad" role="alert">
      <p>
        {text(`table-notice-${notice.kind}`)} {notice.text} <Rule number={notice.rule} />
      </p>
      <button type="button" class="quiet" aria-label={text("close")} onClick={onClose}>
        ✕
      </button>
    </div>
  );
}

/** Return what happened with the last command. */
export function latestOf(state: TableState): readonly Event[] {
  return state.log.at(-1)?.events.filter(({ text: what }) => what) ?? [];
}

/** Events, one a line. */
export function Latest({ events }: { events: readonly Event[] }) {
  const named = useNamed();
  return (
    <ul class="latest">
      {events.map((event, index) => (
        <li key={index}>{named(event.text)}</li>
      ))}
    </ul>
  );
}
