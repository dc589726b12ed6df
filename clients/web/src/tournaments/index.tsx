export { TournamentScreen } from "./tournament";
export { TournamentsScreen } from "./list";
