/** The board, and beside it what is asked and what else there is to know. */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { GetGameResponse } from "taflhall/gen/v1/catalog_service";
import type { GetMatchViewResponse } from "taflhall/gen/v1/match_service";
import type { Command, View } from "taflhall/gen/v1/table";

import type { GameBoard, Spot } from "../boards";
import { language, text } from "../texts";
import { BoardView } from "./board_view";
import type { Choosing } from "./choosing";
import { useChoosing } from "./choosing";
import { FormDialog } from "./form_dialogs";
import type { Situation, TableSession } from "./model/session";
import { Latest, Moment, NoticeBar, Waits, latestOf } from "./now";
import { Asked, OptionList } from "./options";
import { nameOfSeat } from "./players";
import { Card, WhyNot } from "./thing";

const NOTHING: ReadonlySet<Spot> = new Set();
/** So many of the latest events stand over a question. */
const LATEST = 3;

interface TableProps {
  session: TableSession;
  situation: Situation;
  drawing: GameBoard;
  components: GetGameResponse;
  view: View;
  revision: number;
  isPast: boolean;
  moment: GetMatchViewResponse | undefined;
  /** The commands that led to this revision. */
  touched: readonly Command[];
  /** What stands below the question. */
  side: ComponentChildren;
}

export function Table(props: TableProps) {
  const { session, situation, drawing, components, view, revision, isPast, moment, touched, side } = props;
  const { state } = situation;
  const choosing = useChoosing(session, situation, drawing, components, view, isPast);
  const { decision, live, marked, thing, form } = choosing;
  const names = useMemo(
    () => state.match?.seats.map((_, seat) => nameOfSeat(state, seat)) ?? [],
    [state.match, language.value],
  );
  const now = useRef<HTMLElement>(null);
  const [isFolded, setFolded] = useState(false);
  useEffect(() => {
    setFolded(false);
    const frame = requestAnimationFrame(() => now.current?.scrollTo(0, 0)); // now it would force a layout
    return () => cancelAnimationFrame(frame);
  }, [decision?.id, thing]);
  return (
    <div class="table-main">
      <BoardView
        drawing={drawing}
        revision={revision}
        touched={touched.flatMap(choosing.spotsOf)}
        view={view}
        components={components}
        names={names}
        decision={decision}
        live={situation.isSending ? NOTHING : live}
        marked={marked}
        chosen={thing}
        onSpot={choosing.chooseThing}
      />
      <aside class="table-side">
        <section class="card now" ref={now} data-folded={isFolded} aria-label={text("table-now")}>
          <button type="button" class="quiet fold" onClick={() => setFolded(!isFolded)}>
            {text(isFolded ? "table-unfold" : "table-fold")}
          </button>
          {isPast ? (
            <Moment moment={moment} revision={revision} isTurn={situation.decision !== undefined} />
          ) : decision === undefined ? (
            <Waits state={state} />
          ) : (
            <Latest events={latestOf(state).slice(-LATEST)} />
          )}
          <Question {...{ session, situation, choosing }} />
          <NoticeBar notice={situation.notice} onClose={() => session.dismiss()} />
          <ChosenThing {...{ session, choosing, drawing, components, view }} />
          <Options situation={situation} choosing={choosing} />
        </section>
        {side}
      </aside>
      {form && decision && (
        <FormDialog
          form={form}
          title={decision.text}
          onAnswer={choosing.send}
          onClose={choosing.closeForm}
        />
      )}
    </div>
  );
}

/** What is asked. */
function Question(props: { session: TableSession; situation: Situation; choosing: Choosing }) {
  const { session, situation, choosing } = props;
  const { decision, form, openForm } = choosing;
  if (decision === undefined) return null;
  return (
    <>
      <Asked decision={decision} draft={situation.draft} onWithdraw={() => session.withdraw()} />
      {openForm && !form && (
        <p>
          <button type="button" class="primary" onClick={openForm}>
            {text("table-form-open")}
          </button>
        </p>
      )}
    </>
  );
}

/** The thing that was chosen on the board: its card, and why it cannot be used. */
function ChosenThing(props: {
  session: TableSession;
  choosing: Choosing;
  drawing: GameBoard;
  components: GetGameResponse;
  view: View;
}) {
  const { session, choosing, drawing, components, view } = props;
  const { decision, thing, isLive } = choosing;
  if (thing === undefined) return null;
  const card = drawing.card(thing, view, components);
  return (
    <div class="chosen-thing" role="group" aria-label={card?.title ?? text("table-thing")}>
      <button
        type="button"
        class="quiet thing-close"
        aria-label={text("close")}
        onClick={() => choosing.chooseThing(undefined)}
      >
        ✕
      </button>
      {card && <Card card={card} withRules />}
      {decision && !isLive && (
        <WhyNot
          subject={`${thing} ${decision.id}`}
          meant={choosing.meant}
          explain={(command) => session.explain(command)}
        />
      )}
    </div>
  );
}

/** The options, of the chosen thing or all. */
function Options(props: { situation: Situation; choosing: Choosing }) {
  const { isSending } = props.situation;
  const { choosing } = props;
  const { decision, shown, thing } = choosing;
  if (decision === undefined) return null;
  const { options } = decision;
  return (
    <>
      <OptionList
        options={shown}
        numbers={shown.map((option) => options.indexOf(option) + 1)}
        isBusy={isSending}
        onChoose={choosing.choose}
        onLookAt={choosing.lookAt}
      />
      {shown.length < options.length && (
        <p>
          <button type="button" class="quiet" onClick={() => choosing.chooseThing(undefined)}>
            {text("table-options-all", { count: options.length })}
          </button>
        </p>
      )}
      {isSending && (
        <p class="hint" role="status">
          {text("table-sending")}
        </p>
      )}
      {!isSending && thing === undefined && <p class="hint">{text("table-hint")}</p>}
    </>
  );
}
