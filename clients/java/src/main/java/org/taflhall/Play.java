package org.taflhall;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.taflhall.v1.Match;
import org.taflhall.v1.MatchServiceGrpc;
import org.taflhall.v1.PlayAnswer;
import org.taflhall.v1.PlayEnter;
import org.taflhall.v1.PlayPrompt;
import org.taflhall.v1.PlayRejection;
import org.taflhall.v1.PlayRequest;
import org.taflhall.v1.PlayResponse;

/** Plays one match over streams of Play, one after another. */
final class Play {
  /** The pause before an answer of unknown outcome is sent again on its stream. */
  static final Duration REPEAT_PAUSE = Duration.ofMillis(200);

  private final MatchHandle match;
  private final Client client;
  private final Bot bot;
  private final PlayEnter.Builder enter;
  private final Patience patience;
  private String token = "";

  Play(MatchHandle match, Bot bot, PlayEnter.Builder enter) {
    this.match = match;
    this.client = match.client();
    this.bot = bot;
    this.enter = enter;
    this.patience = new Patience(client);
  }

  /** Plays until the match is over; returns it. */
  Match run() {
    try {
      while (true) {
        try {
          return converse();
        } catch (MessageStream.Lost lost) {
          patience.await(lost.failure());
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw Failure.ended().exception();
    }
  }

  private Match converse() throws MessageStream.Lost, InterruptedException {
    var method = MatchServiceGrpc.getPlayMethod();
    try (var stream = new MessageStream<>(client, method, match.secret())) {
      var mind = new Thinking<PlayResponse>(match.id(), bot, client.executor(), stream::add);
      try {
        stream.send(PlayRequest.newBuilder().setEnter(enter).build());
        while (true) {
          var item = stream.next();
          if (item instanceof MessageStream.Thought<PlayResponse> thought) {
            answer(stream, mind, thought);
          } else if (item instanceof MessageStream.Message<PlayResponse> message) {
            patience.hear();
            PlayResponse body = message.body();
            if (body.hasEnd() && MessageStream.isOver(body.getEnd())) {
              return body.getEnd().getMatch();
            }
            take(stream, mind, body);
          }
        }
      } finally {
        mind.stop();
      }
    }
  }

  private void answer(
      MessageStream<PlayRequest, PlayResponse> stream,
      Thinking<PlayResponse> mind,
      MessageStream.Thought<PlayResponse> thought) {
    if (!mind.finish(thought)) {
      return;
    }
    if (thought.failure() != null) {
      throw unchecked(thought.failure());
    }
    stream.send(request(mind.last()));
    if (!token.isEmpty()) {
      enter.setResumeToken(token);
    }
  }

  private void take(
      MessageStream<PlayRequest, PlayResponse> stream,
      Thinking<PlayResponse> mind,
      PlayResponse message)
      throws MessageStream.Lost, InterruptedException {
    switch (message.getResponseCase()) {
      case PROMPT:
        PlayPrompt prompt = message.getPrompt();
        token = prompt.getResumeToken();
        mind.consider(prompt);
        break;
      case REJECTION:
        PlayRejection rejection = message.getRejection();
        if (isRepeated(rejection, mind.last())) {
          stream.send(request(mind.last()));
        }
        break;
      case END:
        throw new MessageStream.Lost(MessageStream.closed(message.getEnd()));
      default:
    }
  }

  /** Returns whether a rejected answer is sent again, after a pause; throws why it must not be. */
  private boolean isRepeated(PlayRejection rejection, PlayAnswer last) throws InterruptedException {
    Failure failure =
        Failure.rejection(rejection.getReason(), rejection.getMetadataMap(), client.language());
    if (failure.isSettled()) {
      return false;
    }
    if (!failure.isUncertain()) {
      throw failure.exception();
    }
    boolean repeated = last.getDecisionId().equals(rejection.getDecisionId());
    if (repeated) {
      Backoff.sleep(REPEAT_PAUSE);
    }
    return repeated;
  }

  private static PlayRequest request(PlayAnswer answer) {
    return PlayRequest.newBuilder().setAnswer(answer).build();
  }

  private static RuntimeException unchecked(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException known ? known : new CompletionException(thrown);
  }
}
