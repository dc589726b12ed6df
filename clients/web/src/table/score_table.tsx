/** Scores: one column a seat, and one row a part of the score with its rule. */
import type { NpcResult, SeatResult } from "taflhall/gen/v1/table";

import { text } from "../texts";
import { useNamed } from "./named";
import { Rule } from "./rules";

/** The score of a seat; how it ended for it, if it has ended. */
type Scored = Pick<SeatResult, "seat" | "score" | "lines"> & Partial<Pick<SeatResult, "won" | "text">>;

export function ScoreTable(props: {
  title: string;
  seats: readonly Scored[];
  /** The players' names by seat. */
  names: readonly string[];
  npc?: NpcResult | undefined;
}) {
  const { title, seats, names, npc } = props;
  const named = useNamed();
  const lines = new Map(seats.flatMap((seat) => seat.lines.map((line) => [line.id, line] as const)));
  const hasPoints = seats.some(({ score }) => score !== undefined);
  return (
    <div class="table-scroll">
      <table class="scores">
        <thead>
          <tr>
            <th scope="col">{title}</th>
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
          {seats.some((seat) => seat.text) && (
            <tr>
              <th scope="row">{text("table-how")}</th>
              {seats.map(({ seat, text: how = "" }) => (
                <td key={seat}>{named(how)}</td>
              ))}
              {npc && <td>{npc.text}</td>}
            </tr>
          )}
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

/** Why a match has ended, or what ends it, each with its rule. */
export function Reasons({ reasons }: { reasons: readonly { id: string; text: string; rule: string }[] }) {
  return (
    <ul class="reasons">
      {reasons.map((reason) => (
        <li key={reason.id}>
          {reason.text} <Rule number={reason.rule} />
        </li>
      ))}
    </ul>
  );
}
