/** What the score would be if the match ended now, line by line. */
import { useState } from "preact/hooks";
import type { Match as Connection } from "taflhall";
import type { ScoreProjection } from "taflhall/gen/v1/table";

import { useTask } from "../connection";
import { FailureNote, Waiting } from "../parts/notes";
import { language, text } from "../texts";
import { Reasons, ScoreTable } from "./score_table";

interface ProjectionProps {
  connection: Connection;
  names: readonly string[];
  /** The revision that is shown. */
  revision: number;
  /** The seat from which it is looked at; unset for a spectator. */
  viewer: number | undefined;
}

/** A part of the table's side that can be opened; the score follows the match while it is open. */
export function Projection(props: ProjectionProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="card projection" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{text("table-projection")}</summary>
      {isOpen && <Projected {...props} />}
    </details>
  );
}

function Projected({ connection, names, revision, viewer }: ProjectionProps) {
  const [found, setFound] = useState<ScoreProjection>();
  const { failure } = useTask(
    async (signal) => {
      const from = viewer === undefined ? {} : { seat: viewer };
      const { projection } = await connection.viewAt(revision, { ...from, withProjection: true, signal });
      setFound(projection);
    },
    [connection, revision, viewer, language.value],
  );
  if (failure) return <FailureNote failure={failure} />;
  if (found === undefined) return <Waiting />;
  if (found.seats.length === 0) {
    return (
      <>
        <p>{text("table-projection-none")}</p>
        <Reasons reasons={found.reasons} />
      </>
    );
  }
  const seats = found.seats.map((seat) => ({ ...seat, lines: seat.lines.filter(({ points }) => points !== 0) }));
  return (
    <>
      <ScoreTable title={text("table-projection-parts")} seats={seats} names={names} />
      <p class="hint">{text("table-projection-hint")}</p>
    </>
  );
}
