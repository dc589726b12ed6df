import { create } from "@bufbuild/protobuf";
import type {
  DescMessage,
  DescMethodStreaming,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";

import { checkKey } from "./address.js";
import type { TaflhallError } from "./errors.js";
import { fromCall, hasReason } from "./errors.js";
import { CatalogService } from "./gen/taflhall/v1/catalog_service_pb.js";
import type { Game } from "./gen/taflhall/v1/catalog_service_pb.js";
import { EngineService } from "./gen/taflhall/v1/engine_service_pb.js";
import type {
  AnalyseRecordRequestSchema as AnalyseSchema,
  JudgedDecision,
} from "./gen/taflhall/v1/engine_service_pb.js";
import { FindMatchRequestSchema, LobbyService } from "./gen/taflhall/v1/lobby_service_pb.js";
import type { FindMatchRequestSchema as FindSchema } from "./gen/taflhall/v1/lobby_service_pb.js";
import type { Match as MatchMessage, MatchRecord } from "./gen/taflhall/v1/match_pb.js";
import { CreateMatchRequestSchema, MatchService } from "./gen/taflhall/v1/match_service_pb.js";
import type {
  CreateMatchRequestSchema as CreateSchema,
  ListMatchesRequestSchema as ListSchema,
} from "./gen/taflhall/v1/match_service_pb.js";
import { TournamentService } from "./gen/taflhall/tournament/v1/tournament_service_pb.js";
import type {
  CreateTournamentRequestSchema as CreateTournamentSchema,
  ListTournamentsRequestSchema as ListTournamentsSchema,
  Tournament as TournamentMessage,
} from "./gen/taflhall/tournament/v1/tournament_service_pb.js";
import type { SetupSchema } from "./gen/taflhall/v1/table_pb.js";
import type { LobbyChange } from "./lobby.js";
import { watchLobby } from "./lobby.js";
import type { JoinOptions } from "./match.js";
import { Match, seatKind } from "./match.js";
import type { NewBot, PlayAllOptions } from "./play-all.js";
import { playAll } from "./play-all.js";
import { Reach } from "./reach.js";
import { Stream } from "./stream.js";
import type { Timing } from "./timing.js";
import { Backoff, DEFAULT_TIMING, Pauses } from "./timing.js";
import { Tournament } from "./tournament.js";

/** How often a call is repeated that ends in a fault of the server. */
const MAX_FAULTS = 3;

export interface ClientOptions extends Partial<Timing> {
  /** The API key of an account, for all calls without a secret. */
  readonly key?: string;
  /** The language of texts for people (BCP 47); without one there are none. */
  readonly language?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Fields of a message, but those that the client sets. */
type Fields<Schema extends DescMessage, Own extends string> = Omit<
  MessageInitShape<Schema> & object,
  Own | "$typeName" | "$unknown"
>;

/** A connection to a server; `connect` makes one. */
export class Client {
  readonly language: string;
  readonly timing: Timing;
  /** @internal */
  readonly reach: Reach;
  /** @internal */
  readonly pauses = new Pauses();
  private readonly key: string | undefined;

  constructor(
    readonly transport: Transport,
    options: ClientOptions = {},
    private readonly onClose: () => void = () => undefined,
    addresses: readonly string[] = [],
  ) {
    if (options.key) checkKey(options.key);
    this.language = options.language ?? "";
    this.key = options.key;
    const given = Object.entries(options).filter(([name, value]) => name in DEFAULT_TIMING && value);
    this.timing = { ...DEFAULT_TIMING, ...Object.fromEntries(given) };
    this.reach = new Reach(addresses, this.timing);
  }

  /** Whether calls without a secret are those of an account. */
  get hasKey(): boolean {
    return this.key !== undefined;
  }

  /** Close the connection; open streams end. */
  close(): void {
    this.onClose();
  }

  /** Repeat at once what was lost and waits to be repeated, as when the network is back. */
  retryNow(): void {
    this.pauses.end();
  }

  /** Return the games of the server. */
  async games(options: CallOptions = {}): Promise<Game[]> {
    const request = { language: this.language };
    return (await this.call(CatalogService.method.listGames, request, options)).games;
  }

  /** Open a match; what is returned may start it. */
  async create(
    setup: MessageInitShape<typeof SetupSchema>,
    options: Fields<typeof CreateSchema, "setup" | "requestId"> & CallOptions = {},
  ): Promise<Match> {
    const { signal, ...fields } = options;
    const request = create(CreateMatchRequestSchema, { ...fields, setup, requestId: requestId() });
    const reply = await this.call(MatchService.method.createMatch, request, { signal });
    return new Match(this, reply.match?.id ?? "", reply.creatorSecret, [], reply.joinCode);
  }

  /** Sit down at an open match with this setup, or at a new one; it starts when it is full. */
  async findMatch(
    setup: MessageInitShape<typeof SetupSchema>,
    name: string,
    options: Fields<typeof FindSchema, "setup" | "name" | "kind" | "requestId"> & JoinOptions = {},
  ): Promise<Match> {
    const { signal, kind, ...fields } = options;
    const own = { setup, name, kind: seatKind(kind), requestId: requestId() };
    const request = create(FindMatchRequestSchema, { language: this.language, ...fields, ...own });
    const reply = await this.call(LobbyService.method.findMatch, request, { signal });
    return new Match(this, reply.match?.id ?? "", reply.seatSecret, [reply.seat]);
  }

  /** Take the lowest free seat of the match with a join code. */
  async joinByCode(joinCode: string, name: string, options: JoinOptions = {}): Promise<Match> {
    const request = { joinCode, name, kind: seatKind(options.kind), requestId: requestId() };
    const { signal } = options;
    const reply = await this.call(MatchService.method.joinMatch, request, { signal });
    return new Match(this, reply.match?.id ?? "", reply.seatSecret, reply.seats);
  }

  /**
   * Yield what changes among the matches that pass a filter, until the caller stops; a lost stream is
   * opened again. List the matches once the watch has begun, and again after an update `lost`.
   */
  watchLobby(
    filter: Fields<typeof ListSchema, "pageToken" | "pageSize"> = {},
    options: CallOptions = {},
  ): AsyncGenerator<LobbyChange> {
    return watchLobby(this, { language: this.language, ...filter }, options);
  }

  /** Return the match with an id, to act with a secret or to watch without. */
  match(id: string, secret?: string): Match {
    return new Match(this, id, secret);
  }

  /** Yield the matches that pass a filter, newest first. */
  async *matches(
    filter: Fields<typeof ListSchema, "pageToken"> & CallOptions = {},
  ): AsyncGenerator<MatchMessage> {
    const { signal, ...fields } = filter;
    let pageToken = "";
    do {
      const request = { language: this.language, ...fields, pageToken };
      const page = await this.call(MatchService.method.listMatches, request, { signal });
      yield* page.matches;
      pageToken = page.nextPageToken;
    } while (pageToken);
  }

  /**
   * Yield what the decisions of a finished match were worth, in order, each as the server judges it.
   * A call judges `pageSize` of them, usually one, which takes about a second.
   */
  async *analyse(
    record: MatchRecord,
    options: Fields<typeof AnalyseSchema, "record"> & CallOptions = {},
  ): AsyncGenerator<JudgedDecision> {
    const { signal, ...fields } = options;
    const request = { language: this.language, pageSize: 1, ...fields, record };
    do {
      const page = await this.call(EngineService.method.analyseRecord, request, { signal });
      yield* page.decisions;
      request.firstRevision = page.nextRevision;
    } while (request.firstRevision);
  }

  /** Announce a tournament of matches with this setup; for accounts that host. */
  async createTournament(
    name: string,
    setup: MessageInitShape<typeof SetupSchema>,
    options: Fields<typeof CreateTournamentSchema, "name" | "setup" | "requestId"> & CallOptions,
  ): Promise<Tournament> {
    const { signal, ...fields } = options;
    const request = { ...fields, name, setup, requestId: requestId() };
    const reply = await this.call(TournamentService.method.createTournament, request, { signal });
    return this.tournament(reply.tournament?.id ?? "");
  }

  /** Return the tournament with an id. */
  tournament(id: string): Tournament {
    return new Tournament(this, id);
  }

  /** Yield the tournaments that pass a filter, newest first. */
  async *tournaments(
    filter: Fields<typeof ListTournamentsSchema, "pageToken"> & CallOptions = {},
  ): AsyncGenerator<TournamentMessage> {
    const { signal, ...fields } = filter;
    let pageToken = "";
    do {
      const request = { ...fields, pageToken };
      const page = await this.call(TournamentService.method.listTournaments, request, { signal });
      yield* page.tournaments;
      pageToken = page.nextPageToken;
    } while (pageToken);
  }

  /**
   * Let bots answer in all matches of the account over one stream, those too that it enters later,
   * until the signal is aborted. `newBot` makes the bot of a match that has entered.
   */
  playAll(newBot: NewBot, options: PlayAllOptions = {}): Promise<void> {
    return playAll(this, newBot, options);
  }

  /**
   * Make any unary call of the contract; repeat it while its outcome is unknown.
   *
   * @throws {@link TaflhallError}, or the reason of the signal.
   */
  async call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions & { readonly secret?: string | undefined } = {},
  ): Promise<MessageShape<O>> {
    const { signal } = options;
    const begin = Date.now();
    const left = (): number => begin + this.reach.limit(this.timing.callMs) - Date.now();
    const backoff = new Backoff(this.timing);
    let faults = 0;
    let before: TaflhallError | undefined;
    for (;;) {
      const timeout = Math.max(1, Math.min(left(), this.reach.answerLimit(this.timing.attemptMs)));
      try {
        const header = this.header(options.secret);
        const { message } = await this.transport.unary(method, signal, timeout, header, request);
        this.reach.notice();
        return message;
      } catch (error) {
        signal?.throwIfAborted();
        let failure = fromCall(error, this.language);
        this.reach.notice(failure);
        if (failure.reason === "DEADLINE_EXCEEDED") failure = before ?? failure;
        before = failure;
        faults += failure.reason === "INTERNAL" || failure.reason === "UNKNOWN" ? 1 : 0;
        const passes = failure.uncertain || hasReason(failure, "RATE_LIMITED");
        const pause = backoff.pauseFor(failure);
        if (!passes || faults > MAX_FAULTS || pause >= left()) throw this.reach.explain(failure);
        await this.pauses.wait(pause, failure, signal);
      }
    }
  }

  /** Open a stream. */
  open<I extends DescMessage, O extends DescMessage>(
    method: DescMethodStreaming<I, O>,
    options: CallOptions & { readonly secret?: string | undefined } = {},
  ): Stream<I, O> {
    const header = this.header(options.secret);
    const silence = (): number => this.reach.answerLimit(this.timing.silenceMs);
    return new Stream(this.transport, method, header, silence, this.language, options.signal);
  }

  private header(secret: string | undefined): Record<string, string> {
    const credential = secret ?? this.key;
    return credential === undefined ? {} : { authorization: `Bearer ${credential}` };
  }
}

/** Return a new request id, which nobody can guess. */
export function requestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
