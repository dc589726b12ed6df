import { useState } from "preact/hooks";
import { SpectatorPolicy } from "taflhall/gen/v1/match";
import type { Game } from "taflhall/gen/v1/catalog_service";

import { useAction } from "../parts/action";
import { Dialog } from "../parts/dialog";
import { Check, Choice, TextField } from "../parts/fields";
import { FailureNote } from "../parts/notes";
import { text } from "../texts";
import { openMatch } from "./seating";
import { defaultOf, setupOf } from "./setup";
import type { Chosen } from "./setup";
import { SetupForm } from "./setup_form";
import { NO_CLOCKS, TimeControlFields, timeControlOf } from "./time_control";

const POLICIES = [SpectatorPolicy.PUBLIC, SpectatorPolicy.DELAYED, SpectatorPolicy.NONE] as const;
/** How late spectators see a match that is shown with a delay. */
const DELAY_S = 180n;

/** The form that opens a match: every field of the game's setup, and what the service offers. */
export function CreateDialog({ game, onClose }: { game: Game; onClose: () => void }) {
  const [chosen, setChosen] = useState<Chosen>({});
  const [title, setTitle] = useState("");
  const [time, setTime] = useState(NO_CLOCKS);
  const [policy, setPolicy] = useState<(typeof POLICIES)[number]>(SpectatorPolicy.PUBLIC);
  const [unlisted, setUnlisted] = useState(false);
  const [invited, setInvited] = useState(false);
  const [bots, setBots] = useState(0);
  const [bot, setBot] = useState(game.bots[0]?.id ?? "");
  const action = useAction();
  const seats = seatsOf(game, chosen);
  const create = (event: Event): void => {
    event.preventDefault();
    const isDelayed = policy === SpectatorPolicy.DELAYED;
    action.run(async () => {
      const timeControl = timeControlOf(time);
      await openMatch({
        setup: setupOf(game, chosen),
        title: title.trim(),
        ...(timeControl && { timeControl }),
        spectators: { policy, ...(isDelayed && { delay: { seconds: DELAY_S } }) },
        unlisted,
        invitationRequired: invited,
        bots: Array.from({ length: Math.min(bots, seats - 1) }, () => bot),
      });
      onClose();
    });
  };
  return (
    <Dialog title={text("create-title", { game: game.title })} onClose={onClose} class="create">
      <form onSubmit={create}>
        <h3>{text("create-setup")}</h3>
        <SetupForm game={game} chosen={chosen} onChange={setChosen} />
        {game.bots.length > 0 && (
          <>
            <h3>{text("create-bots")}</h3>
            <div class="field-row">
              <Choice
                label={text("create-bots-count")}
                values={Array.from({ length: seats }, (_, n) => ({ value: n, label: String(n) }))}
                value={Math.min(bots, seats - 1)}
                onChange={setBots}
              />
              <Choice
                label={text("create-bots-kind")}
                values={game.bots.map(({ id, text: label }) => ({ value: id, label: label || id }))}
                value={bot}
                onChange={setBot}
              />
            </div>
          </>
        )}
        <h3>{text("create-time")}</h3>
        <TimeControlFields value={time} onChange={setTime} />
        <h3>{text("create-others")}</h3>
        <TextField label={text("create-name")} value={title} maxLength={64} onInput={setTitle} />
        <Choice
          label={text("create-spectators")}
          values={POLICIES.map((value) => ({
            value,
            label: text(`spectators-${SpectatorPolicy[value].toLowerCase()}`),
          }))}
          value={policy}
          onChange={setPolicy}
        />
        <Check
          label={text("create-unlisted")}
          hint={text("create-unlisted-hint")}
          value={unlisted}
          onInput={setUnlisted}
        />
        <Check
          label={text("create-invited")}
          hint={text("create-invited-hint")}
          value={invited}
          onInput={setInvited}
        />
        <FailureNote failure={action.failure} />
        <p class="buttons">
          <button type="submit" class="primary" disabled={action.isBusy}>
            {text("create")}
          </button>
          <button type="button" onClick={onClose}>
            {text("cancel")}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

/** Return how many seats a match with these fields is likely to have; the server decides. */
function seatsOf(game: Game, chosen: Chosen): number {
  const field = game.setupFields.find(({ name }) => name === "seats");
  const usual = field && defaultOf(field);
  const found = chosen["seats"] ?? usual;
  return typeof found === "number" && found > 0 ? found : game.maxSeats;
}
