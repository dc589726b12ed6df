import type { Game } from "taflhall/gen/v1/catalog_service";
import type { TimeControl } from "taflhall/gen/v1/match";
import { TimeoutPolicy } from "taflhall/gen/v1/match";
import type { Setup } from "taflhall/gen/v1/table";

import { text } from "../texts";
import { describeSetup } from "./setup";
import { fieldLabel } from "./setup_form";

/** How a match is laid out and timed, as far as it differs from the usual. */
export function SetupList(props: {
  game: Game;
  setup: Setup;
  timeControl: TimeControl | undefined;
}) {
  const { game, setup, timeControl } = props;
  const described = describeSetup(game, setup, { yes: text("yes"), no: text("no") });
  return (
    <dl class="setup-list">
      <dt>{text("setup-game")}</dt>
      <dd>{game.title}</dd>
      {described.map(({ field, value }) => (
        <>
          <dt key={field.name}>{fieldLabel(field)}</dt>
          <dd>{value}</dd>
        </>
      ))}
      {described.length === 0 && (
        <>
          <dt>{text("setup")}</dt>
          <dd>{text("setup-usual")}</dd>
        </>
      )}
      <dt>{text("create-time")}</dt>
      <dd>{timeControl ? timeControlText(timeControl) : text("time-none")}</dd>
    </dl>
  );
}

/** Return a time control in words. */
export function timeControlText(control: TimeControl): string {
  const base = Number(control.base?.seconds ?? 0n);
  return text("time-control", {
    minutes: base / 60,
    seconds: base % 60 === 0 ? 0 : base, // whole minutes are named as such
    increment: Number(control.increment?.seconds ?? 0n),
    free: Number(control.perDecision?.seconds ?? 0n),
    policy: TimeoutPolicy[control.onTimeout].toLowerCase(),
  });
}
