/** What a player can do besides answering: undo, resign, hand the seat over, react, end the match. */
import { useState } from "preact/hooks";
import type { Match as Connection } from "taflhall";
import type { Seat } from "taflhall/gen/v1/match";

import { linkTo } from "../app/router";
import { useAction } from "../parts/action";
import { Dialog, Question } from "../parts/dialog";
import { FailureNote } from "../parts/notes";
import { text } from "../texts";
import { REACTIONS } from "./players";
import { playerName } from "../session/person";

type Asked = "resign" | "abandon" | "deputy";

export function Actions(props: { connection: Connection; seat: Seat; isCooperative: boolean }) {
  const { connection, seat, isCooperative } = props;
  const [asked, setAsked] = useState<Asked>();
  const [deputySecret, setDeputySecret] = useState("");
  const action = useAction();
  const at = { seat: seat.index };
  const close = (): void => setAsked(undefined);
  const isAway = seat.deputy || seat.standIn;
  return (
    <div class="actions">
      <div class="buttons">
        <button
          type="button"
          disabled={action.isBusy}
          onClick={() => action.run(async () => void (await connection.propose({ case: "undo", value: {} }, at)))}
        >
          {text("table-undo")}
        </button>
        {isAway ? (
          <button
            type="button"
            class="primary"
            disabled={action.isBusy}
            onClick={() => action.run(async () => void (await connection.reclaim(at)))}
          >
            {text("table-reclaim")}
          </button>
        ) : (
          <button type="button" disabled={action.isBusy} onClick={() => setAsked("deputy")}>
            {text("table-delegate")}
          </button>
        )}
        <button type="button" disabled={action.isBusy} onClick={() => setAsked("abandon")}>
          {text("table-abandon")}
        </button>
        <button type="button" class="danger" disabled={action.isBusy} onClick={() => setAsked("resign")}>
          {text("table-resign")}
        </button>
      </div>
      <div class="reactions" role="group" aria-label={text("table-reactions")}>
        {REACTIONS.map(([reaction, sign, word]) => (
          <button
            key={word}
            type="button"
            class="quiet"
            aria-label={text(`table-reaction-${word}`)}
            title={text(`table-reaction-${word}`)}
            onClick={() => action.run(() => connection.react(reaction, at))}
          >
            {sign}
          </button>
        ))}
      </div>
      <FailureNote failure={action.failure} />
      {asked === "resign" && (
        <Question
          title={text("table-resign-question")}
          yes={text("table-resign")}
          onYes={() => action.run(async () => void (await connection.resign(at)))}
          onClose={close}
        >
          <p>{text(isCooperative ? "table-resign-all" : "table-resign-alone")}</p>
        </Question>
      )}
      {asked === "abandon" && (
        <Question
          title={text("table-abandon-question")}
          yes={text("table-propose")}
          onYes={() =>
            action.run(async () => void (await connection.propose({ case: "abandon", value: {} }, at)))
          }
          onClose={close}
        >
          <p>{text("table-abandon-about")}</p>
        </Question>
      )}
      {asked === "deputy" && (
        <Question
          title={text("table-delegate-question")}
          yes={text("table-delegate")}
          onYes={() =>
            action.run(async () => {
              const name = text("table-deputy-name", { name: seat.name || playerName.value });
              setDeputySecret((await connection.delegate(name, at)).deputySecret);
            })
          }
          onClose={close}
        >
          <p>{text("table-delegate-about")}</p>
        </Question>
      )}
      {deputySecret && (
        <Dialog title={text("table-deputy-link")} onClose={() => setDeputySecret("")}>
          <p>{text("table-deputy-link-about")}</p>
          <p>
            <code class="secret">{linkTo({ screen: "deputy", id: connection.id, secret: deputySecret })}</code>
          </p>
        </Dialog>
      )}
    </div>
  );
}

