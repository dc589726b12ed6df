/**
 * Answers on their way.
 *
 * An answer is kept with its request id from the click until the server has said what became of it,
 * over lost connections and over a reload of the page. It is sent again under the same id, so it has
 * one effect. While it is on its way nothing else can be sent.
 */
import { create, fromJson, toJson } from "@bufbuild/protobuf";

import { DecisionAnswerSchema } from "taflhall/gen/v1/match_service";
import type { DecisionAnswer, SubmitAnswersResponse } from "taflhall/gen/v1/match_service";
import type { Command } from "taflhall/gen/v1/table";
import { TaflhallError } from "taflhall";

/** An answer that has been given here and whose outcome is not known yet. */
export interface PendingAnswer {
  readonly decisionId: string;
  readonly requestId: string;
  readonly answers: readonly DecisionAnswer[];
}

/** How an answer ended. */
export type Outcome =
  | { readonly kind: "applied"; readonly response: SubmitAnswersResponse }
  /** The server has refused it: nothing has changed. */
  | { readonly kind: "refused"; readonly failure: TaflhallError };

/** The part of `Storage` that is needed. */
export type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Sends an answer; throws {@link TaflhallError}. */
export type Send = (answer: PendingAnswer) => Promise<SubmitAnswersResponse>;

/** The pause before an answer is sent again whose outcome is unknown. */
const PAUSE_MS = 2000;

export class Submitter {
  private current: PendingAnswer | undefined;
  private sending = false;

  constructor(
    private readonly key: string,
    private readonly store: Store,
    private readonly send: Send,
    private readonly newId: () => string,
    private readonly onOutcome: (outcome: Outcome, answer: PendingAnswer) => void,
    private readonly later: (again: () => void) => void = (again) => void setTimeout(again, PAUSE_MS),
  ) {
    this.current = this.stored();
  }

  /** The answer on its way, if there is one. */
  get pending(): PendingAnswer | undefined {
    return this.current;
  }

  /** Give an answer; return whether it was taken: there is at most one on its way. */
  give(decisionId: string, commands: readonly (Command | number)[]): boolean {
    if (this.current !== undefined) return false;
    const answers = commands.map((value) =>
      create(DecisionAnswerSchema, {
        answer: typeof value === "number" ? { case: "option", value } : { case: "command", value },
      }),
    );
    this.current = { decisionId, requestId: this.newId(), answers };
    this.keep(this.current);
    void this.again();
    return true;
  }

  /** Send what is on its way once more: the connection is back, or the page was loaded again. */
  async again(): Promise<void> {
    const answer = this.current;
    if (answer === undefined || this.sending) return;
    let outcome: Outcome | undefined;
    this.sending = true;
    try {
      outcome = { kind: "applied", response: await this.send(answer) };
    } catch (error) {
      if (!(error instanceof TaflhallError)) throw error;
      if (!error.uncertain) outcome = { kind: "refused", failure: error };
    } finally {
      this.sending = false;
    }
    if (outcome !== undefined) this.settle(answer, outcome);
    else this.later(() => void this.again());
  }

  private settle(answer: PendingAnswer, outcome: Outcome): void {
    this.current = undefined;
    this.store.removeItem(this.key);
    this.onOutcome(outcome, answer);
  }

  private keep({ decisionId, requestId, answers }: PendingAnswer): void {
    const written = answers.map((answer) => toJson(DecisionAnswerSchema, answer));
    this.store.setItem(this.key, JSON.stringify({ decisionId, requestId, answers: written }));
  }

  private stored(): PendingAnswer | undefined {
    const text = this.store.getItem(this.key);
    if (text === null) return undefined;
    try {
      const { decisionId, requestId, answers } = JSON.parse(text);
      const read = answers.map((answer: never) => fromJson(DecisionAnswerSchema, answer));
      return { decisionId, requestId, answers: read };
    } catch {
      this.store.removeItem(this.key); // written by another version of the page
      return undefined;
    }
  }
}
