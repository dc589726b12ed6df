package org.taflhall;

import org.taflhall.v1.MatchChange;
import org.taflhall.v1.MatchPresence;
import org.taflhall.v1.MatchSnapshot;
import org.taflhall.v1.SeatReaction;
import org.taflhall.v1.StreamEnd;

/**
 * What a {@link Watch} delivers: a snapshot, then one change after another, in the end the end; between
 * them presence and reactions, if the request wants them.
 */
public sealed interface Update {
  /**
   * Returns the revision that the match is at.
   *
   * @return the revision
   */
  int revision();

  /**
   * Returns what {@link MatchHandle#watch} takes to continue right after this update.
   *
   * @return the resume token
   */
  String resumeToken();

  /**
   * The whole match. What was known before is void; its cause says why.
   *
   * @param revision the revision that the match is at
   * @param resumeToken the token to continue after this update
   * @param snapshot the match
   */
  record Snapshot(int revision, String resumeToken, MatchSnapshot snapshot) implements Update {}

  /**
   * The events of one command.
   *
   * @param revision the revision that the match is at
   * @param resumeToken the token to continue after this update
   * @param change what has happened
   */
  record Change(int revision, String resumeToken, MatchChange change) implements Update {}

  /**
   * Which players are there.
   *
   * @param revision the revision that the match is at
   * @param resumeToken the token of the last change
   * @param presence the players
   */
  record Presence(int revision, String resumeToken, MatchPresence presence) implements Update {}

  /**
   * A player shows a reaction.
   *
   * @param revision the revision that the match is at
   * @param resumeToken the token of the last change
   * @param reaction the seat and what it shows
   */
  record Reaction(int revision, String resumeToken, SeatReaction reaction) implements Update {}

  /**
   * The match is over.
   *
   * @param revision the revision that the match is at
   * @param resumeToken the token of the last update
   * @param end the match as it ended
   */
  record End(int revision, String resumeToken, StreamEnd end) implements Update {}
}
