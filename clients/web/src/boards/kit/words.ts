/** The captions of the drawings, in the language of the page; they stand in `boards.ftl`. */
export { text as words } from "../../texts";

/** Return the name of a thing as the title of it. */
export function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
