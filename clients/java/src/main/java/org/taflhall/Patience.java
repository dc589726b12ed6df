package org.taflhall;

import java.time.Duration;

/** Says when to open a lost stream again, and when to give up. */
final class Patience {
  private final Client client;
  private final Backoff backoff;
  private long heard = System.nanoTime();

  Patience(Client client) {
    this.client = client;
    this.backoff = new Backoff(client.timing());
  }

  /** Notes that the server spoke. */
  void hear() {
    client.reach().notice();
    heard = System.nanoTime();
    backoff.reset();
  }

  /** Pauses before the next attempt; throws a {@link TaflhallException} if waiting does not help. */
  void await(Failure failure) throws InterruptedException {
    Failure ended = Failure.ended();
    if (ended != null) {
      throw ended.exception();
    }
    client.reach().notice(failure);
    if (!failure.isRepeatable() && !failure.is(Reason.SLOW_CONSUMER)) {
      throw failure.exception();
    }
    Duration pause = backoff.next(failure);
    Duration silence = Duration.ofNanos(System.nanoTime() - heard);
    Duration patience = client.reach().limit(client.timing().patience());
    if (silence.plus(pause).compareTo(patience) > 0) {
      throw client.reach().explain(failure).exception();
    }
    Backoff.sleep(pause);
    client.connectAgain(failure);
  }
}
