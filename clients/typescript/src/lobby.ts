import type { MessageInitShape } from "@bufbuild/protobuf";

import type { CallOptions, Client } from "./client.js";
import { LobbyService } from "./gen/taflhall/v1/lobby_service_pb.js";
import type { LobbyUpdate, WatchLobbyResponseSchema } from "./gen/taflhall/v1/lobby_service_pb.js";
import type { ListMatchesRequestSchema } from "./gen/taflhall/v1/match_service_pb.js";
import type { Source } from "./resuming.js";
import { request, updates } from "./resuming.js";

/**
 * What is new in the lobby: a `match` that passes the filter, as it is now, the id of one that does so
 * no longer (`goneMatchId`), or that updates were `lost`: list the matches again.
 */
export type LobbyChange = Exclude<LobbyUpdate["update"], { case: undefined }>;

/** Yield what changes among the matches that pass a filter, until the caller stops. */
export function watchLobby(
  client: Client,
  filter: MessageInitShape<typeof ListMatchesRequestSchema>,
  options: CallOptions,
): AsyncGenerator<LobbyChange> {
  let resumeToken = "";
  const source: Source<typeof WatchLobbyResponseSchema, LobbyChange> = {
    over: false,
    open: () => request(client, LobbyService.method.watchLobby, { filter, resumeToken }, options),
    *take(message) {
      for (const { update } of message.updates) if (update.case !== undefined) yield update;
      resumeToken = message.resumeToken;
    },
  };
  return updates(client, source, options);
}
