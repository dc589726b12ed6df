package org.taflhall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.taflhall.tournament.v1.Tournament;
import org.taflhall.tournament.v1.TournamentMatch;
import org.taflhall.tournament.v1.TournamentStatus;
import org.taflhall.tournament.v1.WatchTournamentResponse;

class TournamentSourceTest {
  private static WatchTournamentResponse with(TournamentStatus status) {
    Tournament tournament = Tournament.newBuilder().setStatus(status).build();
    return WatchTournamentResponse.newBuilder().setTournament(tournament).build();
  }

  @Test
  void aWatchLeavesHeartbeatsOutAndEndsWithTheTournament() {
    try (Client client = Client.connect("127.0.0.1:9")) {
      TournamentSource source = new TournamentSource(client, "t");
      WatchTournamentResponse playing = with(TournamentStatus.TOURNAMENT_STATUS_PLAYING);
      assertEquals(List.of(playing), source.take(playing));
      assertEquals(List.of(), source.take(WatchTournamentResponse.getDefaultInstance()));
      WatchTournamentResponse match =
          WatchTournamentResponse.newBuilder().addMatches(TournamentMatch.getDefaultInstance()).build();
      assertEquals(List.of(match), source.take(match));
      assertFalse(source.isOver());
      source.take(with(TournamentStatus.TOURNAMENT_STATUS_CANCELLED));
      assertTrue(source.isOver());
    }
  }
}
