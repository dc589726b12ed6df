import type { MessageInitShape } from "@bufbuild/protobuf";

import type { Client } from "./client.js";
import { TaflhallError, fromRejection, lost } from "./errors.js";
import { MatchService } from "./gen/taflhall/v1/match_service_pb.js";
import type { PlayAllUpdate, SeatCredentialSchema } from "./gen/taflhall/v1/match_service_pb.js";
import type { Match as MatchMessage } from "./gen/taflhall/v1/match_pb.js";
import type { Bot, PlayOptions } from "./play.js";
import { Thinker, entering } from "./play.js";
import { Patience } from "./timing.js";

export interface PlayAllOptions extends PlayOptions {
  /** Accept invitations to at most so many matches (0: as many as fit) of these games (all). */
  readonly accept?: { readonly maxMatches?: number; readonly games?: string[] };
  /** Seats to play; without an API key the promise is kept when all of them have ended. */
  readonly seats?: readonly MessageInitShape<typeof SeatCredentialSchema>[];
  /** A match has entered the stream, for the first time or after the stream was lost. */
  readonly onEnter?: (matchId: string, seats: readonly number[]) => void;
  /** A match has left the stream, since it is over or somebody else has the seats. */
  readonly onEnd?: (matchId: string, match: MatchMessage | undefined) => void;
  /** A match cannot be played; the others go on. */
  readonly onFailure?: (matchId: string, failure: TaflhallError) => void;
}

/** Let a bot answer in all matches of a caller over one stream, which is opened again if lost. */
export async function playAll(client: Client, bot: Bot, options: PlayAllOptions): Promise<void> {
  const patience = new Patience(client);
  const enter = { ...entering(client, options), ...(options.accept && { offer: options.accept }) };
  const open = () => client.open(MatchService.method.playAll, { signal: options.signal });
  const left = new Map((options.seats ?? []).map((seat) => [seat.matchId ?? "", seat]));
  const thinkers = new Map<string, Thinker>();
  let stream = open();
  const isDone = (): boolean => !client.hasKey && left.size === 0;

  const leave = (matchId: string): void => {
    thinkers.delete(matchId);
    left.delete(matchId);
  };
  const fail = (matchId: string, failure: TaflhallError): void => {
    leave(matchId);
    options.onFailure?.(matchId, failure);
    if (isDone()) stream.cancel();
  };
  const thinkerOf = (matchId: string): Thinker => {
    const found =
      thinkers.get(matchId) ??
      new Thinker(
        bot,
        matchId,
        (answer) => stream.requests.push({ answers: [{ matchId, answer }] }),
        (error) => fail(matchId, asFailure(error)),
      );
    thinkers.set(matchId, found);
    return found;
  };
  const take = ({ matchId, update }: PlayAllUpdate): void => {
    if (update.case === "entered") options.onEnter?.(matchId, update.value.seats);
    else if (update.case === "failure") fail(matchId, fromRejection(update.value));
    else if (update.case === "play") {
      const { response } = update.value;
      if (response.case === "prompt") thinkerOf(matchId).consider(response.value);
      else if (response.case === "end") {
        leave(matchId);
        options.onEnd?.(matchId, response.value.match);
      } else if (response.case === "rejection") {
        thinkerOf(matchId)
          .again(response.value, options.signal)
          .catch((error: unknown) => fail(matchId, asFailure(error)));
      }
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
