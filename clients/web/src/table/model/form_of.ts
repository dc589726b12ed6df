import type { Form, FormSource } from "./forms";
import { championsForm } from "./forms_champions";
import { yggdrasilForm } from "./forms_yggdrasil";

/** Return the form for an answer, or `undefined` if it is one option or is given step by step. */
export function formOf(source: FormSource): Form | undefined {
  return championsForm(source) ?? yggdrasilForm(source);
}
