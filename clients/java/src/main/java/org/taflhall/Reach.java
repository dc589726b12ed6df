package org.taflhall;

import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Whether any of the addresses of a client has ever answered, and how long that is waited for. */
final class Reach {
  /** The name of the addresses in the metadata of a failure that no server sent. */
  static final String ADDRESSES = "addresses";

  private final List<String> addresses;
  private final Timing timing;
  private volatile boolean reached;

  Reach(List<String> addresses, Timing timing) {
    this.addresses = addresses;
    this.timing = timing;
  }

  /** Notes that a server has answered. */
  void notice() {
    reached = true;
  }

  /** Notes that a server has answered, if a failure shows it. */
  void notice(Failure failure) {
    if (!failure.isUnheard()) {
      reached = true;
    }
  }

  /** Returns how long to wait for a server: not long before one has ever answered. */
  Duration limit(Duration usual) {
    Duration first = timing.connect();
    return reached || usual.compareTo(first) < 0 ? usual : first;
  }

  /** Returns a failure with what to check, if no server has ever answered. */
  Failure explain(Failure failure) {
    if (reached || !failure.isUnheard() || failure.is(Reason.CANCELLED)) {
      return failure;
    }
    String tried = String.join(", ", addresses);
    String text =
        "no server answers at %s: does it run, are host and port right, and TLS on both sides or on neither? (%s)"
            .formatted(tried, failure.text());
    return new Failure(
        Reason.UNAVAILABLE.name(),
        Status.Code.UNAVAILABLE,
        text,
        Map.of(ADDRESSES, tried),
        Duration.ZERO,
        List.of(),
        failure.cause());
  }
}
