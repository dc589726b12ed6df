/**
 * An answer that the rules ask for in steps.
 *
 * Its steps belong to this seat alone until the last one is given: the server shows the next decision,
 * and answering the first decision again withdraws them.
 */
import type { SubmitAnswersResponse } from "taflhall/gen/v1/match_service";
import type { Decision } from "taflhall/gen/v1/table";

/** One step that was given. */
export interface Step {
  /** What the decision asked. */
  readonly asked: string;
  /** The option that was chosen. */
  readonly chosen: string;
}

export interface Draft {
  /** The decision with which the answer begins; answering it again withdraws the steps. */
  readonly first: Decision;
  readonly steps: readonly Step[];
  /** The step that is asked for now. */
  readonly next: Decision;
}

/** Return the draft after an answer to *decision*, or `undefined` if the answer was completed. */
export function afterAnswer(
  draft: Draft | undefined,
  decision: Decision,
  chosen: readonly string[],
  response: SubmitAnswersResponse,
): Draft | undefined {
  const { firstRevision, decision: next } = response;
  if (firstRevision !== 0 || next === undefined) return undefined;
  const first = draft?.first ?? decision;
  const before = draft !== undefined && draft.next.id === decision.id ? draft.steps : [];
  const given = chosen.slice(0, response.applied).map((text) => ({ asked: decision.text, chosen: text }));
  return { first, steps: [...before, ...given], next };
}

/** Return the draft if its first decision is still pending. */
export function stillPending(draft: Draft | undefined, decisions: readonly Decision[]): Draft | undefined {
  return decisions.some(({ id }) => id === draft?.first.id) ? draft : undefined;
}
