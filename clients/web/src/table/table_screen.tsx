/** The table of a match: its board, what is asked, what has happened, and every earlier moment. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Match as Connection } from "taflhall";
import type { Match } from "taflhall/gen/v1/match";
import type { MatchChange } from "taflhall/gen/v1/match_service";
import type { Command, Event } from "taflhall/gen/v1/table";

import { go, linkTo } from "../app/router";
import { sound } from "../app/theme";
import { matchOf } from "../connection";
import { useGame } from "../connection/catalog";
import { FailureNote, Waiting } from "../parts/notes";
import { credentialsOf } from "../session/credentials";
import { text } from "../texts";
import { Actions } from "./actions";
import { AfterMatch } from "./after_match";
import { useBoard } from "./board_view";
import { Log } from "./log";
import { LookBackBar } from "./look_back_bar";
import type { Situation, TableSession } from "./model/session";
import { earlier, isEnded } from "./model/table_state";
import { useMoment } from "./moments";
import { withNames } from "./model/names";
import { Names } from "./named";
import { Standing } from "./now";
import { Players } from "./players";
import { Projection } from "./projection";
import { ProposalBar } from "./proposal";
import { Result } from "./result";
import { OpenRule, RuleDialog } from "./rules";
import { play } from "./sounds";
import { Table } from "./table";
import { useSession } from "./use_session";
import "./table.css";

/** So many events of one change are said aloud. */
const MOST_SAID = 6;

/** The table of a match; with a revision, as it was then. */
export function TableScreen({ matchId, revision }: { matchId: string; revision?: number }) {
  const connection = matchOf(matchId);
  const [said, setSaid] = useState("");
  const [touched, setTouched] = useState<readonly Command[]>([]);
  const { session, situation } = useSession(connection, ({ events }: MatchChange) => {
    setSaid(events.slice(-MOST_SAID).map((event) => event.text).join(" "));
    setTouched(events.flatMap(commandOfEvent));
    if (sound.value === "on") play("happened");
  });
  useTurnSignal(situation.decision?.id);
  const { match, failure } = situation.state;
  if (match === undefined) return failure ? <FailureNote failure={failure} /> : <Waiting />;
  return (
    <>
      <Followed {...{ session, situation, connection, match, revision, touched }} />
      <p class="unseen" role="log" aria-live="polite">
        {withNames(said, match.seats.map(({ name }) => name))}
      </p>
    </>
  );
}

/** A match of which something is known. */
function Followed(props: {
  session: TableSession;
  situation: Situation;
  connection: Connection;
  match: Match;
  revision: number | undefined;
  touched: readonly Command[];
}) {
  const { session, situation, connection, match, revision, touched } = props;
  const { state } = situation;
  const game = useGame(match.game);
  const drawing = useBoard(match.game);
  const viewer = state.view?.seat;
  const moment = useMoment(session, revision, viewer);
  const [rule, setRule] = useState<string>();
  const own = credentialsOf(match.id).seats ?? (viewer === undefined ? [] : [viewer]);
  const names = match.seats.map(({ name }) => name);
  const seat = match.seats.find(({ index }) => index === viewer && own.includes(index));
  const isPast = revision !== undefined;
  const isOver = isEnded(match);
  const view = (isPast ? moment?.view : undefined) ?? state.view;
  const at = revision ?? state.revision;
  const show = (to: number | undefined): void => {
    const moved = to === undefined ? {} : { revision: to };
    go({ screen: "match", id: match.id, ...moved }, { replace: isPast });
  };
  const share = (): void => {
    void navigator.clipboard?.writeText(linkTo({ screen: "match", id: match.id, revision: at }));
  };
  return (
    <Names.Provider value={names}>
      <OpenRule.Provider value={setRule}>
        <div class="table-screen" data-past={isPast} aria-busy={isPast && moment === undefined}>
          <header class="table-head">
            <h1>{match.title || game.value?.game?.title || ""}</h1>
            <Standing state={state} isPast={isPast} />
            <Players state={state} clock={session.clock} own={own} onLookFrom={(from) => session.lookFrom(from)} />
          </header>
          <ProposalBar state={state} own={own} connection={connection} />
          {view && game.value && drawing ? (
            <Table
              {...{ session, situation, view, drawing, isPast, moment, touched }}
              components={game.value}
              revision={at}
              side={
                <>
                  {isOver && (
                    <Result match={match} connection={connection}>
                      <AfterMatch match={match} connection={connection} isPlayer={own.length > 0} onShow={show} />
                    </Result>
                  )}
                  {(!isOver || isPast) && <Projection {...{ connection, names, viewer }} revision={at} />}
                  {seat && !isOver && (
                    <details class="card more">
                      <summary>{text("table-more-actions")}</summary>
                      <Actions
                        connection={connection}
                        seat={seat}
                        isCooperative={game.value.game?.cooperative ?? false}
                      />
                    </details>
                  )}
                  <details class="card" open>
                    <summary>{text("table-log")}</summary>
                    <Log
                      log={state.log}
                      shown={at}
                      onShow={show}
                      onEarlier={earlier(state) && (() => void session.load("earlier"))}
                    />
                  </details>
                </>
              }
            />
          ) : (
            <Waiting />
          )}
          <LookBackBar
            shown={revision}
            last={state.revision}
            isOver={isOver}
            onShow={show}
            onShare={share}
          />
          {rule !== undefined && (
            <RuleDialog
              game={match.game}
              rule={rule}
              components={game.value}
              onOpen={setRule}
              onClose={() => setRule(undefined)}
            />
          )}
        </div>
      </OpenRule.Provider>
    </Names.Provider>
  );
}

/** The title of the page says whose turn it is, and a sound if it is switched on. */
function useTurnSignal(id: string | undefined): void {
  const title = useRef(document.title);
  useEffect(() => {
    document.title = id === undefined ? title.current : `● ${text("table-your-turn")} – ${title.current}`;
    if (id !== undefined && sound.value === "on") play("turn");
    return () => void (document.title = title.current);
  }, [id]);
}

function commandOfEvent({ kind }: Event): Command[] {
  return kind.case === "answered" && kind.value.command ? [kind.value.command] : [];
}
