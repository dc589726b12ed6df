/** The captions of the drawings, in the language of the page; they stand in `boards.ftl`. */
export { text as words } from "../../texts";
