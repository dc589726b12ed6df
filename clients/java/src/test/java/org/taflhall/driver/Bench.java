package org.taflhall.driver;

import com.google.gson.JsonObject;
import io.grpc.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import org.taflhall.Answers;
import org.taflhall.Client;
import org.taflhall.MatchHandle;
import org.taflhall.v1.Decision;
import org.taflhall.v1.DecisionAnswer;
import org.taflhall.v1.MatchStatus;
import org.taflhall.v1.SeatKind;

/** Plays matches at random for a while, by calls or over Play, and counts the answers. */
final class Bench {
  private final Client client;
  private final boolean streams;
  private final LongAdder answers = new LongAdder();

  Bench(Client client, String mode) {
    this.client = client;
    this.streams = mode.equals("play");
  }

  JsonObject run(int parallel, Duration time) throws Exception {
    List<CompletableFuture<Void>> players = new ArrayList<>();
    long began = System.nanoTime();
    for (int n = 0; n < parallel; n++) {
      // like those of a program of its own, not below the context of the operation
      players.add(Context.ROOT.call(() -> client.async(this::playOn)));
    }
    Thread.sleep(time.toMillis());
    double seconds = (System.nanoTime() - began) / 1e9;
    long count = answers.sum();
    for (CompletableFuture<Void> player : players) {
      player.cancel(true);
      try {
        player.join();
      } catch (CancellationException expected) {
        // the time is up
      }
    }
    return Json.object("answers", count, "seconds", seconds);
  }

  /** Plays one match after another, for both seats. */
  private Void playOn() {
    while (true) {
      MatchHandle match =
          client.create(Client.setup("yggdrasil", 2), request -> request.setStartWhenFull(true));
      MatchHandle seat =
          match.join(
              "Bench",
              request -> request.addSeats(0).addSeats(1).setKind(SeatKind.SEAT_KIND_BOT));
      if (streams) {
        seat.play(prompt -> answer(prompt.getDecision()), enter -> enter.setWithView(false));
      } else {
        playByCalls(seat);
      }
    }
  }

  private void playByCalls(MatchHandle seat) {
    Decision decision = seat.decision().orElseThrow();
    while (true) {
      var done = seat.submit(decision.getId(), answer(decision));
      if (done.getStatus() != MatchStatus.MATCH_STATUS_PLAYING) {
        return;
      }
      decision = done.getDecision();
      if (decision.getOptionsCount() == 0) {
        decision = seat.decision().orElseThrow();
      }
    }
  }

  private DecisionAnswer answer(Decision decision) {
    answers.increment();
    return Answers.option(ThreadLocalRandom.current().nextInt(decision.getOptionsCount()));
  }
}
