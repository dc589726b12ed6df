package org.taflhall;

import java.util.List;
import org.taflhall.v1.MatchServiceGrpc;
import org.taflhall.v1.WatchMatchRequest;
import org.taflhall.v1.WatchMatchResponse;

/**
 * What happens in a match until it is over. A change comes once: one that is repeated is dropped, and
 * where one is missing the stream is opened again.
 */
final class MatchSource implements Watch.Source<WatchMatchResponse, Update> {
  private final Client client;
  private final String secret;
  private final WatchMatchRequest.Builder request;
  private boolean begun;
  private boolean over;
  private int revision;

  MatchSource(Client client, String secret, WatchMatchRequest.Builder request) {
    this.client = client;
    this.secret = secret;
    this.request = request;
  }

  @Override
  public MessageStream<?, WatchMatchResponse> open() {
    var stream = new MessageStream<>(client, MatchServiceGrpc.getWatchMatchMethod(), secret);
    stream.send(request.build());
    stream.finish();
    return stream;
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public List<Update> take(WatchMatchResponse message) throws MessageStream.Lost {
    int at = message.getRevision();
    if (message.hasChange() && begun && at != revision + 1) {
      if (at <= revision) {
        return List.of();
      }
      throw new MessageStream.Lost(Failure.lost("the stream skipped revision " + (revision + 1)));
    }
    if (!message.getResumeToken().isEmpty()) {
      request.setResumeToken(message.getResumeToken());
    }
    String token = request.getResumeToken();
    switch (message.getUpdateCase()) {
      case SNAPSHOT:
        begun = true;
        revision = at;
        return List.of(new Update.Snapshot(at, token, message.getSnapshot()));
      case CHANGE:
        begun = true;
        revision = at;
        return List.of(new Update.Change(at, token, message.getChange()));
      case PRESENCE:
        return List.of(new Update.Presence(at, token, message.getPresence()));
      case REACTION:
        return List.of(new Update.Reaction(at, token, message.getReaction()));
      case END:
        if (!MessageStream.isOver(message.getEnd())) {
          throw new MessageStream.Lost(MessageStream.closed(message.getEnd()));
        }
        over = true;
        return List.of(new Update.End(at, token, message.getEnd()));
      default:
        return List.of();
    }
  }
}
