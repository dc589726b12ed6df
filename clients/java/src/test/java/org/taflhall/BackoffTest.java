package org.taflhall;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
  @Test
  void pausesGrowToTheLongest() {
    Duration first = Duration.ofSeconds(1);
    Duration longest = Duration.ofSeconds(10);
    Backoff backoff = new Backoff(Timing.DEFAULT.withPauses(first, longest));
    for (int n = 0; n < 100; n++) {
      Duration pause = backoff.next(Failure.lost("gone"));
      assertTrue(pause.compareTo(first) >= 0 && pause.compareTo(longest) <= 0, pause.toString());
    }
  }
}
