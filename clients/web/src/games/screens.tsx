import type { Game, SetupField } from "taflhall/gen/v1/catalog_service";
import { SetupField_Type } from "taflhall/gen/v1/catalog_service";

import { hrefOf } from "../app/router";
import { useGame, useGames } from "../connection/catalog";
import { Emblem } from "../lobby/emblem";
import { defaultOf, wordOf } from "../lobby/setup";
import { fieldLabel } from "../lobby/setup_form";
import { FailureNote, RuleLink, Section, Waiting } from "../parts/notes";
import { listText, text } from "../texts";
import { Components } from "./components";

/** The games of the server. */
export function GamesScreen() {
  const games = useGames();
  if (games === undefined) return <Waiting />;
  return (
    <>
      <h1>{text("nav-games")}</h1>
      <ul class="game-list">
        {games.map((game) => (
          <li key={game.id} class="card">
            <Emblem game={game.id} />
            <div>
              <h2>{game.title}</h2>
              <Facts game={game} />
              <p class="links">
                <a href={hrefOf({ screen: "game", game: game.id })}>{text("game-options")}</a>
                <a href={hrefOf({ screen: "rules", game: game.id })}>{text("game-rules")}</a>
              </p>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A game: every field of its setup explained, its bots, and all that is in its box. */
export function GameScreen({ game: id }: { game: string }) {
  const { value: whole, failure } = useGame(id);
  const game = whole?.game;
  if (failure !== undefined) return <FailureNote failure={failure} />;
  if (whole === undefined || game === undefined) return <Waiting />;
  return (
    <>
      <h1>{game.title}</h1>
      <Facts game={game} />
      <p class="links">
        <a href={hrefOf({ screen: "rules", game: id })}>{text("game-rules")}</a>
      </p>
      <Section title={text("setup-fields")}>
        <p class="soft">{text("setup-fields-about")}</p>
        <dl class="setup-fields">
          {game.setupFields.map((field) => (
            <FieldEntry key={field.name} game={id} field={field} />
          ))}
        </dl>
      </Section>
      <Section title={text("game-bots")}>
        <ul>
          {game.bots.map((bot) => (
            <li key={bot.id}>
              <strong>{bot.id}</strong>: {bot.text}
            </li>
          ))}
        </ul>
      </Section>
      <Components game={id} components={whole.components} />
    </>
  );
}

function Facts({ game }: { game: Game }) {
  return (
    <p class="soft">
      {text("game-seats", { min: game.minSeats, max: game.maxSeats })}
      {" · "}
      {text(game.cooperative ? "game-cooperative" : "game-competitive")}
      {" · "}
      {text("game-version", { version: game.rulesVersion })}
    </p>
  );
}

function FieldEntry({ game, field }: { game: string; field: SetupField }) {
  return (
    <div>
      <dt>
        {fieldLabel(field)} <RuleLink game={game} rule={field.rule} /> <code>{field.name}</code>
      </dt>
      <dd>
        {valuesText(field)}
        {" · "}
        {defaultText(field)}
      </dd>
    </div>
  );
}

function valuesText(field: SetupField): string {
  const words = { yes: text("yes"), no: text("no") };
  const one =
    field.type === SetupField_Type.BOOL
      ? `${words.yes}, ${words.no}`
      : field.type === SetupField_Type.NAME
        ? listText(field.values.map(({ text: label, name }) => label || name), "or")
        : text("setup-range", { min: field.min, max: field.max });
  return field.repeated ? text("setup-several", { values: one }) : one;
}

function defaultText(field: SetupField): string {
  const usual = defaultOf(field);
  const words = { yes: text("yes"), no: text("no") };
  const values = usual === undefined ? [] : [usual].flat();
  if (values.length === 0) return text("setup-left-open");
  return text("setup-default", {
    value: listText(values.map((value) => wordOf(field, value, words))),
  });
}
