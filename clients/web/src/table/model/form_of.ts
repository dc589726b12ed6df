import type { Form, Situation } from "./forms";
import { championsForm } from "./forms_champions";
import { yggdrasilForm } from "./forms_yggdrasil";

/** Return the form for an answer, or `undefined` if it is one option or is given step by step. */
export function formOf(situation: Situation): Form | undefined {
  return championsForm(situation) ?? yggdrasilForm(situation);
}
