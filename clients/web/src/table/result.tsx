/** The end of a match: places, the final scoring line by line with its rules, and its luck. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Match as Connection } from "taflhall";
import type { Match } from "taflhall/gen/v1/match";
import { MatchStatus } from "taflhall/gen/v1/match";

import { useTask } from "../connection";
import { Dialog } from "../parts/dialog";
import { FailureNote } from "../parts/notes";
import { text } from "../texts";
import type { LuckCheck } from "./model/luck";
import { checkLuck, replay } from "./model/luck";
import { Reasons, ScoreTable } from "./score_table";
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
          <Reasons reasons={result.reasons} />
          <ScoreTable
            title={text("table-result")}
            seats={result.seats}
            names={seats.map(({ name }) => name)}
            npc={result.npc}
          />
        </>
      )}
      <div class="buttons">
        {children}
        <Luck match={match} connection={connection} />
      </div>
    </section>
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
          <SecretFits fits={found.secretFits} />
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

/** Whether the secret of the match is the one whose digest it has shown. */
function SecretFits({ fits }: { fits: LuckCheck["secretFits"] }) {
  if (fits === undefined) return <p class="note">{text("table-luck-insecure")}</p>;
  return (
    <p class={fits ? "note good" : "note bad"} role="status">
      {text(fits ? "table-luck-fits" : "table-luck-differs")}
    </p>
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
