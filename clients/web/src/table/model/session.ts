/** A match as somebody follows and plays it in this page. */
import { equals } from "@bufbuild/protobuf";
import type { Match as Connection } from "taflhall";
import { TaflhallError, hasReason } from "taflhall";
import type { ExplainCommandResponse, MatchChange } from "taflhall/gen/v1/match_service";
import { CommandSchema } from "taflhall/gen/v1/table";
import type { Command, Decision, Option } from "taflhall/gen/v1/table";

import { ServerClock, readClocks } from "./clock";
import type { Draft } from "./draft";
import { afterAnswer, stillPending } from "./draft";
import { rest } from "./forms";
import { Moments } from "./look_back";
import { rememberDigest } from "./luck";
import type { Outcome, PendingAnswer, Store } from "./pending";
import { Submitter } from "./pending";
import type { Signal, TableState } from "./table_state";
import { NOTHING_KNOWN, earlier, hear, ownDecision, ownDecisions, unlogged } from "./table_state";

/** The calls that are needed of a match. */
export type Server = Pick<Connection, "id" | "watch" | "submit" | "explain" | "history" | "viewAt">;

/** What the server has said to an answer that was not applied, or not wholly. */
export interface Notice {
  readonly kind: "refused" | "late" | "failed";
  readonly text: string;
  readonly rule: string;
}

/** What a session knows at a moment; another moment is another object. */
export interface Situation {
  readonly state: TableState;
  /** The decision that waits for the viewer here: a step of a half-given answer, if there is one. */
  readonly decision: Decision | undefined;
  readonly draft: Draft | undefined;
  readonly notice: Notice | undefined;
  /** An answer is on its way, or does not show yet: nothing else can be given. */
  readonly isSending: boolean;
}

/** What a session tells the screen. */
export interface Listener {
  /** Something is different now. */
  changed(): void;
  /** Something has happened at the table. */
  happened(change: MatchChange, revision: number): void;
}

/** An answer that is being given: what is sent, and how it reads. */
interface Given {
  readonly decision: Decision;
  readonly commands: readonly Command[];
  readonly texts: readonly string[];
}

export class TableSession {
  state: TableState = NOTHING_KNOWN;
  draft: Draft | undefined;
  notice: Notice | undefined;
  readonly clock = new ServerClock();
  readonly moments: Moments;
  private readonly submitter: Submitter;
  private given: Given | undefined;
  private isLoading = false;
  /** The revision of the last answer from here: until it shows, the decision is an old one. */
  private answered = 0;
  /** The seat from which the viewer wants to look; unset: the lowest of theirs. */
  private seat: number | undefined;
  /** The decision for which the seat was last changed: it is done once for each. */
  private turnedFor = "";
  private watching = new AbortController();

  constructor(
    private readonly server: Server,
    private readonly language: string,
    private readonly listener: Listener,
    private readonly stores: { readonly session: Store; readonly local: Store },
    newId: () => string,
    private readonly now: () => number = Date.now,
  ) {
    this.moments = new Moments((revision) => server.viewAt(revision, this.from));
    this.submitter = new Submitter(
      `taflhall.pending.${server.id}`,
      stores.session,
      (answer) => this.send(answer),
      newId,
      (outcome, answer) => this.settled(outcome, answer),
    );
  }

  /** Follow the match until the signal is aborted or the match is over. */
  async follow(signal: AbortSignal): Promise<void> {
    void this.submitter.again();
    while (!signal.aborted) {
      this.watching = new AbortController();
      const turned = this.watching.signal;
      try {
        await this.watchFrom(AbortSignal.any([signal, turned]));
        await endOf(signal, turned); // the match is over, and can be looked at from each seat
      } catch (error) {
        if (signal.aborted) return;
        if (turned.aborted) continue;
        if (!(error instanceof TaflhallError)) throw error;
        this.hear({ kind: "failed", failure: error });
        return;
      }
    }
  }

  /** Look from another seat of the viewer. */
  lookFrom(seat: number): void {
    if (seat === this.state.view?.seat || seat === this.seat) return;
    this.seat = seat;
    this.watching.abort(new DOMException("another seat is looked from", "AbortError"));
  }

  get situation(): Situation {
    const { state, decision, ownDraft: draft, notice, isSending } = this;
    return { state, decision, draft, notice, isSending };
  }

  get decision(): Decision | undefined {
    return this.ownDraft?.next ?? ownDecision(this.state);
  }

  get isSending(): boolean {
    return this.submitter.pending !== undefined || this.answered > this.state.revision;
  }

  /** Answer with options of the decision that waits, or with several commands in a row. */
  answer(decision: Decision, options: readonly (Option | Command)[]): boolean {
    if (this.isSending) return false;
    const commands = options.flatMap((one) => ("game" in one ? [one] : one.command ? [one.command] : []));
    const texts = options.map((one) => ("game" in one ? textOf(one, decision) : one.text));
    this.given = { decision, commands, texts };
    this.notice = undefined;
    const indexes = options.map((one) => ("game" in one ? -1 : decision.options.indexOf(one)));
    // An option may be one that this page does not know: it is answered by its index.
    const choices = indexes.length === 1 && indexes[0] !== -1 ? indexes : commands;
    const isTaken = this.submitter.give(decision.id, choices as readonly (Command | number)[]);
    this.listener.changed();
    return isTaken;
  }

  /** Withdraw the steps that were given of an answer. */
  withdraw(): void {
    this.draft = undefined;
    this.notice = undefined;
    this.listener.changed();
  }

  /** The connection is back: send what is on its way once more. */
  resume(): void {
    void this.submitter.again();
  }

  /** Ask whether a command is legal, and why not. */
  explain(command: Command): Promise<ExplainCommandResponse> {
    const decisionId = this.ownDraft?.next.id;
    const seat = this.decision?.seat;
    return this.server.explain(command, {
      ...(decisionId !== undefined && { decisionId }),
      ...(seat !== undefined && { seat }),
    });
  }

  /** Load what the log lacks: the latest revisions, or those before its beginning. */
  async load(which: "latest" | "earlier"): Promise<void> {
    const range = which === "latest" ? unlogged(this.state) : earlier(this.state);
    if (range === undefined || this.isLoading) return;
    this.isLoading = true;
    try {
      const revisions = [];
      const seat = this.state.view?.seat;
      for await (const one of this.server.history(range.first, range.last, this.from)) revisions.push(one);
      if (seat === this.state.view?.seat) this.hear({ kind: "history", revisions });
    } finally {
      this.isLoading = false;
    }
  }

  dismiss(): void {
    this.notice = undefined;
    this.listener.changed();
  }

  private async watchFrom(signal: AbortSignal): Promise<void> {
    const wants = { withView: true, withOptions: true, withPresence: true, withReactions: true };
    const seat = this.seat === undefined ? {} : { seat: this.seat };
    for await (const update of this.server.watch({ ...wants, ...seat, signal })) {
      this.hear({ kind: "update", update });
      if (update.kind === "change") this.listener.happened(update.value, update.revision);
    }
  }

  /** Look from the seat that has to decide, once for each decision, unless this one has to as well. */
  private turn(): void {
    const own = ownDecisions(this.state);
    const from = this.state.view?.seat;
    const [first] = own;
    if (first === undefined || first.id === this.turnedFor || from === undefined) return;
    this.turnedFor = first.id;
    if (!own.some(({ seat }) => seat === from)) this.lookFrom(first.seat);
  }

  /** The seat from which the viewer looks, as calls name it. */
  private get from(): { readonly seat?: number } {
    const seat = this.state.view?.seat;
    return seat === undefined ? {} : { seat };
  }

  /** The draft of the seat from which the viewer looks. */
  private get ownDraft(): Draft | undefined {
    const from = this.state.view?.seat;
    return from === undefined || this.draft?.first.seat === from ? this.draft : undefined;
  }

  private hear(signal: Signal): void {
    const before = this.state;
    this.state = hear(before, signal);
    const { match, clocks, decisions } = this.state;
    if (clocks !== before.clocks) readClocks(clocks, this.clock, this.now());
    if (match !== undefined && before.match === undefined) rememberDigest(match, this.stores.local);
    if (signal.kind === "update") {
      if (signal.update.kind === "snapshot") {
        this.moments.forget();
        this.answered = 0;
      }
      void this.submitter.again();
    }
    this.draft = stillPending(this.draft, decisions);
    this.turn();
    this.listener.changed();
    if (before.phase === "opening" || unlogged(this.state) !== undefined) this.loadLatest();
  }

  private loadLatest(): void {
    if (!this.state.match || this.state.view === undefined) return;
    this.load("latest").catch(() => undefined); // the log stays short; what follows is still added
  }

  private send({ answers, decisionId, requestId }: PendingAnswer) {
    const choices = answers.map(({ answer }) => answer.value ?? 0);
    return this.server.submit(choices, { decision: decisionId, requestId });
  }

  private settled(outcome: Outcome, answer: PendingAnswer): void {
    const given = this.given?.decision.id === answer.decisionId ? this.given : undefined;
    this.given = undefined;
    if (outcome.kind === "refused") this.refused(outcome.failure);
    else if (given !== undefined) this.applied(given, outcome);
    this.listener.changed();
  }

  private applied({ decision, commands, texts }: Given, { response }: Outcome & { kind: "applied" }): void {
    const { applied, refusal, firstRevision, revision } = response;
    this.draft = afterAnswer(this.draft, decision, texts, response);
    if (firstRevision > 0) {
      this.answered = revision;
      return; // the answer is complete, whatever the list had behind it
    }
    if (refusal === undefined) return;
    const next = this.draft?.next;
    const left = next ? rest(commands, applied, next) : [];
    if (next !== undefined && left.length > 0) this.answer(next, left);
    else this.notice = { kind: "refused", text: refusal.text, rule: refusal.rule };
  }

  private refused(failure: TaflhallError): void {
    const isLate = hasReason(failure, "STALE_DECISION") || hasReason(failure, "MATCH_OVER");
    const rule = failure.metadata["rule"] ?? "";
    if (isLate) this.draft = undefined;
    const kind = isLate ? "late" : rule ? "refused" : "failed";
    this.notice = { kind, text: failure.text(this.language), rule };
  }
}

/** Wait until one of the signals is aborted. */
function endOf(...signals: readonly AbortSignal[]): Promise<unknown> {
  const any = AbortSignal.any([...signals]);
  return any.aborted ? Promise.resolve() : new Promise((resolve) => any.addEventListener("abort", resolve));
}

/** Return the text of a command, if it is one of the options. */
function textOf(command: Command, { options }: Decision): string {
  const found = options.find((one) => one.command && equals(CommandSchema, one.command, command));
  return found?.text ?? "";
}
