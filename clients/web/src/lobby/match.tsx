import { useState } from "preact/hooks";
import { MatchStatus } from "taflhall";
import type { Match as MatchMessage, MatchPresence } from "taflhall/gen/v1/match";

import { hrefOf } from "../app/router";
import { Lazy } from "../app/lazy";
import { client, matchOf, useTask } from "../connection";
import { FailureNote, Waiting } from "../parts/notes";
import { credentialsOf } from "../session/credentials";
import { text } from "../texts";
import { WaitingRoom } from "./waiting_room";

const loadTable = async () => (await import("../table")).TableScreen;

/** A match: before its start those who come together for it, then its table. */
export function MatchScreen({ id, revision }: { id: string; revision: number | undefined }) {
  const [match, setMatch] = useState<MatchMessage>();
  const [presence, setPresence] = useState<MatchPresence>();
  const { seatSecret } = credentialsOf(id);
  const task = useTask(
    async (signal) => {
      for await (const update of matchOf(id).watch({ signal, withPresence: true })) {
        if (update.kind === "presence") setPresence(update.value);
        if (update.kind === "end") setMatch(update.value.match);
        if (update.kind !== "snapshot") continue;
        setMatch(update.value.match);
        if (update.value.match?.status !== MatchStatus.OPEN) return; // the table has its own watch
        void import("../table"); // it will be needed
      }
    },
    [id, seatSecret, client.value],
  );
  if (match === undefined && task.failure !== undefined) {
    return (
      <div class="narrow">
        <h1>{text("match-missing")}</h1>
        <FailureNote failure={task.failure} />
        <p>
          <a href={hrefOf({ screen: "lobby" })}>{text("to-lobby")}</a>
        </p>
      </div>
    );
  }
  if (match === undefined) return <Waiting />;
  const neverStarted = match.startTime === undefined && match.status === MatchStatus.ABANDONED;
  if (match.status === MatchStatus.OPEN || neverStarted) {
    return <WaitingRoom match={match} presence={presence} />;
  }
  return <Lazy load={loadTable} props={{ matchId: id, ...(revision !== undefined && { revision }) }} />;
}
