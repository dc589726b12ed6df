import { GameScreen, GamesScreen } from "../games/screens";
import { JoinScreen } from "../lobby/join";
import { LobbyScreen } from "../lobby/lobby";
import { MatchScreen } from "../lobby/match";
import { Lazy } from "./lazy";
import { route } from "./router";

/** The screen of the present route. What a lobby does not need is loaded when it is opened. */
export function Screen() {
  const to = route.value;
  switch (to.screen) {
    case "lobby":
      return <LobbyScreen />;
    case "match":
      return <MatchScreen key={to.id} id={to.id} revision={to.revision} />;
    case "join":
      return <JoinScreen key={to.code} id={to.id} code={to.code} />;
    case "deputy":
      return <Lazy load={loadDeputy} props={{ id: to.id, secret: to.secret }} />;
    case "record":
      return <Lazy load={loadRecord} props={{}} />;
    case "tournaments":
      return <Lazy load={loadTournaments} props={{}} />;
    case "tournament":
      return <Lazy load={loadTournament} props={{ id: to.id }} />;
    case "games":
      return <GamesScreen />;
    case "game":
      return <GameScreen key={to.game} game={to.game} />;
    case "rules":
      return <Lazy load={loadRules} props={{ game: to.game, rule: to.rule }} />;
  }
}

const loadDeputy = async () => (await import("../table")).DeputyScreen;
const loadRecord = async () => (await import("./record")).RecordScreen;
const loadTournaments = async () => (await import("../tournaments")).TournamentsScreen;
const loadTournament = async () => (await import("../tournaments")).TournamentScreen;
const loadRules = async () => (await import("../games/rules")).RulesScreen;
