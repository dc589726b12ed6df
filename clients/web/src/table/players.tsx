/** The players: who they are, who is waited for, their clocks, presence and reactions. */
import { useEffect, useReducer } from "preact/hooks";
import type { MatchPresence, SeatClock } from "taflhall/gen/v1/match";
import { Reaction, SeatKind } from "taflhall/gen/v1/match";

import { text } from "../texts";
import { clockText, faceOf } from "./model/clock";
import type { ServerClock } from "./model/clock";
import type { NumberedReaction, TableState } from "./model/table_state";
import { waitedFor } from "./model/table_state";

export function Players(props: {
  state: TableState;
  clock: ServerClock;
  own: readonly number[];
  /** Look from another of the own seats. */
  onLookFrom: (seat: number) => void;
}) {
  const { state, clock, own, onLookFrom } = props;
  const waited = waitedFor(state);
  return (
    <ul class="players" aria-label={text("table-players")}>
      {state.match?.seats.map((seat) => {
        const { index } = seat;
        const isWaited = waited.includes(index);
        const marks = [
          own.includes(index) && text("table-you"),
          seat.kind === SeatKind.BOT && text("table-bot"),
          seat.deputy && text("table-deputy"),
          seat.standIn && text("table-stand-in"),
          seat.resigned && text("table-resigned"),
        ].filter((mark) => mark !== false);
        return (
          <li key={index} class="player" data-seat={index} data-waited={isWaited} data-own={own.includes(index)}>
            <Presence presence={state.presence} seat={index} isBot={seat.botId !== ""} />
            <span class="player-name">{seat.name || text("table-seat", { seat: index + 1 })}</span>
            {marks.length > 0 && <small class="player-marks">{marks.join(", ")}</small>}
            {isWaited && <small class="player-waited">{text("table-decides")}</small>}
            {own.length > 1 && own.includes(index) && (
              <button
                type="button"
                class="quiet"
                aria-pressed={state.view?.seat === index}
                onClick={() => onLookFrom(index)}
              >
                {text("table-look-from")}
              </button>
            )}
            <Clock of={state.clocks?.seats[index]} clock={clock} />
            <Said reactions={state.reactions} seat={index} />
          </li>
        );
      })}
    </ul>
  );
}

/** The name of a seat's player. */
export function nameOfSeat(state: TableState, seat: number): string {
  return state.match?.seats[seat]?.name || text("table-seat", { seat: seat + 1 });
}

function Presence(props: { presence: MatchPresence | undefined; seat: number; isBot: boolean }) {
  const found = props.presence?.seats.find(({ seat }) => seat === props.seat);
  if (found === undefined) return null;
  const isHere = found.connected || props.isBot;
  const label = text(isHere ? "table-here" : "table-away");
  return <span class="presence" data-here={isHere} role="img" aria-label={label} title={label} />;
}

const TICK_MS = 100;

/** A clock that counts down, by the store's time; it is right again at once after a hidden tab. */
function Clock({ of, clock }: { of: SeatClock | undefined; clock: ServerClock }) {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  const isRunning = of?.deadline !== undefined && !of.paused;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => tick(undefined), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  if (of === undefined) return null;
  const { leftMs, running } = faceOf(of, clock, Date.now());
  const state = of.paused ? "paused" : of.standIn ? "off" : running ? "running" : "stopped";
  return (
    <time
      class="clock"
      role="timer"
      data-state={state}
      data-low={running && leftMs < 20_000}
      aria-label={text("table-clock", { time: clockText(leftMs) })}
      title={of.paused ? text("table-clock-paused") : undefined}
    >
      {clockText(leftMs)}
    </time>
  );
}

/** What a reaction is shown as. */
export const REACTIONS: readonly (readonly [Reaction, string, string])[] = [
  [Reaction.HELLO, "👋", "hello"],
  [Reaction.GOOD_LUCK, "🍀", "good-luck"],
  [Reaction.WELL_PLAYED, "👏", "well-played"],
  [Reaction.THANKS, "🙏", "thanks"],
  [Reaction.OOPS, "🙈", "oops"],
  [Reaction.WOW, "😮", "wow"],
  [Reaction.THINKING, "🤔", "thinking"],
  [Reaction.GOOD_GAME, "🤝", "good-game"],
];

/** The last reaction of a seat; it fades by itself. */
function Said({ reactions, seat }: { reactions: readonly NumberedReaction[]; seat: number }) {
  const last = reactions.filter(({ reaction }) => reaction.seat === seat).at(-1);
  const known = REACTIONS.find(([reaction]) => reaction === last?.reaction.reaction);
  if (last === undefined || known === undefined) return null;
  const [, sign, word] = known;
  return (
    <span key={last.number} class="said" role="status">
      <span aria-hidden="true">{sign}</span> {text(`table-reaction-${word}`)}
    </span>
  );
}
