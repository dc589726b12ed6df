import type { Client, LobbyChange } from "taflhall";
import { TaflhallError } from "taflhall";
import { LobbyService } from "taflhall/gen/v1/lobby_service";

const PAUSE_MS = 1000;

/**
 * Yield what changes among the listed matches until *signal* is aborted. The first change is `lost`:
 * list the matches now, since from here on none is missed; so whenever that cannot be said any more.
 */
export async function* lobbyChanges(
  client: Client,
  signal: AbortSignal,
): AsyncGenerator<LobbyChange> {
  let resumeToken = "";
  for (;;) {
    const stream = client.open(LobbyService.method.watchLobby, { signal });
    try {
      stream.requests.push({ filter: { language: client.language }, resumeToken });
      stream.requests.close();
      for (let message; (message = await stream.next()) !== undefined; ) {
        if (!resumeToken) yield { case: "lost", value: true };
        resumeToken = message.resumeToken;
        for (const { update } of message.updates) if (update.case !== undefined) yield update;
      }
    } catch (error) {
      if (!(error instanceof TaflhallError && (error.uncertain || error.retryAfterMs > 0))) {
        throw error;
      }
    } finally {
      stream.cancel();
    }
    await pause(signal);
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PAUSE_MS);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
