import { useState } from "preact/hooks";
import { requestId } from "taflhall";
import type { Game } from "taflhall/gen/v1/catalog_service";
import {
  TournamentFormat,
  TournamentService,
} from "taflhall/gen/tournament/v1/tournament_service";

import { go } from "../app/router";
import { client } from "../connection";
import { setupOf } from "../lobby/setup";
import type { Chosen } from "../lobby/setup";
import { SetupForm } from "../lobby/setup_form";
import { NO_CLOCKS, TimeControlFields, timeControlOf } from "../lobby/time_control";
import { useAction } from "../parts/action";
import { Choice, NumberField, TextField } from "../parts/fields";
import { FailureNote, Section } from "../parts/notes";
import { text } from "../texts";

const FORMATS = [
  TournamentFormat.ROUND_ROBIN,
  TournamentFormat.SWISS,
  TournamentFormat.KNOCKOUT,
  TournamentFormat.GAUNTLET,
  TournamentFormat.FREE_FOR_ALL,
] as const;

/** Announces a tournament; the server lets accounts with the role of a host do so. */
export function CreateTournament({ games }: { games: readonly Game[] }) {
  const [game, setGame] = useState(games[0]?.id ?? "");
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<Chosen>({});
  const [format, setFormat] = useState<(typeof FORMATS)[number]>(TournamentFormat.ROUND_ROBIN);
  const [rounds, setRounds] = useState(1);
  const [time, setTime] = useState({ ...NO_CLOCKS, isLimited: true });
  const action = useAction();
  const found = games.find(({ id }) => id === game);
  const create = (event: Event): void => {
    event.preventDefault();
    if (found === undefined) return;
    action.run(async () => {
      const timeControl = timeControlOf(time);
      const { tournament } = await client.value.call(TournamentService.method.createTournament, {
        name,
        setup: setupOf(found, chosen),
        format,
        rounds,
        ...(timeControl && { timeControl }),
        requestId: requestId(),
      });
      if (tournament !== undefined) go({ screen: "tournament", id: tournament.id });
    });
  };
  return (
    <Section title={text("tournament-create")}>
      <form onSubmit={create}>
        <TextField label={text("create-name")} value={name} maxLength={64} required onInput={setName} />
        <div class="field-row">
          <Choice
            label={text("setup-game")}
            values={games.map(({ id, title }) => ({ value: id, label: title }))}
            value={game}
            onChange={(id) => {
              setGame(id);
              setChosen({});
            }}
          />
          <Choice
            label={text("tournament-format")}
            values={FORMATS.map((value) => ({
              value,
              label: text(`format-${TournamentFormat[value].toLowerCase().replaceAll("_", "-")}`),
            }))}
            value={format}
            onChange={setFormat}
          />
          <NumberField
            label={text("tournament-rounds")}
            value={rounds}
            min={1}
            max={100}
            onInput={setRounds}
          />
        </div>
        {found && <SetupForm game={found} chosen={chosen} onChange={setChosen} />}
        <TimeControlFields value={time} onChange={setTime} />
        <FailureNote failure={action.failure} />
        <p class="buttons">
          <button type="submit" class="primary" disabled={action.isBusy}>
            {text("tournament-announce")}
          </button>
        </p>
      </form>
    </Section>
  );
}
