package org.taflhall;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.taflhall.tournament.v1.CreateTournamentRequest;
import org.taflhall.tournament.v1.ListTournamentsRequest;
import org.taflhall.tournament.v1.ListTournamentsResponse;
import org.taflhall.tournament.v1.TournamentServiceGrpc;
import org.taflhall.v1.AnalyseRecordRequest;
import org.taflhall.v1.CatalogServiceGrpc;
import org.taflhall.v1.CreateMatchRequest;
import org.taflhall.v1.EngineServiceGrpc;
import org.taflhall.v1.FindMatchRequest;
import org.taflhall.v1.JoinMatchRequest;
import org.taflhall.v1.JudgedDecision;
import org.taflhall.v1.ListGamesRequest;
import org.taflhall.v1.ListGamesResponse;
import org.taflhall.v1.ListMatchesRequest;
import org.taflhall.v1.ListMatchesResponse;
import org.taflhall.v1.LobbyServiceGrpc;
import org.taflhall.v1.LobbyUpdate;
import org.taflhall.v1.MatchRecord;
import org.taflhall.v1.MatchServiceGrpc;
import org.taflhall.v1.PlayAllEntered;
import org.taflhall.v1.Setup;
import org.taflhall.v1.TimeControl;
import org.taflhall.v1.WatchLobbyRequest;

/** A connection to a server. Several threads may use it at once. */
public final class Client implements AutoCloseable {
  /**
   * The secret of a call that is made with a stub on {@link #channel}: {@code
   * stub.withOption(Client.SECRET, match.secret())}. Without it the API key of the client is sent.
   */
  public static final CallOptions.Key<String> SECRET =
      CallOptions.Key.createWithDefault("taflhall-secret", "");

  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  /** How often a call is made that ends in a fault of the server. */
  private static final int FAULT_ATTEMPTS = 4;

  private static final int MAX_MESSAGE_BYTES = 16 << 20;

  private final ManagedChannel channel;
  private final String key;
  private final String language;
  private final Timing timing;
  private final Reach reach;
  private final ExecutorService executor;

  private Client(Builder builder) {
    key = builder.key;
    language = builder.language;
    timing = builder.timing;
    List<String> addresses = Addresses.of(builder.address);
    Addresses.checkKey(key);
    reach = new Reach(addresses, timing);
    executor =
        Executors.newCachedThreadPool(
            work -> {
              Thread thread = new Thread(work, "taflhall");
              thread.setDaemon(true);
              return thread;
            });
    ManagedChannelBuilder<?> channels =
        Grpc.newChannelBuilder(Replicas.target(addresses), builder.credentials)
            .userAgent("taflhall-java")
            .defaultLoadBalancingPolicy("round_robin")
            .disableRetry()
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            .keepAliveTime(1, TimeUnit.MINUTES)
            .keepAliveTimeout(20, TimeUnit.SECONDS)
            .intercept(new Authorization(key));
    builder.channel.accept(channels);
    channel = channels.build();
  }

  /**
   * Returns a client of a server in the clear, without an account. It sends nothing yet.
   *
   * @param address the server, as "host:port"; or several with commas between, which are replicas of
   *     one service
   * @return the client
   */
  public static Client connect(String address) {
    return builder(address).connect();
  }

  /**
   * Returns what makes a client with options.
   *
   * @param address the server, as "host:port"; or several with commas between, which are replicas of
   *     one service
   * @return the builder
   */
  public static Builder builder(String address) {
    return new Builder(address);
  }

  /** Makes a {@link Client}. */
  public static final class Builder {
    private final String address;
    private String key = "";
    private String language = "";
    private Timing timing = Timing.DEFAULT;
    private ChannelCredentials credentials = InsecureChannelCredentials.create();
    private Consumer<ManagedChannelBuilder<?>> channel = builder -> {};

    private Builder(String address) {
      this.address = address;
    }

    /**
     * Proves an account by its API key, in every call that has no secret of its own.
     *
     * @param key the API key
     * @return this
     */
    public Builder key(String key) {
      this.key = key;
      return this;
    }

    /**
     * Requests texts for people in a language. Without it options, events and decisions come without
     * texts, which is faster, and errors in English.
     *
     * @param language the language
     * @return this
     */
    public Builder language(Locale language) {
      this.language = language.toLanguageTag();
      return this;
    }

    /**
     * Sets how long the client waits.
     *
     * @param timing the times
     * @return this
     */
    public Builder timing(Timing timing) {
      this.timing = timing;
      return this;
    }

    /**
     * Speaks TLS: {@code TlsChannelCredentials.create()} trusts the authorities of the system; its
     * builder takes others, and a certificate to show.
     *
     * @param credentials the credentials of the connection
     * @return this
     */
    public Builder credentials(ChannelCredentials credentials) {
      this.credentials = credentials;
      return this;
    }

    /**
     * Sets options of gRPC, such as interceptors.
     *
     * @param options sets them
     * @return this
     */
    public Builder channel(Consumer<ManagedChannelBuilder<?>> options) {
      this.channel = options;
      return this;
    }

    /**
     * Makes the client. It sends nothing yet.
     *
     * @return the client
     * @throws TaflhallException with {@link Reason#INVALID_ADDRESS} or {@link Reason#API_KEY_INVALID}
     *     if an address or the API key cannot be one
     */
    public Client connect() {
      return new Client(this);
    }
  }

  /** Ends the connection and all streams. */
  @Override
  public void close() {
    channel.shutdownNow();
    executor.shutdownNow();
  }

  /**
   * Returns the connection, for stubs of any service. Their errors become those of this client by
   * {@link TaflhallException#of}.
   *
   * @return the channel
   */
  public Channel channel() {
    return channel;
  }

  /**
   * Returns the games of the server and its limits.
   *
   * @return the games
   */
  public ListGamesResponse games() {
    ListGamesRequest request = ListGamesRequest.newBuilder().setLanguage(language).build();
    return call(CatalogServiceGrpc.getListGamesMethod(), request);
  }

  /**
   * Returns a page of the matches that fit.
   *
   * @param filter sets which matches, and which page
   * @return the page
   */
  public ListMatchesResponse matches(Consumer<ListMatchesRequest.Builder> filter) {
    ListMatchesRequest.Builder request = ListMatchesRequest.newBuilder().setLanguage(language);
    filter.accept(request);
    return call(MatchServiceGrpc.getListMatchesMethod(), request.build());
  }

  /**
   * Returns the setup of a game with its defaults.
   *
   * @param game the game, such as "yggdrasil"
   * @param seats how many seats
   * @return the setup
   */
  public static Setup setup(String game, int seats) {
    return Setup.newBuilder().setGame(game).setSeats(seats).build();
  }

  /**
   * Opens a match.
   *
   * @param setup how it is laid out
   * @return the match, which its owner may start: its secret is the creator's
   */
  public MatchHandle create(Setup setup) {
    return create(setup, request -> {});
  }

  /**
   * Opens a match with options: a title, time control, spectators.
   *
   * @param setup how it is laid out
   * @param options sets further fields of the request
   * @return the match, which its owner may start: its secret is the creator's
   */
  public MatchHandle create(Setup setup, Consumer<CreateMatchRequest.Builder> options) {
    var request = CreateMatchRequest.newBuilder().setSetup(setup).setRequestId(newRequestId());
    options.accept(request);
    var reply = call(MatchServiceGrpc.getCreateMatchMethod(), request.build());
    String id = reply.getMatch().getId();
    return new MatchHandle(this, id, reply.getCreatorSecret(), List.of(), reply.getJoinCode());
  }

  /**
   * Sits down at an open match with this setup, or at a new one, which starts when it is full.
   *
   * @param setup how it is laid out
   * @param name a name for people
   * @param options sets further fields of the request: the kind of player, time control
   * @return the match, as seen from the seat
   */
  public MatchHandle findMatch(
      Setup setup, String name, Consumer<FindMatchRequest.Builder> options) {
    var request =
        FindMatchRequest.newBuilder()
            .setSetup(setup)
            .setName(name)
            .setRequestId(newRequestId())
            .setLanguage(language);
    options.accept(request);
    var reply = call(LobbyServiceGrpc.getFindMatchMethod(), request.build());
    List<Integer> seats = List.of(reply.getSeat());
    return new MatchHandle(this, reply.getMatch().getId(), reply.getSeatSecret(), seats, "");
  }

  /**
   * Takes seats in the match with a join code.
   *
   * @param code the join code
   * @param name a name for people
   * @param options sets further fields of the request: seats, the kind of player
   * @return the match, as seen from the seats
   */
  public MatchHandle joinByCode(
      String code, String name, Consumer<JoinMatchRequest.Builder> options) {
    return join(JoinMatchRequest.newBuilder().setJoinCode(code).setName(name), key, options);
  }

  MatchHandle join(
      JoinMatchRequest.Builder request, String who, Consumer<JoinMatchRequest.Builder> options) {
    request.setRequestId(newRequestId());
    options.accept(request);
    var reply = call(MatchServiceGrpc.getJoinMatchMethod(), request.build(), who);
    String id = request.getMatchId().isEmpty() ? reply.getMatch().getId() : request.getMatchId();
    return new MatchHandle(this, id, reply.getSeatSecret(), reply.getSeatsList(), "");
  }

  /**
   * Watches the matches that a filter lets through, until the watch is closed. List the matches once
   * the watch has begun, and again after an update that says that updates were lost.
   *
   * @param filter sets which matches
   * @return what changes; close it
   */
  public Watch<LobbyUpdate> watchLobby(Consumer<ListMatchesRequest.Builder> filter) {
    ListMatchesRequest.Builder matches = ListMatchesRequest.newBuilder().setLanguage(language);
    filter.accept(matches);
    return new Watch<>(this, new LobbySource(this, WatchLobbyRequest.newBuilder().setFilter(matches)));
  }

  /**
   * Returns a match to watch, or to join.
   *
   * @param id its id
   * @return the match
   */
  public MatchHandle match(String id) {
    return match(id, "");
  }

  /**
   * Returns a match to act in.
   *
   * @param id its id
   * @param secret the secret of seats, or of the creator
   * @return the match
   */
  public MatchHandle match(String id, String secret) {
    return new MatchHandle(this, id, secret, List.of(), "");
  }

  /**
   * Announces a tournament; it is for accounts that host.
   *
   * @param name its name, for people
   * @param setup how each match is laid out
   * @param timeControl the time of the seats
   * @return the tournament
   */
  public TournamentHandle createTournament(String name, Setup setup, TimeControl timeControl) {
    return createTournament(name, setup, timeControl, request -> {});
  }

  /**
   * Announces a tournament with options; it is for accounts that host.
   *
   * @param name its name, for people
   * @param setup how each match is laid out
   * @param timeControl the time of the seats
   * @param options sets further fields of the request: format, rounds, how many may enter
   * @return the tournament
   */
  public TournamentHandle createTournament(
      String name,
      Setup setup,
      TimeControl timeControl,
      Consumer<CreateTournamentRequest.Builder> options) {
    var request =
        CreateTournamentRequest.newBuilder()
            .setName(name)
            .setSetup(setup)
            .setTimeControl(timeControl)
            .setRequestId(newRequestId());
    options.accept(request);
    var reply = call(TournamentServiceGrpc.getCreateTournamentMethod(), request.build());
    return tournament(reply.getTournament().getId());
  }

  /**
   * Returns a tournament.
   *
   * @param id its id
   * @return the tournament
   */
  public TournamentHandle tournament(String id) {
    return new TournamentHandle(this, id);
  }

  /**
   * Returns what the decisions of a finished match were worth, in order, each as the server judges
   * it. A call judges one of them, unless the page size is set, and takes about a second.
   *
   * @param record the record of the match
   * @param options sets the first revision, the effort and the seed
   * @return the judgements
   */
  public Stream<JudgedDecision> analyse(
      MatchRecord record, Consumer<AnalyseRecordRequest.Builder> options) {
    var request =
        AnalyseRecordRequest.newBuilder().setRecord(record).setPageSize(1).setLanguage(language);
    options.accept(request);
    var method = EngineServiceGrpc.getAnalyseRecordMethod();
    return Stream.iterate(
            call(method, request.build()),
            Objects::nonNull,
            page ->
                page.getNextRevision() == 0
                    ? null
                    : call(method, request.setFirstRevision(page.getNextRevision()).build()))
        .flatMap(page -> page.getDecisionsList().stream());
  }

  /**
   * Returns a page of the tournaments that fit, the newest first.
   *
   * @param filter sets which tournaments, and which page
   * @return the page
   */
  public ListTournamentsResponse tournaments(Consumer<ListTournamentsRequest.Builder> filter) {
    var request = ListTournamentsRequest.newBuilder();
    filter.accept(request);
    return call(TournamentServiceGrpc.getListTournamentsMethod(), request.build());
  }

  /**
   * Returns what plays all matches of the account over one stream.
   *
   * @param newBot returns the bot of a match that has entered
   * @return the player, to set options and run
   */
  public PlayAll playAll(Function<? super PlayAllEntered, ? extends Bot> newBot) {
    return new PlayAll(this, newBot);
  }

  /**
   * Runs an operation of this client in a thread of its own. Cancelling the future ends the operation,
   * on the server too.
   *
   * <pre>{@code
   * CompletableFuture<Match> game = client.async(() -> seat.play(bot));
   * }</pre>
   *
   * @param operation the operation
   * @param <T> what it returns
   * @return the future of its result
   */
  public <T> CompletableFuture<T> async(Callable<T> operation) {
    CompletableFuture<T> future = new CompletableFuture<>();
    Context.CancellableContext context = Context.current().withCancellation();
    future.whenComplete((result, failure) -> context.cancel(failure));
    executor.execute(
        context.wrap(
            () -> {
              try {
                future.complete(operation.call());
              } catch (Throwable failure) {
                future.completeExceptionally(failure);
              }
            }));
    return future;
  }

  /**
   * Makes a unary call of the contract for the account of the client, and repeats it as the package
   * says.
   *
   * @param method the method, such as {@code LobbyServiceGrpc.getFindMatchMethod()}
   * @param request the request, with a request id if it changes something
   * @param <Q> the request
   * @param <R> the response
   * @return the response
   */
  public <Q, R> R call(MethodDescriptor<Q, R> method, Q request) {
    return call(method, request, "");
  }

  /**
   * Makes a unary call of the contract with a secret, and repeats it as the package says.
   *
   * @param method the method, such as {@code MatchServiceGrpc.getGetMatchMethod()}
   * @param request the request, with a request id if it changes something
   * @param secret the secret; empty for the account of the client
   * @param <Q> the request
   * @param <R> the response
   * @return the response
   */
  public <Q, R> R call(MethodDescriptor<Q, R> method, Q request, String secret) {
    Deadline given = Context.current().getDeadline();
    Deadline deadline = given == null ? after(timing.call()) : given;
    long begin = System.nanoTime();
    Backoff backoff = new Backoff(timing);
    Failure last = null;
    for (int faults = 0; ; ) {
      Failure failure;
      try {
        Duration limit = Duration.ofNanos(Math.min(timing.attempt().toNanos(), left(deadline, begin)));
        CallOptions options =
            CallOptions.DEFAULT.withDeadline(after(limit)).withOption(SECRET, secret);
        R reply = exchange(method, options, request);
        reach.notice();
        return reply;
      } catch (StatusRuntimeException error) {
        failure = Failure.of(error, language);
        reach.notice(failure);
      }
      throwIfCancelled();
      if (failure.is(Reason.DEADLINE_EXCEEDED) && last != null) {
        failure = last; // what the server said tells more
      }
      last = failure;
      if (failure.code() == Status.Code.INTERNAL || failure.code() == Status.Code.UNKNOWN) {
        faults++;
      }
      Duration pause = backoff.next(failure);
      boolean late = left(deadline, begin) <= pause.toNanos();
      if (!failure.isRepeatable() || faults >= FAULT_ATTEMPTS || late) {
        throw reach.explain(failure).exception();
      }
      try {
        Backoff.sleep(pause);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
      throwIfCancelled();
      connectAgain(failure);
    }
  }

  /**
   * Makes a call. Its thread wakes once, when the reply is complete: ClientCalls.blockingUnaryCall wakes
   * it for headers, message and trailers.
   */
  private <Q, R> R exchange(MethodDescriptor<Q, R> method, CallOptions options, Q request) {
    ClientCall<Q, R> call = channel.newCall(method, options.withExecutor(Runnable::run));
    Future<R> reply = ClientCalls.futureUnaryCall(call, request);
    try {
      return reply.get();
    } catch (InterruptedException interrupted) {
      reply.cancel(true);
      Thread.currentThread().interrupt();
      throw Status.CANCELLED.withCause(interrupted).asRuntimeException();
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause();
      throw Status.fromThrowable(cause).asRuntimeException(Status.trailersFromThrowable(cause));
    }
  }

  /** Returns the nanoseconds left for a call, which has little time before a server has ever answered. */
  private long left(Deadline deadline, long begin) {
    long whole = reach.limit(Duration.ofNanos(Long.MAX_VALUE)).toNanos();
    long left = whole - (System.nanoTime() - begin);
    return Math.min(left, deadline.timeRemaining(TimeUnit.NANOSECONDS));
  }

  private static void throwIfCancelled() {
    Failure ended = Failure.ended();
    if (ended != null && ended.is(Reason.CANCELLED)) {
      throw ended.exception();
    }
  }

  /** Has gRPC connect at once after a failure: its own pauses, of up to two minutes, are too long. */
  void connectAgain(Failure failure) {
    if (failure.code() == Status.Code.UNAVAILABLE) {
      channel.resetConnectBackoff();
    }
  }

  /** Returns an id for a request that can be repeated. */
  static String newRequestId() {
    return UUID.randomUUID().toString();
  }

  String key() {
    return key;
  }

  String language() {
    return language;
  }

  Timing timing() {
    return timing;
  }

  Reach reach() {
    return reach;
  }

  ExecutorService executor() {
    return executor;
  }

  private static Deadline after(Duration time) {
    return Deadline.after(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Sends the secret of a call, or else the API key. */
  private record Authorization(String key) implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      String secret = options.getOption(SECRET).isEmpty() ? key : options.getOption(SECRET);
      ClientCall<Q, R> call = next.newCall(method, options);
      if (secret.isEmpty()) {
        return call;
      }
      return new SimpleForwardingClientCall<>(call) {
        @Override
        public void start(Listener<R> listener, Metadata headers) {
          headers.put(AUTHORIZATION, "Bearer " + secret);
          super.start(listener, headers);
        }
      };
    }
  }
}
