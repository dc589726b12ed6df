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
  WatchMatchResponse,
  WatchMatchResponseSchema,
} from "./gen/taflhall/v1/match_service_pb.js";
import type { Source } from "./resuming.js";
import { request, updates } from "./resuming.js";

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
export function watch(
  client: Client,
  wanted: MessageInitShape<typeof WatchMatchRequestSchema> & object,
  options: CallOptions & { readonly secret?: string | undefined },
): AsyncGenerator<Update> {
  return updates(client, new MatchSource(client, wanted, options), options);
}

class MatchSource implements Source<typeof WatchMatchResponseSchema, Update> {
  over = false;
  private at: number | undefined;
  private resumeToken: string;

  constructor(
    private readonly client: Client,
    private readonly wanted: MessageInitShape<typeof WatchMatchRequestSchema> & object,
    private readonly options: CallOptions & { readonly secret?: string | undefined },
  ) {
    this.resumeToken = wanted.resumeToken ?? "";
  }

  open() {
    const wanted = { ...this.wanted, resumeToken: this.resumeToken };
    return request(this.client, MatchService.method.watchMatch, wanted, this.options);
  }

  *take(message: WatchMatchResponse): Generator<Update> {
    const { update, revision } = message;
    if (update.case === "change" && this.at !== undefined && revision !== this.at + 1) {
      if (revision <= this.at) return;
      throw lost(`the stream skipped revision ${this.at + 1}`);
    }
    this.resumeToken = message.resumeToken || this.resumeToken;
    if (update.case === "end") {
      if (update.value.cause === StreamEndCause.REPLACED) throw replaced();
      this.over = isOver(update.value);
      if (!this.over) throw lost("the server closed the stream");
    }
    if (update.case === "snapshot" || update.case === "change") this.at = revision;
    if (update.case !== undefined && update.case !== "heartbeat") {
      const { resumeToken } = this;
      yield { kind: update.case, revision, resumeToken, value: update.value } as Update;
    }
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
