import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";

import type { CallOptions, Client } from "./client.js";
import { requestId } from "./client.js";
import { TaflhallError, hasReason } from "./errors.js";
import { LobbyService } from "./gen/taflhall/v1/lobby_service_pb.js";
import { MatchService } from "./gen/taflhall/v1/match_service_pb.js";
import type {
  DelegateSeatResponse,
  ExplainCommandResponse,
  GetMatchResponse,
  GetMatchViewResponse,
  ProposeToPlayersRequestSchema,
  ProposeToPlayersResponse,
  RevisionEvents,
  SubmitAnswersResponse,
} from "./gen/taflhall/v1/match_service_pb.js";
import { SeatKind } from "./gen/taflhall/v1/match_pb.js";
import type { Match as MatchMessage, MatchRecord, Reaction } from "./gen/taflhall/v1/match_pb.js";
import type { CommandSchema, Decision } from "./gen/taflhall/v1/table_pb.js";
import type { Bot, Choice, PlayOptions } from "./play.js";
import { answerOf, play } from "./play.js";
import type { Update } from "./watch.js";
import { watch } from "./watch.js";

const METHODS = MatchService.method;
const LOBBY = LobbyService.method;

/** Who sits down; a person if left out. */
export interface JoinOptions extends CallOptions {
  readonly kind?: "person" | "bot";
}

/** Return the contract's kind of a player. */
export function seatKind(kind: "person" | "bot" | undefined): SeatKind {
  return kind === "bot" ? SeatKind.BOT : SeatKind.PERSON;
}

/** A seat, for a caller who holds several; the lowest if left out. */
export interface SeatOptions extends CallOptions {
  readonly seat?: number;
}

/** What can be proposed to the other players. */
type Proposed = NonNullable<
  (MessageInitShape<typeof ProposeToPlayersRequestSchema> & object)["what"]
>;

/** A hosted match, as the owner of a secret (or a spectator without one) may use it. */
export class Match {
  /** The decision that was seen last, if it has not been answered. */
  private pending: Decision | undefined;

  constructor(
    readonly client: Client,
    readonly id: string,
    /** Opens the seats, or the right to start; keep it to come back. */
    readonly secret?: string,
    /** The seats taken by {@link join}; empty for other matches. */
    readonly seats: readonly number[] = [],
    /** Lets its bearer join; known to who has created the match, otherwise empty. */
    readonly joinCode = "",
  ) {}

  /** Take seats, or the lowest free one; return the match as seen from there. */
  async join(
    name: string,
    options: JoinOptions & { readonly seats?: number[] } = {},
  ): Promise<Match> {
    const { kind, seats = [] } = options;
    const request = { matchId: this.id, name, seats, kind: seatKind(kind), requestId: requestId() };
    const { signal } = options;
    const reply = await this.client.call(METHODS.joinMatch, request, { signal });
    return new Match(this.client, this.id, reply.seatSecret, reply.seats);
  }

  /** Reserve a seat, or the lowest free one, for an account; for the match's creator. */
  async invite(accountId: string, options: SeatOptions = {}): Promise<MatchMessage | undefined> {
    const request = { ...given({ seat: options.seat }), accountId, requestId: requestId() };
    return (await this.call(LOBBY.inviteToMatch, request, options)).match;
  }

  /** Give back the seats that are reserved for our account. */
  async decline(options: CallOptions = {}): Promise<void> {
    await this.call(LOBBY.declineInvitation, { requestId: requestId() }, options);
  }

  /** Free a seat before the start, whoever holds it; for the match's creator. */
  async remove(seat: number, options: CallOptions = {}): Promise<MatchMessage | undefined> {
    return (await this.call(LOBBY.removePlayer, { seat, requestId: requestId() }, options)).match;
  }

  /** Let a bot of the server take a seat, or the lowest free one; for the match's creator. */
  async addBot(
    botId: string,
    options: SeatOptions & { readonly name?: string } = {},
  ): Promise<MatchMessage | undefined> {
    const { seat, name } = options;
    const request = { ...given({ seat, name }), botId, requestId: requestId() };
    return (await this.call(LOBBY.addBot, request, options)).match;
  }

  /** Sit down at the rematch of this match, which is over; it starts when all players have come. */
  async rematch(options: CallOptions = {}): Promise<Match> {
    const reply = await this.call(LOBBY.joinRematch, { requestId: requestId() }, options);
    return new Match(this.client, reply.match?.id ?? "", reply.seatSecret, reply.seats);
  }

  /** Start the match; every seat must be taken. */
  async start(options: CallOptions = {}): Promise<MatchMessage | undefined> {
    return (await this.call(METHODS.startMatch, {}, options)).match;
  }

  /** Return the match as it is, with the view and the options of a seat if wanted. */
  get(
    options: SeatOptions & { readonly withView?: boolean; readonly withOptions?: boolean } = {},
  ): Promise<GetMatchResponse> {
    return this.call(METHODS.getMatch, this.spoken(options), options);
  }

  /** Return the pending decision of a seat (or the lowest of ours) with its options. */
  async decision(options: SeatOptions = {}): Promise<Decision | undefined> {
    const { decisions } = await this.get({ ...options, withOptions: true });
    this.pending = decisions.find(
      ({ seat, options: listed }) => listed.length > 0 && (options.seat ?? seat) === seat,
    );
    return this.pending;
  }

  /**
   * Answer a decision by options or commands; the first that is refused ends the list.
   *
   * Without `decision` it is the one that {@link decision} or the last answer returned.
   */
  async submit(
    choices: Choice | readonly Choice[],
    options: CallOptions & { readonly decision?: string; readonly requestId?: string } = {},
  ): Promise<SubmitAnswersResponse> {
    const decisionId =
      options.decision ?? this.pending?.id ?? (await this.decision({ signal: options.signal }))?.id;
    if (decisionId === undefined) {
      throw new TaflhallError("STALE_DECISION", "no decision of yours is pending");
    }
    const answers = (Array.isArray(choices) ? choices : [choices]).map(answerOf);
    const request = {
      decisionId,
      requestId: options.requestId ?? requestId(),
      answers,
      withOptions: true,
      language: this.client.language,
    };
    this.pending = undefined;
    const reply = await this.call(METHODS.submitAnswers, request, options);
    this.pending = reply.decision;
    return reply;
  }

  /**
   * Return whether a command would be legal now, and why not, in the language of the client or else
   * in English; nothing changes.
   */
  explain(
    command: MessageInitShape<typeof CommandSchema>,
    options: SeatOptions & { readonly decisionId?: string } = {},
  ): Promise<ExplainCommandResponse> {
    const language = this.client.language || "en";
    const request = { ...this.spoken(options), language, command };
    return this.call(METHODS.explainCommand, request, options);
  }

  /** Yield what happens until the match is over; a lost stream is opened again. */
  watch(
    options: SeatOptions & {
      readonly resumeToken?: string;
      readonly withView?: boolean;
      readonly withOptions?: boolean;
      /** Which players are there, at the beginning and after each change. */
      readonly withPresence?: boolean;
      readonly withReactions?: boolean;
    } = {},
  ): AsyncGenerator<Update> {
    const request = { ...this.spoken(options), matchId: this.id };
    return watch(this.client, request, { signal: options.signal, secret: this.secret });
  }

  /** Let a bot answer every decision of our seats until the match is over. */
  play(bot: Bot, options: PlayOptions = {}): Promise<MatchMessage | undefined> {
    return play(this.client, this.id, this.secret, bot, options);
  }

  /** Resign a seat. */
  async resign(options: SeatOptions = {}): Promise<MatchMessage | undefined> {
    return (await this.change(METHODS.resignSeat, options)).match;
  }

  /** Leave a seat, or all of ours, before the match starts. */
  async leave(options: SeatOptions = {}): Promise<MatchMessage | undefined> {
    return (await this.change(METHODS.leaveMatch, options)).match;
  }

  /** Let somebody else act for a seat, or have it for good. */
  delegate(
    name: string,
    options: SeatOptions & JoinOptions & { readonly permanent?: boolean } = {},
  ): Promise<DelegateSeatResponse> {
    const { seat, permanent } = options;
    const kind = seatKind(options.kind);
    const request = { ...given({ seat, permanent }), name, kind, requestId: requestId() };
    return this.call(METHODS.delegateSeat, request, options);
  }

  /** Dismiss the deputy or the stand-in of a seat. */
  async reclaim(options: SeatOptions = {}): Promise<MatchMessage | undefined> {
    return (await this.change(METHODS.reclaimSeat, options)).match;
  }

  /** Propose to take the latest answer of a seat back; it happens at once where nobody is asked. */
  async undo(options: SeatOptions = {}): Promise<MatchMessage | undefined> {
    return (await this.offer({ case: "undo", value: {} }, options)).match;
  }

  /**
   * End the match without a winner, or propose it to the others who play. Before the start only its
   * creator may do so.
   */
  async abandon(options: CallOptions = {}): Promise<MatchMessage | undefined> {
    try {
      return (await this.change(METHODS.abandonMatch, options)).match;
    } catch (error) {
      if (!hasReason(error, "CONSENT_REQUIRED")) throw error;
      return (await this.offer({ case: "abandon", value: {} }, options)).match;
    }
  }

  /** Propose to the other players to undo answers, or to abandon the match; return its id. */
  async propose(
    what: Proposed,
    options: SeatOptions = {},
  ): Promise<string> {
    return (await this.offer(what, options)).proposalId;
  }

  private offer(what: Proposed, options: SeatOptions): Promise<ProposeToPlayersResponse> {
    const request = { ...given({ seat: options.seat }), what, requestId: requestId() };
    return this.call(METHODS.proposeToPlayers, request, options);
  }

  /** Agree to what is proposed, or refuse it. */
  async respond(
    proposalId: string,
    agree: boolean,
    options: SeatOptions = {},
  ): Promise<MatchMessage | undefined> {
    const request = { ...given({ seat: options.seat }), proposalId, agree, requestId: requestId() };
    return (await this.call(METHODS.respondToProposal, request, options)).match;
  }

  /** Show a reaction of a seat to those who follow the match now. */
  async react(reaction: Reaction, options: SeatOptions = {}): Promise<void> {
    const request = { ...given({ seat: options.seat }), reaction };
    await this.call(METHODS.sendReaction, request, options);
  }

  /** Return what is needed to replay the match, once it is over. */
  async record(options: CallOptions = {}): Promise<MatchRecord | undefined> {
    const request = { language: this.client.language };
    return (await this.call(METHODS.getMatchRecord, request, options)).record;
  }

  /** Return what a seat saw at an earlier revision; if asked for, with what the score would have been. */
  viewAt(
    revision: number,
    options: SeatOptions & { readonly withProjection?: boolean } = {},
  ): Promise<GetMatchViewResponse> {
    const { withProjection = false } = options;
    return this.call(METHODS.getMatchView, { ...this.spoken(options), revision, withProjection }, options);
  }

  /** Yield what a seat may know of the revisions from *first* to *last* (the newest), in order. */
  async *history(
    first = 1,
    last?: number,
    options: SeatOptions = {},
  ): AsyncGenerator<RevisionEvents> {
    const range = given({ firstRevision: first, lastRevision: last });
    let pageToken = "";
    do {
      const request = { ...this.spoken(options), ...range, pageToken };
      const page = await this.call(METHODS.listMatchEvents, request, options);
      yield* page.revisions;
      pageToken = page.nextPageToken;
    } while (pageToken);
  }

  private change<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    options: SeatOptions,
  ): Promise<MessageShape<O>> {
    const request = { ...given({ seat: options.seat }), requestId: requestId() };
    return this.call(method, request as unknown as MessageInitShape<I>, options);
  }

  private call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    { signal }: CallOptions,
  ): Promise<MessageShape<O>> {
    const named = { ...request, matchId: this.id } as MessageInitShape<I>;
    return this.client.call(method, named, { signal, secret: this.secret });
  }

  /** Return the fields of a request without the signal, in the client's language. */
  private spoken<T extends CallOptions>(options: T): Omit<T, "signal"> & { language: string } {
    const { signal: _, ...fields } = options;
    return { ...given(fields), language: this.client.language };
  }
}

/** Return *fields* without those that are undefined. */
function given<T extends object>(fields: T): T {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as T;
}
