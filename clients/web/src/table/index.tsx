export { DeputyScreen } from "./deputy_screen";
export { ReplayScreen } from "./replay_screen";
export { TableScreen } from "./table_screen";
