package org.taflhall.driver;

import static org.taflhall.driver.Json.name;
import static org.taflhall.driver.Json.object;
import static org.taflhall.driver.Json.parsed;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.function.Consumer;
import org.taflhall.Client;
import org.taflhall.TournamentHandle;
import org.taflhall.Watch;
import org.taflhall.tournament.v1.CreateTournamentRequest;
import org.taflhall.tournament.v1.Tournament;
import org.taflhall.tournament.v1.WatchTournamentResponse;

/** The operations of tournaments. */
final class Tournaments {
  private Tournaments() {}

  /** Carries out an action that returns the tournament. */
  static JsonObject act(Client client, Given given) throws Exception {
    TournamentHandle tournament = client.tournament(given.text("tournament"));
    Tournament found =
        switch (given.text("action")) {
          case "create" -> create(client, given).get();
          case "enter" -> tournament.enter(given.text("name"));
          case "withdraw" -> tournament.withdraw(given.text("account"));
          case "start" -> tournament.start();
          case "cancel" -> tournament.cancel();
          default -> tournament.get();
        };
    return object(
        "tournament", found.getId(),
        "status", status(found),
        "entrants", found.getEntrantsCount());
  }

  private static TournamentHandle create(Client client, Given given) throws Exception {
    CreateTournamentRequest wanted =
        parsed(given.get("request"), CreateTournamentRequest.newBuilder());
    return client.createTournament(
        wanted.getName(),
        wanted.getSetup(),
        wanted.getTimeControl(),
        request ->
            request
                .setFormat(wanted.getFormat())
                .setRounds(wanted.getRounds())
                .setMaxEntrants(wanted.getMaxEntrants())
                .setMatchesAtOnce(wanted.getMatchesAtOnce()));
  }

  static JsonObject standings(Client client, Given given) {
    JsonArray lines = new JsonArray();
    for (var line : client.tournament(given.text("tournament")).standings()) {
      lines.add(
          object(
              "place", line.getPlace(),
              "account", line.getAccountId(),
              "points", line.getPoints()));
    }
    return object("standings", lines);
  }

  static JsonObject matches(Client client, Given given) {
    JsonArray lines = new JsonArray();
    client
        .tournament(given.text("tournament"))
        .matches()
        .forEach(
            match ->
                lines.add(
                    object(
                        "match", match.getMatchId(),
                        "status", name(match.getStatusValue(), match.getStatus()))));
    return object("matches", lines);
  }

  static JsonObject watch(Client client, Given given, Consumer<JsonObject> tell) {
    String status = "";
    try (Watch<WatchTournamentResponse> watch =
        client.tournament(given.text("tournament")).watch()) {
      for (WatchTournamentResponse update : watch) {
        status = update.hasTournament() ? status(update.getTournament()) : status;
        tell.accept(object("status", status, "matches", update.getMatchesCount()));
      }
    }
    return object("status", status);
  }

  private static String status(Tournament tournament) {
    return name(tournament.getStatusValue(), tournament.getStatus());
  }
}
