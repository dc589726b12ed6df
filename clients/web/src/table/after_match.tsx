/** What can be done once a match is over: play again, keep its record, judge its decisions. */
import { useState } from "preact/hooks";
import type { Match as Connection } from "taflhall";
import type { Match } from "taflhall/gen/v1/match";

import { hrefOf } from "../app/router";
import { joinRematch } from "../lobby/seating";
import { useAction } from "../parts/action";
import { FailureNote } from "../parts/notes";
import { text } from "../texts";
import { AnalysisDialog } from "./analysis";
import { recordFileOf } from "./model/record_file";

export function AfterMatch(props: {
  match: Match;
  connection: Connection;
  isPlayer: boolean;
  onShow: (revision: number) => void;
}) {
  const { match, connection, isPlayer, onShow } = props;
  const [isAnalysed, setAnalysed] = useState(false);
  const action = useAction();
  const save = async (): Promise<void> => {
    const link = document.createElement("a");
    const file = new Blob([await recordFileOf(connection)], { type: "application/json" });
    link.href = URL.createObjectURL(file);
    link.download = `${match.id}.json`;
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
      <button type="button" onClick={() => setAnalysed(true)}>
        {text("table-analysis")}
      </button>
      <FailureNote failure={action.failure} />
      {isAnalysed && (
        <AnalysisDialog
          connection={connection}
          names={match.seats.map(({ name }) => name)}
          last={match.revision}
          onShow={(revision) => {
            setAnalysed(false);
            onShow(revision);
          }}
          onClose={() => setAnalysed(false)}
        />
      )}
    </>
  );
}
