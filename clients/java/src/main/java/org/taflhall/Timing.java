package org.taflhall;

import java.time.Duration;

/**
 * How long a client waits. {@link #DEFAULT} is the timing of a client that is given none.
 *
 * @param call the time for a call with all its repetitions, unless its context has a deadline
 * @param connect the time for a call, and the patience of a stream, until a server has answered for
 *     the first time
 * @param attempt the time for one attempt of a call
 * @param silence the time after which a stream without any message counts as lost
 * @param patience the time without a server after which a stream is given up
 * @param firstPause the shortest pause between attempts
 * @param longestPause the longest pause between attempts, unless the server asks for a longer one
 */
public record Timing(
    Duration call,
    Duration connect,
    Duration attempt,
    Duration silence,
    Duration patience,
    Duration firstPause,
    Duration longestPause) {

  /**
   * 30 s for a call, 5 s for the first answer, 10 s for an attempt, 60 s of silence, 5 min of patience,
   * pauses of 0.2 to 5 s.
   */
  public static final Timing DEFAULT =
      new Timing(
          Duration.ofSeconds(30),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofMinutes(5),
          Duration.ofMillis(200),
          Duration.ofSeconds(5));

  /**
   * Returns this timing with another time for a call with all its repetitions.
   *
   * @param call the time
   * @return the timing
   */
  public Timing withCall(Duration call) {
    return new Timing(call, connect, attempt, silence, patience, firstPause, longestPause);
  }

  /**
   * Returns this timing with another time until a server has answered for the first time.
   *
   * @param connect the time
   * @return the timing
   */
  public Timing withConnect(Duration connect) {
    return new Timing(call, connect, attempt, silence, patience, firstPause, longestPause);
  }

  /**
   * Returns this timing with another time for one attempt.
   *
   * @param attempt the time
   * @return the timing
   */
  public Timing withAttempt(Duration attempt) {
    return new Timing(call, connect, attempt, silence, patience, firstPause, longestPause);
  }

  /**
   * Returns this timing with another time after which a silent stream counts as lost.
   *
   * @param silence the time
   * @return the timing
   */
  public Timing withSilence(Duration silence) {
    return new Timing(call, connect, attempt, silence, patience, firstPause, longestPause);
  }

  /**
   * Returns this timing with another time after which a stream is given up.
   *
   * @param patience the time
   * @return the timing
   */
  public Timing withPatience(Duration patience) {
    return new Timing(call, connect, attempt, silence, patience, firstPause, longestPause);
  }

  /**
   * Returns this timing with other pauses between attempts.
   *
   * @param first the shortest
   * @param longest the longest
   * @return the timing
   */
  public Timing withPauses(Duration first, Duration longest) {
    return new Timing(call, connect, attempt, silence, patience, first, longest);
  }
}
