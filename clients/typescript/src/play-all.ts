import type { Client } from "./client.js";
import { TaflhallError, fromRejection, lost } from "./errors.js";
import { MatchService } from "./gen/taflhall/v1/match_service_pb.js";
import type {
  PlayAllEntered,
  PlayAllUpdate,
  PlayResponse,
} from "./gen/taflhall/v1/match_service_pb.js";
import type { Match as MatchMessage } from "./gen/taflhall/v1/match_pb.js";
import type { Match } from "./match.js";
import type { Answer, Bot, PlayOptions } from "./play.js";
import { Thinker, entering } from "./play.js";
import { Patience } from "./timing.js";
import { isOver, replaced } from "./watch.js";

export interface PlayAllOptions extends PlayOptions {
  /** Accept invitations to at most so many matches (0: as many as fit) of these games (all). */
  readonly offer?: { readonly maxMatches?: number; readonly games?: string[] };
  /** Seats to play; without an API key the promise is kept when all of them have ended. */
  readonly seats?: readonly Match[];
  /** A match has left the stream: it is over, or is no longer played here, and the failure says why. */
  readonly onEnd?: (matchId: string, outcome: MatchMessage | TaflhallError) => void;
}

/** Makes the bot of a match that has entered. */
export type NewBot = (entered: PlayAllEntered) => Bot;

/** Let bots answer in all matches of a caller over one stream, which is opened again if lost. */
export async function playAll(
  client: Client,
  newBot: NewBot,
  options: PlayAllOptions,
): Promise<void> {
  const patience = new Patience(client);
  const enter = { ...entering(client, options), ...(options.offer && { offer: options.offer }) };
  const open = () => client.open(MatchService.method.playAll, { signal: options.signal });
  const credential = ({ id, secret = "" }: Match) => ({ matchId: id, seatSecret: secret });
  const left = new Map((options.seats ?? []).map((seat) => [seat.id, credential(seat)]));
  const thinkers = new Map<string, Thinker>();
  let stream = open();
  const isDone = (): boolean => !client.hasKey && left.size === 0;

  const leave = (matchId: string, outcome: MatchMessage | TaflhallError): void => {
    thinkers.delete(matchId);
    left.delete(matchId);
    options.onEnd?.(matchId, outcome);
    if (isDone()) stream.cancel();
  };
  const enterMatch = (matchId: string, entered: PlayAllEntered): void => {
    if (thinkers.has(matchId)) return; // the stream was opened again
    const send = (answer: Answer) => stream.requests.push({ answers: [{ matchId, answer }] });
    const fail = (error: unknown) => leave(matchId, asFailure(error));
    try {
      thinkers.set(matchId, new Thinker(newBot(entered), client, send, fail));
    } catch (error) {
      fail(error);
    }
  };
  const play = (matchId: string, { response }: PlayResponse): void => {
    const thinker = thinkers.get(matchId);
    if (thinker === undefined) return;
    if (response.case === "prompt") thinker.consider(response.value);
    else if (response.case === "rejection") {
      thinker
        .again(response.value, options.signal)
        .catch((error: unknown) => leave(matchId, asFailure(error)));
    } else if (response.case === "end") {
      const { match } = response.value;
      leave(matchId, isOver(response.value) && match ? match : replaced());
    }
  };
  const take = ({ matchId, update }: PlayAllUpdate): void => {
    if (update.case === "entered") enterMatch(matchId, update.value);
    else if (update.case === "play") play(matchId, update.value);
    else if (update.case === "failure") {
      leave(matchId, fromRejection(update.value, client.language));
    }
  };

  for (;;) {
    let failure = lost("the stream ended");
    try {
      stream.requests.push({ enter, seats: [...left.values()] });
      for (;;) {
        const message = await stream.next();
        if (message === undefined) break;
        patience.heard();
        message.updates.forEach(take);
        if (isDone()) return;
      }
    } catch (error) {
      if (!(error instanceof TaflhallError)) throw error;
      failure = error;
    } finally {
      stream.cancel();
    }
    if (isDone()) return;
    await patience.wait(failure, options.signal);
    stream = open();
  }
}

function asFailure(error: unknown): TaflhallError {
  if (error instanceof TaflhallError) return error;
  return new TaflhallError("BOT_FAILED", `the bot failed: ${String(error)}`, { cause: error });
}
