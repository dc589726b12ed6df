package org.taflhall.driver;

import static org.taflhall.driver.Json.brief;
import static org.taflhall.driver.Json.decision;
import static org.taflhall.driver.Json.failure;
import static org.taflhall.driver.Json.message;
import static org.taflhall.driver.Json.name;
import static org.taflhall.driver.Json.object;
import static org.taflhall.driver.Json.parsed;
import static org.taflhall.driver.Json.refusal;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServiceDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.ClientCalls;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.taflhall.Answers;
import org.taflhall.Bot;
import org.taflhall.Client;
import org.taflhall.MatchHandle;
import org.taflhall.PlayAll;
import org.taflhall.TaflhallException;
import org.taflhall.Timing;
import org.taflhall.Update;
import org.taflhall.Watch;
import org.taflhall.v1.Command;
import org.taflhall.v1.Decision;
import org.taflhall.v1.DecisionAnswer;
import org.taflhall.v1.LobbyUpdate;
import org.taflhall.v1.ProposalPolicy;
import org.taflhall.v1.Reaction;
import org.taflhall.v1.SeatKind;
import org.taflhall.v1.Setup;
import org.taflhall.v1.SubmitAnswersResponse;

/**
 * Lets {@code taflhall conformance client} call the Java client: it reads operations from standard
 * input and reports on standard output. See docs/writing-a-client.md.
 */
public final class Driver {
  private static final Set<String> OPERATIONS =
      Set.of(
          "connect", "close", "call", "create", "join", "start", "get", "submit", "explain", "watch",
          "play", "play_all", "watch_lobby", "resign", "add_bot", "rematch", "react", "analyse",
          "tournament", "standings", "tournament_matches", "watch_tournament", "cancel", "bench");

  private static final Map<String, ProposalPolicy> POLICIES =
      Map.of(
          "agree", ProposalPolicy.PROPOSAL_POLICY_AGREE,
          "refuse", ProposalPolicy.PROPOSAL_POLICY_REFUSE);

  private final PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
  private final Map<String, Client> clients = new ConcurrentHashMap<>();
  private final Map<Integer, Future<?>> running = new ConcurrentHashMap<>();

  /** Reads operations until the end of the input. */
  public static void main(String[] args) throws Exception {
    Driver driver = new Driver();
    JsonArray names = new JsonArray();
    OPERATIONS.forEach(names::add);
    driver.write(object("protocol", 1, "client", "taflhall-java", "operations", names));
    var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      driver.begin(new Given(JsonParser.parseString(line).getAsJsonObject()));
    }
    System.exit(0);
  }

  private synchronized void write(JsonObject line) {
    out.println(line);
    out.flush();
  }

  /** Begins an operation; those that call the server run beside the others. */
  private void begin(Given given) {
    switch (given.text("op")) {
      case "connect" -> report(given, () -> connect(given));
      case "close" ->
          report(
              given,
              () -> {
                client(given).close();
                return object();
              });
      case "cancel" ->
          report(
              given,
              () -> {
                Future<?> operation = running.get(given.number("of", 0));
                if (operation != null) {
                  operation.cancel(true);
                }
                return object();
              });
      default -> {
        synchronized (running) { // not removed before it is there
          running.put(given.id(), client(given).async(() -> report(given, () -> run(given))));
        }
      }
    }
  }

  /** An operation that may fail. */
  private interface Operation {
    JsonObject run() throws Exception;
  }

  /** Runs an operation and writes how it ended. */
  private Void report(Given given, Operation operation) {
    JsonObject line = object("id", given.id());
    try {
      line.add("result", operation.run());
    } catch (StatusRuntimeException error) { // of a stub
      line.add("error", failure(TaflhallException.of(error, Locale.ROOT)));
    } catch (Exception error) {
      line.add("error", failure(error));
    }
    synchronized (running) {
      running.remove(given.id());
    }
    write(line);
    return null;
  }

  private JsonObject run(Given given) throws Exception {
    Client client = client(given);
    MatchHandle match = client.match(given.text("match"), given.text("secret"));
    Consumer<JsonObject> tell = event -> write(object("id", given.id(), "event", event));
    return switch (given.text("op")) {
      case "call" -> call(client, given, tell);
      case "create" -> create(client, given);
      case "join" -> join(match, given);
      case "start" -> brief(match.start());
      case "get" -> get(match, given);
      case "submit" -> submit(match, given);
      case "explain" -> explain(match, given);
      case "watch" -> watch(match, given, tell);
      case "play" -> play(match, given, tell);
      case "play_all" -> playAll(client, given, tell);
      case "watch_lobby" -> watchLobby(client, given, tell);
      case "resign" ->
          brief(match.resign(given.number("seat", () -> match.get().getView().getSeat())));
      case "add_bot" -> addBot(match, given);
      case "rematch" -> rematch(match);
      case "react" -> react(match, given);
      case "analyse" -> analyse(client, match, given);
      case "tournament" -> Tournaments.act(client, given);
      case "standings" -> Tournaments.standings(client, given);
      case "tournament_matches" -> Tournaments.matches(client, given);
      case "watch_tournament" -> Tournaments.watch(client, given, tell);
      case "bench" -> {
        Duration time = given.time("seconds", Duration.ofSeconds(1));
        yield new Bench(client, given.text("mode")).run(given.number("parallel", 1), time);
      }
      default -> throw new IllegalArgumentException("there is no operation " + given.text("op"));
    };
  }

  private static JsonObject analyse(Client client, MatchHandle match, Given given) {
    JsonArray decisions = new JsonArray();
    client
        .analyse(
            match.record(),
            request ->
                request
                    .setFirstRevision(given.number("first_revision", 0))
                    .setIterations(given.number("iterations", 0))
                    .setTrials(given.number("trials", 0)))
        .limit(given.number("most", 1))
        .forEach(
            judged ->
                decisions.add(
                    object(
                        "revision", judged.getRevision(),
                        "seat", judged.getSeat(),
                        "grade", name(judged.getGradeValue(), judged.getGrade()))));
    return object("decisions", decisions);
  }

  private Client client(Given given) {
    return clients.get(given.text("client"));
  }

  private JsonObject connect(Given given) throws Exception {
    Timing usual = Timing.DEFAULT;
    Client.Builder builder =
        Client.builder(given.text("address"))
            .key(given.text("key"))
            .timing(
                new Timing(
                    given.time("deadline", usual.call()),
                    given.time("connect_deadline", usual.connect()),
                    given.time("attempt", usual.attempt()),
                    given.time("silence", usual.silence()),
                    given.time("patience", usual.patience()),
                    given.time("first_pause", usual.firstPause()),
                    given.time("longest_pause", usual.longestPause())));
    if (given.has("language")) {
      builder.language(Locale.forLanguageTag(given.text("language")));
    }
    if (given.has("tls")) {
      Given files = given.object("tls");
      TlsChannelCredentials.Builder tls = TlsChannelCredentials.newBuilder();
      if (files.has("ca")) {
        tls.trustManager(new File(files.text("ca")));
      }
      if (files.has("cert")) {
        tls.keyManager(new File(files.text("cert")), new File(files.text("key")));
      }
      builder.credentials(tls.build());
    }
    clients.put(given.text("client"), builder.connect());
    return object();
  }

  /** Returns a method of the contract by its full name, "taflhall.v1.MatchService/GetMatch". */
  private static MethodDescriptor<?, ?> method(String name) throws ReflectiveOperationException {
    String service = name.substring(0, name.indexOf('/'));
    Class<?> stubs = Class.forName("org." + service + "Grpc");
    var descriptor = (ServiceDescriptor) stubs.getMethod("getServiceDescriptor").invoke(null);
    return descriptor.getMethods().stream()
        .filter(method -> method.getFullMethodName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @SuppressWarnings("unchecked")
  private static JsonObject call(Client client, Given given, Consumer<JsonObject> tell)
      throws Exception {
    var method = (MethodDescriptor<Message, Message>) method(given.text("method"));
    var requests = (PrototypeMarshaller<Message>) method.getRequestMarshaller();
    Message request =
        parsed(given.get("request"), requests.getMessagePrototype().newBuilderForType());
    if (method.getType() == MethodDescriptor.MethodType.UNARY) {
      return object("response", message(client.call(method, request, given.text("secret"))));
    }
    var replies =
        ClientCalls.blockingServerStreamingCall(
            client.channel(), method, CallOptions.DEFAULT, request);
    while (replies.hasNext()) {
      tell.accept(object("message", message(replies.next())));
    }
    return object();
  }

  private static JsonObject create(Client client, Given given) throws Exception {
    Setup setup = parsed(given.get("setup"), Setup.newBuilder());
    MatchHandle match =
        client.create(
            setup,
            request ->
                request
                    .setTitle(given.text("title"))
                    .setStartWhenFull(given.flag("start_when_full")));
    return object("match", match.id(), "secret", match.secret());
  }

  private static JsonObject join(MatchHandle match, Given given) {
    boolean bot = given.text("kind").equals("BOT");
    MatchHandle seat =
        match.join(
            given.text("name"),
            request ->
                request
                    .addAllSeats(given.numbers("seats"))
                    .setKind(bot ? SeatKind.SEAT_KIND_BOT : SeatKind.SEAT_KIND_PERSON));
    return object("seats", seat.seats(), "secret", seat.secret());
  }

  private static JsonObject addBot(MatchHandle match, Given given) {
    return brief(
        match.addBot(
            given.text("bot"),
            request -> {
              if (given.has("seat")) {
                request.setSeat(given.number("seat", 0));
              }
            }));
  }

  private static JsonObject rematch(MatchHandle match) {
    MatchHandle seat = match.rematch();
    return object("match", seat.id(), "seats", seat.seats(), "secret", seat.secret());
  }

  private static JsonObject react(MatchHandle match, Given given) {
    String name = given.has("reaction") ? given.text("reaction") : "UNSPECIFIED";
    match.react(Reaction.valueOf("REACTION_" + name));
    return object();
  }

  private static JsonObject get(MatchHandle match, Given given) {
    var state =
        match.get(
            request -> {
              if (given.has("seat")) {
                request.setSeat(given.number("seat", 0));
              }
            });
    JsonArray decisions = new JsonArray();
    state.getDecisionsList().forEach(decision -> decisions.add(decision(decision)));
    JsonObject result = brief(state.getMatch());
    result.add("decisions", decisions);
    result.addProperty("resume_token", state.getResumeToken());
    return result;
  }

  private static JsonObject submit(MatchHandle match, Given given) throws Exception {
    List<DecisionAnswer> list = new ArrayList<>();
    given.numbers("options").forEach(option -> list.add(Answers.option(option)));
    for (JsonElement command : given.elements("commands")) {
      list.add(Answers.command(parsed(command, Command.newBuilder())));
    }
    DecisionAnswer[] answers = list.toArray(DecisionAnswer[]::new);
    String id = given.text("decision");
    if (id.isEmpty()) {
      id = match.decision().map(Decision::getId).orElse("");
    }
    SubmitAnswersResponse done =
        given.has("request_id")
            ? match.submitAs(given.text("request_id"), id, answers)
            : match.submit(id, answers);
    return object(
        "revision", done.getRevision(),
        "applied", done.getApplied(),
        "replayed", done.getReplayed(),
        "status", name(done.getStatusValue(), done.getStatus()),
        "refusal", done.hasRefusal() ? refusal(done.getRefusal()) : null,
        "decision", done.hasDecision() ? decision(done.getDecision()) : null);
  }

  private static JsonObject explain(MatchHandle match, Given given) throws Exception {
    Command command = parsed(given.get("command"), Command.newBuilder());
    var verdict =
        match.explain(
            command,
            request -> {
              if (given.has("seat")) {
                request.setSeat(given.number("seat", 0));
              }
            });
    return object(
        "legal", verdict.getLegal(),
        "refusal", verdict.hasRefusal() ? refusal(verdict.getRefusal()) : null,
        "rule_text", verdict.getRuleText());
  }

  private static JsonObject watch(MatchHandle match, Given given, Consumer<JsonObject> tell) {
    try (Watch<Update> watch =
        match.watch(
            request -> {
              request.setResumeToken(given.text("resume_token"));
              if (given.has("seat")) {
                request.setSeat(given.number("seat", 0));
              }
            })) {
      for (Update update : watch) {
        JsonObject event =
            object("revision", update.revision(), "resume_token", update.resumeToken());
        if (update instanceof Update.Snapshot at) {
          var cause = at.snapshot().getCause();
          String named = name(at.snapshot().getCauseValue(), cause);
          event.addProperty("events", 0);
          event.addProperty("status", brief(at.snapshot().getMatch()).get("status").getAsString());
          event.addProperty("snapshot", named.equals("UNSPECIFIED") ? "BEGIN" : named);
          tell.accept(event);
        } else if (update instanceof Update.Change at) {
          var change = at.change();
          event.addProperty("events", change.getEventsCount());
          event.addProperty("status", name(change.getStatusValue(), change.getStatus()));
          tell.accept(event);
        } else if (update instanceof Update.End at) {
          JsonObject result = brief(at.end().getMatch());
          result.addProperty("revision", at.revision());
          return result;
        }
      }
    }
    throw new IllegalStateException("the watch ended without an end");
  }

  private static JsonObject play(MatchHandle match, Given given, Consumer<JsonObject> tell) {
    ProposalPolicy policy = policy(given);
    return brief(
        match.play(
            bot(given, tell),
            enter -> enter.setProposals(policy).setWithEvents(given.flag("with_events"))));
  }

  private static ProposalPolicy policy(Given given) {
    ProposalPolicy none = ProposalPolicy.PROPOSAL_POLICY_UNSPECIFIED;
    return POLICIES.getOrDefault(given.text("proposals"), none);
  }

  private static JsonObject playAll(Client client, Given given, Consumer<JsonObject> tell) {
    PlayAll all =
        client
            .playAll(
                entered -> {
                  String id = entered.getMatch().getId();
                  tell.accept(object("match", id, "entered", entered.getSeatsList()));
                  return bot(
                      given,
                      answer -> {
                        answer.addProperty("match", id);
                        tell.accept(answer);
                      });
                })
            .with(enter -> enter.setProposals(policy(given)))
            .onEnd(
                end -> {
                  JsonObject event = object("match", end.matchId());
                  if (end instanceof PlayAll.Over over) {
                    event.add("end", brief(over.match()).get("status"));
                  } else if (end instanceof PlayAll.Left left) {
                    event.add("failure", failure(left.cause()).get("reason"));
                  }
                  tell.accept(event);
                });
    for (JsonElement seat : given.elements("at")) {
      Given at = new Given(seat.getAsJsonObject());
      all.at(client.match(at.text("match"), at.text("secret")));
    }
    if (given.has("max_matches")) {
      all.offer(given.number("max_matches", 0), given.texts("games"));
    }
    all.run();
    return object();
  }

  private static JsonObject watchLobby(Client client, Given given, Consumer<JsonObject> tell) {
    try (Watch<LobbyUpdate> watch =
        client.watchLobby(filter -> filter.setGame(given.text("game")))) {
      for (LobbyUpdate update : watch) {
        switch (update.getUpdateCase()) {
          case MATCH -> tell.accept(object("match", update.getMatch().getId()));
          case GONE_MATCH_ID -> tell.accept(object("gone", update.getGoneMatchId()));
          case LOST -> tell.accept(object("lost", true));
          default -> {}
        }
      }
    }
    return object();
  }

  /** Returns the bot that an operation describes; it reports each answer. */
  private static Bot bot(Given given, Consumer<JsonObject> tell) {
    Bot random = Bot.random(given.number("seed", 0));
    Duration think = given.time("think", Duration.ZERO);
    return prompt -> {
      Thread.sleep(think.toMillis());
      Decision decision = prompt.getDecision();
      DecisionAnswer answer =
          switch (given.text("choose")) {
            case "last" -> Answers.option(decision.getOptionsCount() - 1);
            case "random" -> random.answer(prompt);
            default -> Answers.option(0);
          };
      tell.accept(
          object(
              "decision", decision.getId(),
              "seat", decision.getSeat(),
              "rule", decision.getRule(),
              "option", answer.getOption(),
              "events", prompt.getEventsCount()));
      return answer;
    };
  }
}
