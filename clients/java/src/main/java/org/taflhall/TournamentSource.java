package org.taflhall;

import java.util.List;
import org.taflhall.tournament.v1.TournamentServiceGrpc;
import org.taflhall.tournament.v1.TournamentStatus;
import org.taflhall.tournament.v1.WatchTournamentRequest;
import org.taflhall.tournament.v1.WatchTournamentResponse;

/** What changes in a tournament until it has ended; heartbeats are left out. */
final class TournamentSource
    implements Watch.Source<WatchTournamentResponse, WatchTournamentResponse> {
  private final Client client;
  private final String id;
  private boolean over;

  TournamentSource(Client client, String id) {
    this.client = client;
    this.id = id;
  }

  @Override
  public MessageStream<?, WatchTournamentResponse> open() {
    var stream = new MessageStream<>(client, TournamentServiceGrpc.getWatchTournamentMethod(), "");
    stream.send(WatchTournamentRequest.newBuilder().setTournamentId(id).build());
    stream.finish();
    return stream;
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public List<WatchTournamentResponse> take(WatchTournamentResponse message) {
    TournamentStatus status = message.getTournament().getStatus();
    over =
        status == TournamentStatus.TOURNAMENT_STATUS_FINISHED
            || status == TournamentStatus.TOURNAMENT_STATUS_CANCELLED;
    boolean heartbeat = !message.hasTournament() && message.getMatchesCount() == 0;
    return heartbeat ? List.of() : List.of(message);
  }
}
