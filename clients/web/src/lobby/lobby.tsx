import { useState } from "preact/hooks";
import type { Game } from "taflhall/gen/v1/catalog_service";

import { useGames } from "../connection/catalog";
import { useAction } from "../parts/action";
import { TextField } from "../parts/fields";
import { FailureNote, Waiting } from "../parts/notes";
import { playerName } from "../session/person";
import { text } from "../texts";
import { CreateDialog } from "./create";
import { GameCard } from "./game_card";
import { JoinByCode } from "./join";
import { useLobby } from "./matches";
import { MatchList } from "./match_list";
import { nameOrGuest } from "./names";

/** The first screen: games to play, and matches to join, to watch and to look back at. */
export function LobbyScreen() {
  const games = useGames();
  const lobby = useLobby();
  const action = useAction();
  const [wanted, setWanted] = useState<Game>();
  if (games === undefined) return <Waiting />;
  return (
    <div class="lobby">
      <h1 class="unseen">{text("lobby-title")}</h1>
      <section class="welcome">
        <div class="welcome-text">
          <p class="claim">{text("lobby-claim")}</p>
          <p>{text("lobby-about")}</p>
        </div>
        <div class="welcome-fields">
          <TextField
            label={text("your-name")}
            hint={text("your-name-hint")}
            value={nameOrGuest()}
            maxLength={64}
            required
            onInput={(value) => (playerName.value = value)}
          />
          <JoinByCode />
        </div>
      </section>
      <FailureNote failure={action.failure ?? lobby.failure} />
      <div class="game-cards">
        {games.map((game) => (
          <GameCard key={game.id} game={game} action={action} onCreate={() => setWanted(game)} />
        ))}
      </div>
      {lobby.isReady ? (
        <div class="lists">
          <MatchList kind="own" matches={lobby.own} games={games} />
          <MatchList kind="open" matches={lobby.open} games={games} />
          <MatchList kind="playing" matches={lobby.playing} games={games} />
          <MatchList kind="finished" matches={lobby.finished} games={games} />
        </div>
      ) : (
        <Waiting />
      )}
      {wanted && <CreateDialog game={wanted} onClose={() => setWanted(undefined)} />}
    </div>
  );
}
