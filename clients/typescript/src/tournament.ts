import type { DescMessage, DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";

import type { CallOptions, Client } from "./client.js";
import { TournamentService, TournamentStatus } from "./gen/taflhall/tournament/v1/tournament_service_pb.js";
import type {
  Tournament as TournamentMessage,
  TournamentMatch,
  TournamentStanding,
  WatchTournamentResponse,
  WatchTournamentResponseSchema,
} from "./gen/taflhall/tournament/v1/tournament_service_pb.js";
import type { Source } from "./resuming.js";
import { request, updates } from "./resuming.js";

const METHODS = TournamentService.method;

/** A tournament of the server, as the account of the client may use it. */
export class Tournament {
  constructor(
    readonly client: Client,
    readonly id: string,
  ) {}

  /** Return the tournament as it is. */
  get(options: CallOptions = {}): Promise<TournamentMessage | undefined> {
    return this.call(METHODS.getTournament, {}, options);
  }

  /** Enter our account, under a name or else its own. */
  enter(name = "", options: CallOptions = {}): Promise<TournamentMessage | undefined> {
    return this.call(METHODS.enterTournament, { name }, options);
  }

  /** Withdraw our account, which after the start resigns its matches; its creator may name any. */
  withdraw(
    options: CallOptions & { readonly accountId?: string } = {},
  ): Promise<TournamentMessage | undefined> {
    const { accountId = "" } = options;
    return this.call(METHODS.withdrawFromTournament, { accountId }, options);
  }

  /** Start the tournament: nobody enters any more, and its matches begin; for its creator. */
  start(options: CallOptions = {}): Promise<TournamentMessage | undefined> {
    return this.call(METHODS.startTournament, {}, options);
  }

  /** End the tournament early; matches under way continue but do not count; for its creator. */
  cancel(options: CallOptions = {}): Promise<TournamentMessage | undefined> {
    return this.call(METHODS.cancelTournament, {}, options);
  }

  /** Return the standings so far, best first. */
  async standings({ signal }: CallOptions = {}): Promise<TournamentStanding[]> {
    const request = { tournamentId: this.id };
    return (await this.client.call(METHODS.getTournamentStandings, request, { signal })).standings;
  }

  /** Yield the matches so far with their results, in the order of the schedule. */
  async *matches({ signal }: CallOptions = {}): AsyncGenerator<TournamentMatch> {
    let pageToken = "";
    do {
      const request = { tournamentId: this.id, pageSize: 100, pageToken };
      const page = await this.client.call(METHODS.listTournamentMatches, request, { signal });
      yield* page.matches;
      pageToken = page.nextPageToken;
    } while (pageToken);
  }

  /**
   * Yield what changes until the tournament has ended: first the tournament with all its matches so
   * far, then what is new. A lost stream is opened again, and then begins like the first.
   */
  watch(options: CallOptions = {}): AsyncGenerator<WatchTournamentResponse> {
    const wanted = { tournamentId: this.id };
    const source: Source<typeof WatchTournamentResponseSchema, WatchTournamentResponse> = {
      over: false,
      open: () => request(this.client, METHODS.watchTournament, wanted, options),
      *take(message) {
        const { tournament, matches } = message;
        this.over = (tournament?.status ?? 0) > TournamentStatus.PLAYING;
        if (tournament !== undefined || matches.length > 0) yield message;
      },
    };
    return updates(this.client, source, options);
  }

  private async call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: object,
    { signal }: CallOptions,
  ): Promise<TournamentMessage | undefined> {
    const named = { ...request, tournamentId: this.id } as unknown as MessageInitShape<I>;
    const reply = await this.client.call(method, named, { signal });
    return (reply as unknown as { tournament?: TournamentMessage }).tournament;
  }
}
