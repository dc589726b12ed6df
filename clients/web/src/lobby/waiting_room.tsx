import { useState } from "preact/hooks";
import { MatchStatus } from "taflhall";
import type { Game } from "taflhall/gen/v1/catalog_service";
import type { Match as MatchMessage, MatchPresence, Seat } from "taflhall/gen/v1/match";

import { hrefOf, linkTo } from "../app/router";
import { createdMatchOf } from "../connection";
import { useGames } from "../connection/catalog";
import type { Action } from "../parts/action";
import { useAction } from "../parts/action";
import { Choice, TextField } from "../parts/fields";
import { FailureNote, Section } from "../parts/notes";
import { credentialsOf } from "../session/credentials";
import { playerName } from "../session/person";
import { text } from "../texts";
import { nameOrGuest } from "./names";
import { cancelMatch, sitDown, standUp } from "./seating";
import { SetupList } from "./setup_list";

/** A match that has not started: who sits where, how it will be laid out, and how others come. */
export function WaitingRoom(props: { match: MatchMessage; presence: MatchPresence | undefined }) {
  const { match, presence } = props;
  const game = useGames()?.find(({ id }) => id === match.game);
  const action = useAction();
  const own = credentialsOf(match.id);
  const isCreator = own.creatorSecret !== undefined;
  const isSeated = own.seatSecret !== undefined;
  const free = match.seats.filter(({ name }) => !name).length;
  if (match.status === MatchStatus.ABANDONED) {
    return (
      <div class="narrow">
        <h1>{text("match-cancelled")}</h1>
        <p>
          <a href={hrefOf({ screen: "lobby" })}>{text("to-lobby")}</a>
        </p>
      </div>
    );
  }
  return (
    <div class="waiting-room">
      <h1>{match.title || game?.title || match.game}</h1>
      <p class="soft" role="status">
        {free > 0 ? text("waiting-for", { count: free }) : text("waiting-start")}
      </p>
      <FailureNote failure={action.failure} />
      <div class="columns">
        <Section title={text("seats")}>
          {!isSeated && (
            <TextField
              label={text("your-name")}
              value={nameOrGuest()}
              maxLength={64}
              required
              onInput={(value) => (playerName.value = value)}
            />
          )}
          <ol class="seats">
            {match.seats.map((seat) => (
              <SeatRow
                key={seat.index}
                seat={seat}
                match={match}
                isHere={presence?.seats[seat.index]?.connected ?? false}
                isOwn={isSeated && (own.seats ?? []).includes(seat.index)}
                canSit={!isSeated}
                isCreator={isCreator}
                action={action}
              />
            ))}
          </ol>
          {isCreator && game && <AddBot match={match} game={game} action={action} />}
          <p class="buttons">
            {free === 0 && (isCreator || isSeated) && (
              <button
                type="button"
                class="primary"
                disabled={action.isBusy}
                onClick={() => action.run(async () => void (await createdMatchOf(match.id).start()))}
              >
                {text("start")}
              </button>
            )}
            {isSeated && (
              <button
                type="button"
                disabled={action.isBusy}
                onClick={() => action.run(() => standUp(match.id))}
              >
                {text("stand-up")}
              </button>
            )}
            {isCreator && (
              <button
                type="button"
                disabled={action.isBusy}
                onClick={() => action.run(() => cancelMatch(match.id))}
              >
                {text("cancel-match")}
              </button>
            )}
          </p>
        </Section>
        <div>
          {free > 0 && <Invitation id={match.id} code={own.joinCode} />}
          {game && match.setup && (
            <Section title={text("setup")}>
              <SetupList game={game} setup={match.setup} timeControl={match.timeControl} />
            </Section>
          )}
        </div>
      </div>
    </div>
  );
}

function SeatRow(props: {
  seat: Seat;
  match: MatchMessage;
  isHere: boolean;
  isOwn: boolean;
  canSit: boolean;
  isCreator: boolean;
  action: Action;
}) {
  const { seat, match, isHere, isOwn, canSit, isCreator, action } = props;
  const isFree = !seat.name;
  const remove = async (): Promise<void> => void (await createdMatchOf(match.id).remove(seat.index));
  return (
    <li class="seat" data-seat={seat.index} data-own={isOwn || undefined}>
      <span class="seat-mark" aria-hidden="true">
        {seat.index + 1}
      </span>
      <span class="seat-name">
        {isFree ? <em>{text(seat.invitedAccountId ? "seat-reserved" : "seat-free")}</em> : seat.name}
        {isOwn && <span class="soft"> {text("seat-own")}</span>}
        {seat.botId && <span class="soft"> {text("seat-bot")}</span>}
      </span>
      {!isFree && (
        <span class="presence" data-here={isHere}>
          <span class="unseen">{text(isHere ? "seat-here" : "seat-away")}</span>
        </span>
      )}
      {isFree && canSit && (
        <button
          type="button"
          disabled={action.isBusy}
          onClick={() => action.run(() => sitDown(match.id, seat.index))}
        >
          {text("sit-here")}
        </button>
      )}
      {!isFree && isCreator && !isOwn && (
        <button
          type="button"
          class="quiet"
          disabled={action.isBusy}
          aria-label={text("remove", { name: seat.name })}
          onClick={() => action.run(remove)}
        >
          ✕
        </button>
      )}
    </li>
  );
}

/** Lets a bot of the server take a free seat. */
function AddBot({ match, game, action }: { match: MatchMessage; game: Game; action: Action }) {
  const [bot, setBot] = useState(game.bots[0]?.id ?? "");
  const hasFree = match.seats.some(({ name }) => !name);
  if (!hasFree || game.bots.length === 0) return null;
  return (
    <div class="add-bot">
      <Choice
        label={text("create-bots-kind")}
        values={game.bots.map(({ id, text: label }) => ({ value: id, label: label || id }))}
        value={bot}
        onChange={setBot}
      />
      <button
        type="button"
        disabled={action.isBusy}
        onClick={() => action.run(async () => void (await createdMatchOf(match.id).addBot(bot)))}
      >
        {text("add-bot")}
      </button>
    </div>
  );
}

/** The link and the code by which others come; without a code the link of the match. */
function Invitation({ id, code }: { id: string; code: string | undefined }) {
  const link = linkTo(code ? { screen: "join", id, code } : { screen: "match", id });
  return (
    <Section title={text("invite")}>
      <p>{text(code ? "invite-about" : "invite-about-link")}</p>
      <Copyable label={text("invite-link")} value={link} />
      {code && <Copyable label={text("invite-code")} value={code} />}
    </Section>
  );
}

function Copyable({ label, value }: { label: string; value: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void =>
    void navigator.clipboard?.writeText(value).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), 2000);
    });
  return (
    <div class="copyable">
      <label>
        <span>{label}</span>
        <input readOnly value={value} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button type="button" onClick={copy} aria-label={text("copy-what", { what: label })}>
        {text(isCopied ? "copied" : "copy")}
      </button>
    </div>
  );
}
