package org.taflhall;

import io.grpc.MethodDescriptor;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.taflhall.tournament.v1.CancelTournamentRequest;
import org.taflhall.tournament.v1.EnterTournamentRequest;
import org.taflhall.tournament.v1.GetTournamentRequest;
import org.taflhall.tournament.v1.GetTournamentStandingsRequest;
import org.taflhall.tournament.v1.ListTournamentMatchesRequest;
import org.taflhall.tournament.v1.StartTournamentRequest;
import org.taflhall.tournament.v1.Tournament;
import org.taflhall.tournament.v1.TournamentMatch;
import org.taflhall.tournament.v1.TournamentServiceGrpc;
import org.taflhall.tournament.v1.TournamentStanding;
import org.taflhall.tournament.v1.WatchTournamentResponse;
import org.taflhall.tournament.v1.WithdrawFromTournamentRequest;

/** A tournament of the server, as the account of the client may use it. */
public final class TournamentHandle {
  private static final int PAGE_SIZE = 100;

  private final Client client;
  private final String id;

  TournamentHandle(Client client, String id) {
    this.client = client;
    this.id = id;
  }

  /**
   * Returns the id of the tournament.
   *
   * @return the id
   */
  public String id() {
    return id;
  }

  /**
   * Returns the tournament as it is.
   *
   * @return the tournament
   */
  public Tournament get() {
    var request = GetTournamentRequest.newBuilder().setTournamentId(id).build();
    return call(TournamentServiceGrpc.getGetTournamentMethod(), request).getTournament();
  }

  /**
   * Enters our account.
   *
   * @param name its name in this tournament; its own if empty
   * @return the tournament
   */
  public Tournament enter(String name) {
    var request = EnterTournamentRequest.newBuilder().setTournamentId(id).setName(name).build();
    return call(TournamentServiceGrpc.getEnterTournamentMethod(), request).getTournament();
  }

  /**
   * Withdraws our account, which after the start resigns its matches.
   *
   * @return the tournament
   */
  public Tournament withdraw() {
    return withdraw("");
  }

  /**
   * Withdraws an account; it is for the creator.
   *
   * @param accountId the account; our own if empty
   * @return the tournament
   */
  public Tournament withdraw(String accountId) {
    var request =
        WithdrawFromTournamentRequest.newBuilder()
            .setTournamentId(id)
            .setAccountId(accountId)
            .build();
    return call(TournamentServiceGrpc.getWithdrawFromTournamentMethod(), request).getTournament();
  }

  /**
   * Starts the tournament: nobody enters any more, and its matches begin. It is for the creator.
   *
   * @return the tournament
   */
  public Tournament start() {
    var request = StartTournamentRequest.newBuilder().setTournamentId(id).build();
    return call(TournamentServiceGrpc.getStartTournamentMethod(), request).getTournament();
  }

  /**
   * Ends the tournament early; matches under way continue but do not count. It is for the creator.
   *
   * @return the tournament
   */
  public Tournament cancel() {
    var request = CancelTournamentRequest.newBuilder().setTournamentId(id).build();
    return call(TournamentServiceGrpc.getCancelTournamentMethod(), request).getTournament();
  }

  /**
   * Returns the standings so far.
   *
   * @return the standings, best first
   */
  public List<TournamentStanding> standings() {
    var request = GetTournamentStandingsRequest.newBuilder().setTournamentId(id).build();
    return call(TournamentServiceGrpc.getGetTournamentStandingsMethod(), request)
        .getStandingsList();
  }

  /**
   * Returns the matches so far with their results. Pages are fetched as they are read.
   *
   * @return the matches, in the order of the schedule
   */
  public Stream<TournamentMatch> matches() {
    var request =
        ListTournamentMatchesRequest.newBuilder().setTournamentId(id).setPageSize(PAGE_SIZE);
    var method = TournamentServiceGrpc.getListTournamentMatchesMethod();
    return Stream.iterate(
            call(method, request.build()),
            Objects::nonNull,
            page ->
                page.getNextPageToken().isEmpty()
                    ? null
                    : call(method, request.setPageToken(page.getNextPageToken()).build()))
        .flatMap(page -> page.getMatchesList().stream());
  }

  /**
   * Watches the tournament until it has ended. After a lost stream the watch begins like the first.
   *
   * @return first the tournament with all its matches so far, then what is new; close it
   */
  public Watch<WatchTournamentResponse> watch() {
    return new Watch<>(client, new TournamentSource(client, id));
  }

  private <Q, R> R call(MethodDescriptor<Q, R> method, Q request) {
    return client.call(method, request);
  }
}
