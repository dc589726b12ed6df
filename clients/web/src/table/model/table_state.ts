/** What a page knows of a match, and how each thing that arrives changes it. */
import type {
  Match,
  MatchClocks,
  MatchPresence,
  SeatReaction,
} from "taflhall/gen/v1/match";
import { MatchStatus } from "taflhall/gen/v1/match";
import { SnapshotCause } from "taflhall/gen/v1/match_service";
import type { RevisionEvents } from "taflhall/gen/v1/match_service";
import type { Decision, Event, View } from "taflhall/gen/v1/table";
import type { TaflhallError, Update } from "taflhall";

/**
 * How far the page follows the match.
 *
 * - `opening`: nothing is known yet
 * - `following`: what happens is shown
 * - `over`: the match has ended, and nothing will change
 * - `replaced`: somebody else acts for the seat now
 * - `failed`: the server has refused
 */
export type Phase = "opening" | "following" | "over" | "replaced" | "failed";

/** The events of one revision. */
export interface LogEntry {
  readonly revision: number;
  readonly events: readonly Event[];
}

export interface TableState {
  readonly phase: Phase;
  readonly failure: TaflhallError | undefined;
  readonly match: Match | undefined;
  readonly revision: number;
  readonly resumeToken: string;
  readonly view: View | undefined;
  readonly decisions: readonly Decision[];
  readonly clocks: MatchClocks | undefined;
  readonly presence: MatchPresence | undefined;
  /** In the order of their revisions, without gaps. */
  readonly log: readonly LogEntry[];
  /** The latest reactions, newest last, each with a number of its own. */
  readonly reactions: readonly NumberedReaction[];
}

export interface NumberedReaction {
  readonly number: number;
  readonly reaction: SeatReaction;
}

export const NOTHING_KNOWN: TableState = {
  phase: "opening",
  failure: undefined,
  match: undefined,
  revision: 0,
  resumeToken: "",
  view: undefined,
  decisions: [],
  clocks: undefined,
  presence: undefined,
  log: [],
  reactions: [],
};

/** Something that the page hears. */
export type Signal =
  | { readonly kind: "update"; readonly update: Update }
  | { readonly kind: "failed"; readonly failure: TaflhallError }
  | { readonly kind: "history"; readonly revisions: readonly RevisionEvents[] };

const MOST_REACTIONS = 5;

/** Return what is known after a signal. */
export function hear(state: TableState, signal: Signal): TableState {
  switch (signal.kind) {
    case "update":
      return updated(state, signal.update);
    case "failed":
      return {
        ...state,
        phase: signal.failure.reason === "REPLACED" ? "replaced" : "failed",
        failure: signal.failure,
      };
    case "history":
      return { ...state, log: joined(state.log, signal.revisions) };
  }
}

/** Return whether the match has ended. */
export function isEnded(match: Match | undefined): boolean {
  return match?.status === MatchStatus.FINISHED || match?.status === MatchStatus.ABANDONED;
}

/** Return the pending decisions for which the viewer has options, in the order of their seats. */
export function ownDecisions(state: TableState): Decision[] {
  if (state.phase !== "following") return [];
  return state.decisions.filter(({ options }) => options.length > 0).sort((a, b) => a.seat - b.seat);
}

/** Return the pending decision of the seat from which the viewer looks. */
export function ownDecision(state: TableState): Decision | undefined {
  const from = state.view?.seat;
  return ownDecisions(state).find(({ seat }) => from === undefined || seat === from);
}

/** Return the seats that others wait for, in order. */
export function waitedFor(state: TableState): number[] {
  return isEnded(state.match) ? [] : state.decisions.map(({ seat }) => seat).sort((a, b) => a - b);
}

/** A range of revisions, both ends included. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

const PAGE = 100;

/** Return the latest revisions that the log lacks, or `undefined` if it lacks none. */
export function unlogged(state: TableState): Range | undefined {
  const known = state.log.at(-1)?.revision;
  if (known === undefined) return range(state.revision - PAGE + 1, state.revision);
  return range(Math.max(known + 1, state.revision - PAGE + 1), state.revision);
}

/** Return the revisions before the beginning of the log, or `undefined` if it is complete. */
export function earlier(state: TableState): Range | undefined {
  const first = state.log[0]?.revision ?? 1;
  return range(first - PAGE, first - 1);
}

function range(first: number, last: number): Range | undefined {
  return last < Math.max(1, first) ? undefined : { first: Math.max(1, first), last };
}

function updated(state: TableState, update: Update): TableState {
  const { revision, resumeToken } = update;
  switch (update.kind) {
    case "snapshot": {
      const { match, decisions, view, cause } = update.value;
      const isVoid = cause === SnapshotCause.HISTORY_REWOUND || view?.seat !== state.view?.seat;
      return {
        ...state,
        revision,
        resumeToken,
        match,
        decisions,
        view,
        clocks: match?.clocks,
        log: isVoid ? [] : state.log.filter((entry) => entry.revision <= revision),
        phase: isEnded(match) ? "over" : "following",
      };
    }
    case "change": {
      const { events, decisions, view, status, clocks } = update.value;
      const match = state.match && withoutProposal({ ...state.match, status, revision });
      return {
        ...state,
        revision,
        resumeToken,
        match,
        decisions,
        view: view ?? state.view,
        clocks: clocks ?? state.clocks,
        log: joined(state.log, [{ revision, events }]),
      };
    }
    case "end": {
      const match = update.value.match ?? state.match;
      return { ...state, revision, resumeToken, match, decisions: [], phase: "over" };
    }
    case "presence":
      return { ...state, presence: update.value };
    case "reaction": {
      const number = (state.reactions.at(-1)?.number ?? 0) + 1;
      const all = [...state.reactions, { number, reaction: update.value }];
      return { ...state, reactions: all.slice(-MOST_REACTIONS) };
    }
  }
}

function withoutProposal(match: Match): Match {
  const { proposal: _, ...rest } = match;
  return rest;
}

/** Return a log with further entries; what is known twice counts once, and gaps end the log's past. */
function joined(log: readonly LogEntry[], more: readonly LogEntry[]): LogEntry[] {
  const known = new Map([...log, ...more].map((entry) => [entry.revision, entry]));
  const all = [...known.values()].sort((a, b) => a.revision - b.revision);
  let first = all.length - 1;
  while (first > 0 && all[first - 1]?.revision === (all[first]?.revision ?? 0) - 1) first -= 1;
  return all.slice(Math.max(0, first)).map(({ revision, events }) => ({ revision, events }));
}
