import { useState } from "preact/hooks";

import { hrefOf } from "../app/router";
import { useAction } from "../parts/action";
import { TextField } from "../parts/fields";
import { FailureNote } from "../parts/notes";
import { playerName } from "../session/person";
import { text } from "../texts";
import { nameOrGuest } from "./names";
import { joinByCode } from "./seating";

/** A field for the code of an invitation. */
export function JoinByCode() {
  const [code, setCode] = useState("");
  const action = useAction();
  const join = (event: Event): void => {
    event.preventDefault();
    action.run(() => joinByCode(code));
  };
  return (
    <form class="join-code" onSubmit={join}>
      <TextField label={text("join-code")} value={code} maxLength={32} required onInput={setCode} />
      <button type="submit" disabled={action.isBusy}>
        {text("join")}
      </button>
      <FailureNote failure={action.failure} />
    </form>
  );
}

/** What the link of an invitation opens: a name, and one button. */
export function JoinScreen({ id, code }: { id: string; code: string }) {
  const action = useAction();
  const join = (event: Event): void => {
    event.preventDefault();
    action.run(() => joinByCode(code));
  };
  return (
    <div class="narrow">
      <h1>{text("invited-title")}</h1>
      <form class="card" onSubmit={join}>
        <p>{text("invited-about")}</p>
        <TextField
          label={text("your-name")}
          value={nameOrGuest()}
          maxLength={64}
          required
          onInput={(value) => (playerName.value = value)}
        />
        <FailureNote failure={action.failure} />
        <p class="buttons">
          <button type="submit" class="primary" disabled={action.isBusy}>
            {text("sit-down")}
          </button>
          <a class="button" href={hrefOf({ screen: "match", id })}>
            {text("invited-watch")}
          </a>
        </p>
      </form>
    </div>
  );
}
