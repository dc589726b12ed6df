import type { MessageInitShape } from "@bufbuild/protobuf";

import type { CallOptions, Client } from "./client.js";
import { TaflhallError, lost } from "./errors.js";
import { LobbyService } from "./gen/taflhall/v1/lobby_service_pb.js";
import type { LobbyUpdate } from "./gen/taflhall/v1/lobby_service_pb.js";
import type { ListMatchesRequestSchema } from "./gen/taflhall/v1/match_service_pb.js";
import { Patience } from "./timing.js";

/**
 * What is new in the lobby: a `match` that passes the filter, as it is now, the id of one that does so
 * no longer (`goneMatchId`), or that updates were `lost`: list the matches again.
 */
export type LobbyChange = Exclude<LobbyUpdate["update"], { case: undefined }>;

/** Yield what changes among the matches that pass a filter, until the caller stops. */
export async function* watchLobby(
  client: Client,
  filter: MessageInitShape<typeof ListMatchesRequestSchema>,
  options: CallOptions,
): AsyncGenerator<LobbyChange> {
  const patience = new Patience(client);
  let resumeToken = "";
  for (;;) {
    const stream = client.open(LobbyService.method.watchLobby, options);
    let failure = lost("the stream ended");
    try {
      stream.requests.push({ filter, resumeToken });
      stream.requests.close();
      for (let message; (message = await stream.next()) !== undefined; ) {
        patience.heard();
        for (const { update } of message.updates) if (update.case !== undefined) yield update;
        resumeToken = message.resumeToken;
      }
    } catch (error) {
      if (!(error instanceof TaflhallError)) throw error;
      failure = error;
    } finally {
      stream.cancel();
    }
    await patience.wait(failure, options.signal);
  }
}
