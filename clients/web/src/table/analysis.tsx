/** What each decision of a finished match was worth: a graph, and the answers that cost most. */
import { useState } from "preact/hooks";
import type { Match as Connection } from "taflhall";
import { EngineService } from "taflhall/gen/v1/engine_service";
import type { JudgedDecision } from "taflhall/gen/v1/engine_service";
import type { Option } from "taflhall/gen/v1/table";

import { useTask } from "../connection";
import { Dialog } from "../parts/dialog";
import { FailureNote } from "../parts/notes";
import { language, text } from "../texts";
import { briefly } from "./model/luck";
import { useNamed } from "./named";
import type { Range } from "./model/table_state";

/** Decisions that are judged by one call: it takes seconds. */
const PAGE = 2;
/** So many of the dearest answers are listed, of those that cost so much. */
const DEAREST = 8;
const LEAST_LOSS = 0.01;
const WIDTH = 600;
const HEIGHT = 160;

export function AnalysisDialog(props: {
  connection: Connection;
  names: readonly string[];
  last: number;
  onShow: (revision: number) => void;
  onClose: () => void;
}) {
  const { connection, names, last, onShow, onClose } = props;
  const [judged, setJudged] = useState<readonly JudgedDecision[]>([]);
  const [next, setNext] = useState(1);
  const { isDone, failure } = useTask(
    async (signal) => {
      const found = await connection.record({ signal });
      const record = found && briefly(found);
      for (let firstRevision = 1; record !== undefined && firstRevision > 0; ) {
        const request = { record, firstRevision, pageSize: PAGE, language: language.value };
        const page = await connection.client.call(EngineService.method.analyseRecord, request, { signal });
        setJudged((all) => [...all, ...page.decisions]);
        firstRevision = page.nextRevision;
        setNext(firstRevision || last);
      }
    },
    [connection.id],
  );
  const dearest = judged
    .filter(({ loss }) => loss >= LEAST_LOSS)
    .sort((a, b) => b.loss - a.loss)
    .slice(0, DEAREST);
  return (
    <Dialog title={text("table-analysis")} onClose={onClose}>
      <p class="hint">{text("table-analysis-about")}</p>
      <Graph judged={judged} names={names} range={{ first: 1, last }} />
      <ul class="analysis-legend">
        {names.map((name, seat) => (
          <li key={seat}>
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <circle class={`analysis-seat-${seat}`} cx={8} cy={8} r={6} />
            </svg>
            {name}
          </li>
        ))}
      </ul>
      {!isDone && (
        <progress max={last} value={next} aria-label={text("table-analysis-running")}>
          {text("table-analysis-running")}
        </progress>
      )}
      <FailureNote failure={failure} />
      <ol class="judged">
        {dearest.map((decision) => (
          <Judged key={decision.revision} decision={decision} names={names} onShow={onShow} />
        ))}
      </ol>
    </Dialog>
  );
}

/** What each seat could expect, over the revisions: from 0, lost, to 1, won alone. */
function Graph(props: { judged: readonly JudgedDecision[]; names: readonly string[]; range: Range }) {
  const { judged, names, range } = props;
  const width = Math.max(1, range.last - range.first);
  const x = (revision: number): number => ((revision - range.first) / width) * WIDTH;
  const y = (expected: number): number => (1 - expected) * HEIGHT;
  return (
    <svg
      class="analysis"
      viewBox={`-4 -18 ${WIDTH + 8} ${HEIGHT + 22}`}
      role="img"
      aria-label={text("table-analysis-graph")}
    >
      <path class="analysis-grid" d={`M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} />
      {[1, 0.5, 0].map((expected) => (
        <text key={expected} class="analysis-scale" y={y(expected) - 3}>
          {100 * expected} %
        </text>
      ))}
      {names.map((_, seat) => {
        const own = judged.filter((decision) => decision.seat === seat);
        const points = own.map(({ revision, expectedBefore }) => `${x(revision)},${y(expectedBefore)}`);
        return <polyline key={seat} class={`analysis-line analysis-seat-${seat}`} points={points.join(" ")} />;
      })}
      {judged.map(({ revision, seat, expectedAfter, loss }) => (
        <circle
          key={revision}
          class={`analysis-seat-${seat}`}
          cx={x(revision)}
          cy={y(expectedAfter)}
          r={2 + Math.min(6, loss * 20)}
        />
      ))}
    </svg>
  );
}

/** One answer, what would have been better, and by how much. */
function Judged(props: {
  decision: JudgedDecision;
  names: readonly string[];
  onShow: (revision: number) => void;
}) {
  const { decision, names, onShow } = props;
  const { revision, seat, chosen, best, loss } = decision;
  const named = useNamed();
  const written = (options: readonly Option[]): string => named(options.map((one) => one.text).join("; "));
  return (
    <li>
      <button type="button" class="log-revision" onClick={() => onShow(revision - 1)}>
        {revision}
      </button>{" "}
      <strong>{names[seat]}</strong>: {written(chosen)}
      <br />
      <span class="hint">
        {text("table-analysis-better", { better: written(best), loss: Math.round(loss * 100) })}
      </span>
    </li>
  );
}
