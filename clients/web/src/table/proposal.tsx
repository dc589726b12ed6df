/** What a player has proposed: to take answers back, or to give the match up. */
import type { Match as Connection } from "taflhall";

import { useAction } from "../parts/action";
import { FailureNote } from "../parts/notes";
import { listText, text } from "../texts";
import type { TableState } from "./model/table_state";
import { nameOfSeat } from "./players";

export function ProposalBar(props: { state: TableState; own: readonly number[]; connection: Connection }) {
  const { state, own, connection } = props;
  const action = useAction();
  const proposal = state.match?.proposal;
  if (proposal === undefined) return null;
  const { id, seat, what, wanted } = proposal;
  const isOurs = own.includes(seat);
  const isAsked = wanted.some((one) => own.includes(one));
  const respond = (agree: boolean) => (): void =>
    action.run(async () => void (await connection.respond(id, agree)));
  const kind = what.case === "undo" ? "undo" : "abandon";
  return (
    <div class="proposal note" role="alertdialog" aria-label={text("table-proposal")}>
      <p>
        {text(`table-proposed-${kind}`, { name: nameOfSeat(state, seat) })}{" "}
        {wanted.length > 0 && !isAsked && (
          <small>
            {text("table-proposal-waits", { names: listText(wanted.map((one) => nameOfSeat(state, one))) })}
          </small>
        )}
      </p>
      <p class="buttons">
        {isAsked && (
          <button type="button" class="primary" disabled={action.isBusy} onClick={respond(true)}>
            {text("table-agree")}
          </button>
        )}
        {(isAsked || isOurs) && (
          <button type="button" disabled={action.isBusy} onClick={respond(false)}>
            {text(isOurs ? "table-proposal-withdraw" : "table-refuse")}
          </button>
        )}
      </p>
      <FailureNote failure={action.failure} />
    </div>
  );
}
