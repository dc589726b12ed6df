import { createContext } from "preact";
import { useContext } from "preact/hooks";

import { withNames } from "./model/names";

/** The players' names by seat. */
export const Names = createContext<readonly string[]>([]);

/** Return what puts the players' names into a text of the server. */
export function useNamed(): (text: string) => string {
  const names = useContext(Names);
  return (text) => withNames(text, names);
}
