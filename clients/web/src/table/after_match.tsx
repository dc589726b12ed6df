/** What can be done once a match is over: play again, keep its record. */
import { toJsonString } from "@bufbuild/protobuf";
import type { Match as Connection } from "taflhall";
import type { Match } from "taflhall/gen/v1/match";
import { MatchRecordSchema } from "taflhall/gen/v1/match";

import { hrefOf } from "../app/router";
import { joinRematch } from "../lobby/seating";
import { useAction } from "../parts/action";
import { FailureNote } from "../parts/notes";
import { text } from "../texts";

export function AfterMatch(props: { match: Match; connection: Connection; isPlayer: boolean }) {
  const { match, connection, isPlayer } = props;
  const action = useAction();
  const save = async (): Promise<void> => {
    const record = await connection.record();
    if (record === undefined) return;
    const link = document.createElement("a");
    const file = new Blob([toJsonString(MatchRecordSchema, record)], { type: "application/json" });
    link.href = URL.createObjectURL(file);
    link.download = `${match.game}-${match.id}.json`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <>
      {isPlayer && (
        <button
          type="button"
          class="primary"
          disabled={action.isBusy}
          onClick={() => action.run(() => joinRematch(match.id))}
        >
          {text("table-rematch")}
        </button>
      )}
      {!isPlayer && match.nextMatchId && (
        <a class="button" href={hrefOf({ screen: "match", id: match.nextMatchId })}>
          {text("table-rematch-watch")}
        </a>
      )}
      <button type="button" disabled={action.isBusy} onClick={() => action.run(save)}>
        {text("table-record-save")}
      </button>
      <FailureNote failure={action.failure} />
    </>
  );
}
