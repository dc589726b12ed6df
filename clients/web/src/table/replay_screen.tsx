/** A record from a file: its end, its luck, and, if the server knows the match, every moment of it. */
import { useState } from "preact/hooks";
import type { Match, MatchRecord } from "taflhall/gen/v1/match";

import { matchOf, useTask } from "../connection";
import { useGame } from "../connection/catalog";
import { Waiting } from "../parts/notes";
import { text } from "../texts";
import { fieldsOf, kindOf } from "./model/candidates";
import { Result } from "./result";
import { OpenRule, RuleDialog } from "./rules";
import { TableScreen } from "./table_screen";
import "./table.css";

export function ReplayScreen({ record }: { record: MatchRecord }) {
  const { match } = record;
  return match === undefined ? (
    <p class="note bad">{text("table-record-empty")}</p>
  ) : (
    <Replay match={match} record={record} />
  );
}

function Replay({ match, record }: { match: Match; record: MatchRecord }) {
  const [isKnown, setKnown] = useState<boolean>();
  const [rule, setRule] = useState<string>();
  const game = useGame(match.game);
  const asked = useTask(async () => {
    await matchOf(match.id).viewAt(0);
    setKnown(true);
  }, [match.id]);
  const isUnknown = asked.failure !== undefined;
  if (isKnown) return <TableScreen matchId={match.id} revision={0} />;
  return (
    <OpenRule.Provider value={setRule}>
      <div class="narrow">
        <h1>{match.title || game.value?.game?.title}</h1>
        <Result match={match} />
        {isUnknown ? <p class="note">{text("table-record-unknown")}</p> : <Waiting />}
        {isUnknown && <Commands record={record} match={match} />}
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
function Commands({ record, match }: { record: MatchRecord; match: Match }) {
  return (
    <ol class="log">
      {record.commands.map(({ seat, commands, metaCommand }, index) => (
        <li key={index}>
          <span class="log-revision">{index + 1}</span>
          <span>
            {seat === undefined ? "" : (match.seats[seat]?.name ?? "")}:{" "}
            {commands.length > 0 ? commands.map(written).join("; ") : text(`table-meta-${metaCommand}`)}
          </span>
        </li>
      ))}
    </ol>
  );
}

function written(command: Parameters<typeof kindOf>[0]): string {
  const fields = Object.entries(fieldsOf(command)).filter(([name]) => !name.startsWith("$"));
  return [kindOf(command), ...fields.map(([name, value]) => `${name}=${String(value)}`)].join(" ");
}
