/** A record from a file: its end, its luck, and, if the server knows the match, every moment of it. */
import { useMemo, useState } from "preact/hooks";

import { matchOf, useTask } from "../connection";
import { useGame } from "../connection/catalog";
import { Waiting } from "../parts/notes";
import { text } from "../texts";
import { isSameRecord, matchOfFile, readRecordFile, recordFileOf } from "./model/record_file";
import type { RecordFile } from "./model/record_file";
import { Result } from "./result";
import { OpenRule, RuleDialog } from "./rules";
import { TableScreen } from "./table_screen";
import "./table.css";

export function ReplayScreen({ file }: { file: string }) {
  const record = useMemo(() => readRecordFile(file), [file]);
  if (record !== undefined) return <Replay file={file} record={record} />;
  return (
    <p class="note bad" role="alert">
      {text("record-unreadable")}
    </p>
  );
}

function Replay({ file, record }: { file: string; record: RecordFile }) {
  const [isSame, setSame] = useState<boolean>();
  const [rule, setRule] = useState<string>();
  const match = useMemo(() => matchOfFile(record), [record]);
  const game = useGame(match.game);
  const { isDone } = useTask(async () => {
    if (match.id) setSame(isSameRecord(await recordFileOf(matchOf(match.id)), file));
  }, [match.id]);
  if (isSame) return <TableScreen matchId={match.id} revision={0} />;
  return (
    <OpenRule.Provider value={setRule}>
      <div class="narrow">
        <h1>{game.value?.game?.title ?? match.game}</h1>
        <Result match={match} />
        {isSame === false && <p class="note bad">{text("table-record-other")}</p>}
        {isDone && isSame === undefined && <p class="note">{text("table-record-unknown")}</p>}
        {isDone ? <Commands record={record} /> : <Waiting />}
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
  );
}

/** The commands of a record, as they were given. */
function Commands({ record }: { record: RecordFile }) {
  return (
    <ol class="log">
      {record.commands.map(([seat, written], index) => (
        <li key={index}>
          <span class="log-revision">{index + 1}</span>
          <span>
            {record.seats[seat] ?? ""}: <code>{written}</code>
          </span>
        </li>
      ))}
    </ol>
  );
}
