package org.taflhall;

import java.util.List;
import org.taflhall.v1.LobbyServiceGrpc;
import org.taflhall.v1.LobbyUpdate;
import org.taflhall.v1.WatchLobbyRequest;
import org.taflhall.v1.WatchLobbyResponse;

/** What changes among the matches that a filter lets through. */
final class LobbySource implements Watch.Source<WatchLobbyResponse, LobbyUpdate> {
  private final Client client;
  private final WatchLobbyRequest.Builder request;

  LobbySource(Client client, WatchLobbyRequest.Builder request) {
    this.client = client;
    this.request = request;
  }

  @Override
  public MessageStream<?, WatchLobbyResponse> open() {
    var stream = new MessageStream<>(client, LobbyServiceGrpc.getWatchLobbyMethod(), "");
    stream.send(request.build());
    stream.finish();
    return stream;
  }

  @Override
  public boolean isOver() {
    return false;
  }

  @Override
  public List<LobbyUpdate> take(WatchLobbyResponse message) {
    request.setResumeToken(message.getResumeToken());
    return message.getUpdatesList();
  }
}
