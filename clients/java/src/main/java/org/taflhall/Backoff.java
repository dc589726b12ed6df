package org.taflhall;

import io.grpc.Context;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The pauses between attempts that fail in a row: exponential, with full jitter. */
final class Backoff {
  private final Timing timing;
  private int failures;

  Backoff(Timing timing) {
    this.timing = timing;
  }

  void reset() {
    failures = 0;
  }

  /**
   * Returns how long to wait after a failure. A call that came too often is repeated a little after
   * the server allows it, since others wait for the same moment.
   */
  Duration next(Failure failure) {
    double chance = ThreadLocalRandom.current().nextDouble();
    long asked = failure.retryAfter().toNanos();
    if (failure.is(Reason.RATE_LIMITED)) {
      return Duration.ofNanos((long) (asked * (1.05 + 0.25 * chance))).plusMillis(5);
    }
    failures = Math.min(failures + 1, 10);
    long first = timing.firstPause().toNanos();
    long longest = Math.min(timing.longestPause().toNanos(), first << failures);
    long pause = first + (long) (chance * Math.max(0, longest - first));
    return Duration.ofNanos(Math.max(pause, asked));
  }

  /** Waits, at most until the context of the caller ends. */
  static void sleep(Duration pause) throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    Context.CancellationListener listener = context -> ended.countDown();
    Context.current().addListener(listener, Runnable::run);
    try {
      ended.await(pause.toNanos(), TimeUnit.NANOSECONDS);
    } finally {
      Context.current().removeListener(listener);
    }
  }
}
