package org.taflhall;

import io.grpc.Status;
import java.util.List;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.taflhall.v1.Match;
import org.taflhall.v1.MatchServiceGrpc;
import org.taflhall.v1.PlayAllAnswer;
import org.taflhall.v1.PlayAllEnter;
import org.taflhall.v1.PlayAllEntered;
import org.taflhall.v1.PlayAllOffer;
import org.taflhall.v1.PlayAllRequest;
import org.taflhall.v1.PlayAllResponse;
import org.taflhall.v1.PlayAllUpdate;
import org.taflhall.v1.PlayRejection;
import org.taflhall.v1.PlayResponse;
import org.taflhall.v1.SeatCredential;
import org.taflhall.v1.StreamEnd;

/**
 * Plays all matches of an account over one stream, those too that it enters later.
 *
 * <pre>{@code
 * client.playAll(entered -> Bot.random(1)).offer(20).onEnd(System.out::println).run();
 * }</pre>
 */
public final class PlayAll {
  /** A match has left the stream. */
  public sealed interface End {
    /**
     * Returns the match that has left.
     *
     * @return its id
     */
    String matchId();
  }

  /**
   * The match is over.
   *
   * @param matchId its id
   * @param match the match as it ended
   */
  public record Over(String matchId, Match match) implements End {}

  /**
   * The account no longer plays the match.
   *
   * @param matchId its id
   * @param cause why: a {@link TaflhallException}, or what the bot threw
   */
  public record Left(String matchId, Throwable cause) implements End {}

  private final Client client;
  private final Function<? super PlayAllEntered, ? extends Bot> newBot;
  private final PlayAllEnter.Builder enter;
  private final Map<String, String> seats = new TreeMap<>();
  private Consumer<? super End> onEnd = end -> {};

  PlayAll(Client client, Function<? super PlayAllEntered, ? extends Bot> newBot) {
    this.client = client;
    this.newBot = newBot;
    this.enter = PlayAllEnter.newBuilder().setWithView(true).setLanguage(client.language());
  }

  /**
   * Accepts invitations of the account, which is of kind bot.
   *
   * @param maxMatches how many matches to play at once; 0 for as many as the stream may hold
   * @param games the games to play; none for all
   * @return this
   */
  public PlayAll offer(int maxMatches, String... games) {
    enter.setOffer(
        PlayAllOffer.newBuilder().setMaxMatches(maxMatches).addAllGames(List.of(games)));
    return this;
  }

  /**
   * Plays these seats too, for a client without an API key.
   *
   * @param matches the matches, as the owner of the seats
   * @return this
   */
  public PlayAll at(MatchHandle... matches) {
    for (MatchHandle match : matches) {
      seats.put(match.id(), match.secret());
    }
    return this;
  }

  /**
   * Sets how all matches are played, such as the reply to proposals.
   *
   * @param options sets fields of the request
   * @return this
   */
  public PlayAll with(Consumer<PlayAllEnter.Builder> options) {
    options.accept(enter);
    return this;
  }

  /**
   * Calls a function when a match has left the stream, in the thread of {@link #run}.
   *
   * @param listener the function
   * @return this
   */
  public PlayAll onEnd(Consumer<? super End> listener) {
    onEnd = listener;
    return this;
  }

  /**
   * Plays until it is cancelled; without an API key until all seats of {@link #at} have ended. A lost
   * stream is opened again. A bot that fails, or whose answer the rules forbid, is asked no more in
   * that match.
   *
   * @throws TaflhallException if the stream cannot be opened
   */
  public void run() {
    Patience patience = new Patience(client);
    try {
      while (true) {
        try {
          new Conversation(patience).run();
          return;
        } catch (MessageStream.Lost lost) {
          patience.await(lost.failure());
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw Failure.ended().exception();
    }
  }

  /** One stream. */
  private final class Conversation {
    private final Patience patience;
    private final Map<String, Thinking<PlayAllResponse>> minds = new HashMap<>();
    private final PlayAllRequest.Builder answers = PlayAllRequest.newBuilder();

    Conversation(Patience patience) {
      this.patience = patience;
    }

    /** Plays until all seats are played. */
    void run() throws MessageStream.Lost, InterruptedException {
      try (var stream = new MessageStream<>(client, MatchServiceGrpc.getPlayAllMethod(), "")) {
        stream.send(opening());
        while (!client.key().isEmpty() || !seats.isEmpty()) {
          var item = stream.next();
          if (item instanceof MessageStream.Thought<PlayAllResponse> thought) {
            answer(thought);
          } else if (item instanceof MessageStream.Message<PlayAllResponse> message) {
            patience.hear();
            for (PlayAllUpdate update : message.body().getUpdatesList()) {
              take(update, stream);
            }
          }
          if (!stream.isReady() && answers.getAnswersCount() > 0) {
            stream.send(answers.build());
            answers.clear();
          }
        }
      } finally {
        minds.values().forEach(Thinking::stop);
      }
    }

    private PlayAllRequest opening() {
      PlayAllRequest.Builder opening = PlayAllRequest.newBuilder().setEnter(enter);
      seats.forEach(
          (id, secret) ->
              opening.addSeats(
                  SeatCredential.newBuilder().setMatchId(id).setSeatSecret(secret)));
      return opening.build();
    }

    private void answer(MessageStream.Thought<PlayAllResponse> thought) {
      Thinking<PlayAllResponse> mind = minds.get(thought.matchId());
      if (mind == null || !mind.finish(thought)) {
        return;
      }
      if (thought.failure() != null) {
        leave(new Left(thought.matchId(), thought.failure()));
      } else {
        repeat(thought.matchId(), mind);
      }
    }

    private void repeat(String id, Thinking<PlayAllResponse> mind) {
      answers.addAnswers(PlayAllAnswer.newBuilder().setMatchId(id).setAnswer(mind.last()));
    }

    private void take(PlayAllUpdate update, MessageStream<PlayAllRequest, PlayAllResponse> stream)
        throws MessageStream.Lost, InterruptedException {
      String id = update.getMatchId();
      switch (update.getUpdateCase()) {
        case ENTERED:
          Bot bot = newBot.apply(update.getEntered());
          minds.put(id, new Thinking<PlayAllResponse>(id, bot, client.executor(), stream::add));
          break;
        case PLAY:
          if (minds.containsKey(id)) {
            play(id, update.getPlay());
          }
          break;
        case FAILURE:
          var why = update.getFailure();
          leave(new Left(id, rejected(why.getReason(), why.getMetadataMap()).exception()));
          break;
        default:
      }
    }

    private void play(String id, PlayResponse message)
        throws MessageStream.Lost, InterruptedException {
      switch (message.getResponseCase()) {
        case PROMPT:
          minds.get(id).consider(message.getPrompt());
          break;
        case REJECTION:
          reject(id, message.getRejection());
          break;
        case END:
          end(id, message.getEnd());
          break;
        default:
      }
    }

    private void reject(String id, PlayRejection rejection) throws InterruptedException {
      Failure failure = rejected(rejection.getReason(), rejection.getMetadataMap());
      Thinking<PlayAllResponse> mind = minds.get(id);
      if (failure.isSettled()) {
        return;
      }
      if (!failure.isUncertain()) {
        leave(new Left(id, failure.exception()));
      } else if (mind.last().getDecisionId().equals(rejection.getDecisionId())) {
        Backoff.sleep(Play.REPEAT_PAUSE);
        repeat(id, mind);
      }
    }

    private void end(String id, StreamEnd end) throws MessageStream.Lost {
      if (MessageStream.isOver(end)) {
        leave(new Over(id, end.getMatch()));
        return;
      }
      Failure failure = MessageStream.closed(end);
      if (failure.code() != Status.Code.ABORTED) {
        throw new MessageStream.Lost(failure);
      }
      leave(new Left(id, failure.exception()));
    }

    private Failure rejected(String reason, Map<String, String> metadata) {
      return Failure.rejection(reason, metadata, client.language());
    }

    private void leave(End end) {
      Thinking<PlayAllResponse> mind = minds.remove(end.matchId());
      if (mind != null) {
        mind.stop();
      }
      seats.remove(end.matchId());
      onEnd.accept(end);
    }
  }
}
