/** The end of a match: places, the final scoring line by line with its rules, and its luck. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Match as Connection } from "taflhall";
import type { Match } from "taflhall/gen/v1/match";
import { MatchStatus } from "taflhall/gen/v1/match";
import type { GameResult } from "taflhall/gen/v1/table";

import { useTask } from "../connection";
import { Dialog } from "../parts/dialog";
import { FailureNote } from "../parts/notes";
import { text } from "../texts";
import { useNamed } from "./named";
import { Rule } from "./rules";
import type { LuckCheck } from "./model/luck";
import { checkLuck, replay } from "./model/luck";
import { storage } from "./use_session";

export function Result(props: {
  match: Match;
  /** The match on the server; unset for a record that the server may not know. */
  connection?: Connection;
  children?: ComponentChildren;
}) {
  const { match, connection, children } = props;
  const { result, seats, status } = match;
  return (
    <section class="card result" aria-label={text("table-result")}>
      <h2>{text(status === MatchStatus.ABANDONED ? "table-abandoned" : "table-finished")}</h2>
      {result && (
        <>
          <ul class="reasons">
            {result.reasons.map((reason) => (
              <li key={reason.id}>
                {reason.text} <Rule number={reason.rule} />
              </li>
            ))}
          </ul>
          <Scores result={result} names={seats.map(({ name }) => name)} />
        </>
      )}
      <div class="buttons">
        {children}
        <Luck match={match} connection={connection} />
      </div>
    </section>
  );
}

/** Places and points, one column a seat and one row a part of the score. */
function Scores({ result, names }: { result: GameResult; names: readonly string[] }) {
  const { seats, npc } = result;
  const named = useNamed();
  const lines = new Map(seats.flatMap((seat) => seat.lines.map((line) => [line.id, line] as const)));
  const hasPoints = seats.some(({ score }) => score !== undefined);
  return (
    <div class="table-scroll">
      <table class="scores">
        <thead>
          <tr>
            <th scope="col">{text("table-result")}</th>
            {seats.map(({ seat, won }) => (
              <th key={seat} scope="col" data-won={won}>
                {names[seat]} {won && <span aria-label={text("table-won")}>★</span>}
              </th>
            ))}
            {npc && (
              <th scope="col" data-won={npc.won}>
                {npc.name} {npc.won && <span aria-label={text("table-won")}>★</span>}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{text("table-how")}</th>
            {seats.map(({ seat, text: how }) => (
              <td key={seat}>{named(how)}</td>
            ))}
            {npc && <td>{npc.text}</td>}
          </tr>
          {[...lines.values()].map(({ id, text: meaning, rule }) => (
            <tr key={id}>
              <th scope="row">
                {meaning} <Rule number={rule} />
              </th>
              {seats.map((seat) => (
                <td key={seat.seat}>{seat.lines.find((line) => line.id === id)?.points ?? ""}</td>
              ))}
              {npc && <td />}
            </tr>
          ))}
        </tbody>
        {hasPoints && (
          <tfoot>
            <tr>
              <th scope="row">{text("table-points")}</th>
              {seats.map(({ seat, score }) => (
                <td key={seat}>{score ?? ""}</td>
              ))}
              {npc && <td>{npc.score}</td>}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

/** Whether the random numbers were fixed before the match began, and were those of the match. */
function Luck({ match, connection }: { match: Match; connection: Connection | undefined }) {
  const [found, setFound] = useState<LuckCheck>();
  if (match.secret.length === 0) return null;
  const check = (): void => void checkLuck(match, storage("localStorage")).then(setFound);
  const before = found?.digestIsTheSame;
  return (
    <>
      <button type="button" onClick={check}>
        {text("table-luck")}
      </button>
      {found && (
        <Dialog title={text("table-luck")} onClose={() => setFound(undefined)}>
          <p class={found.secretFits ? "note good" : "note bad"} role="status">
            {text(found.secretFits ? "table-luck-fits" : "table-luck-differs")}
          </p>
          <p class={before === false ? "note bad" : "hint"}>
            {text(before === undefined ? "table-luck-unseen" : before ? "table-luck-same" : "table-luck-changed")}
          </p>
          <dl class="luck">
            <dt>{text("table-luck-digest")}</dt>
            <dd>
              <code>{found.digest}</code>
            </dd>
          </dl>
          {connection && <Replayed connection={connection} />}
          <p class="hint">{text("table-luck-verify")}</p>
        </Dialog>
      )}
    </>
  );
}

/** What the server says of every die and shuffle: it has replayed the record. */
function Replayed({ connection }: { connection: Connection }) {
  const { isDone, failure } = useTask(() => replay(connection), [connection.id]);
  if (failure) return <FailureNote failure={failure} />;
  return (
    <p class={isDone ? "note good" : "note"} role="status">
      {text(isDone ? "table-luck-replayed" : "table-luck-replaying")}
    </p>
  );
}
