import type { MessageInitShape } from "@bufbuild/protobuf";

import type { CallOptions, Client } from "./client.js";
import { TaflhallError, lost } from "./errors.js";
import { StreamEndCause } from "./gen/taflhall/v1/match_service_pb.js";
import { MatchService } from "./gen/taflhall/v1/match_service_pb.js";
import type { MatchPresence, SeatReaction } from "./gen/taflhall/v1/match_pb.js";
import type {
  MatchChange,
  MatchSnapshot,
  StreamEnd,
  WatchMatchRequestSchema,
} from "./gen/taflhall/v1/match_service_pb.js";
import { Patience } from "./timing.js";

/**
 * What a watch delivers: the match as it is, a change, or the end of the match; which players are
 * there and reactions, if they were requested.
 */
export type Update = { readonly revision: number; readonly resumeToken: string } & (
  | { readonly kind: "snapshot"; readonly value: MatchSnapshot }
  | { readonly kind: "change"; readonly value: MatchChange }
  | { readonly kind: "end"; readonly value: StreamEnd }
  | { readonly kind: "presence"; readonly value: MatchPresence }
  | { readonly kind: "reaction"; readonly value: SeatReaction }
);

/** Yield the updates of a match until it is over; a lost stream is opened again. */
export async function* watch(
  client: Client,
  request: MessageInitShape<typeof WatchMatchRequestSchema> & object,
  options: CallOptions & { readonly secret?: string | undefined },
): AsyncGenerator<Update> {
  const patience = new Patience(client);
  let resumeToken = request.resumeToken ?? "";
  let at: number | undefined;
  for (;;) {
    const stream = client.open(MatchService.method.watchMatch, options);
    let failure = lost("the stream ended");
    try {
      stream.requests.push({ ...request, resumeToken });
      stream.requests.close();
      for (;;) {
        const message = await stream.next();
        if (message === undefined) break;
        patience.heard();
        const { update, revision } = message;
        if (update.case === "change" && at !== undefined && revision !== at + 1) {
          if (revision <= at) continue;
          failure = lost(`the stream skipped revision ${at + 1}`);
          break;
        }
        resumeToken = message.resumeToken || resumeToken;
        if (update.case === "end") {
          if (isOver(update.value)) {
            yield { kind: "end", revision, resumeToken, value: update.value };
            return;
          }
          if (update.value.cause === StreamEndCause.REPLACED) throw replaced();
          failure = lost("the server closed the stream");
          break;
        }
        if (update.case === "snapshot" || update.case === "change") at = revision;
        if (update.case !== undefined && update.case !== "heartbeat") {
          yield { kind: update.case, revision, resumeToken, value: update.value } as Update;
        }
      }
    } catch (error) {
      if (!(error instanceof TaflhallError) || error.reason === "REPLACED") throw error;
      failure = error;
    } finally {
      stream.cancel();
    }
    await patience.wait(failure, options.signal);
  }
}

/** Return whether a stream ended with its match. */
export function isOver(end: StreamEnd): boolean {
  return end.cause === StreamEndCause.FINISHED || end.cause === StreamEndCause.ABANDONED;
}

/** Return the error of a stream whose seat somebody else has. */
export function replaced(): TaflhallError {
  return new TaflhallError("REPLACED", "another caller acts for this seat now");
}
