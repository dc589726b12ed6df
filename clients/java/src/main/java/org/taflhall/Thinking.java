package org.taflhall;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.taflhall.v1.DecisionAnswer;
import org.taflhall.v1.PlayAnswer;
import org.taflhall.v1.PlayPrompt;

/**
 * A bot at work on one decision of a match, the newest that it was asked. Everything but the bot
 * itself runs in the thread that reads the stream.
 *
 * @param <R> the messages of the stream
 */
final class Thinking<R> {
  private final String matchId;
  private final Bot bot;
  private final ExecutorService executor;
  private final Consumer<MessageStream.Thought<R>> tell;
  private String asked = "";
  private Future<?> work;
  private PlayAnswer last = PlayAnswer.getDefaultInstance();

  Thinking(
      String matchId,
      Bot bot,
      ExecutorService executor,
      Consumer<MessageStream.Thought<R>> tell) {
    this.matchId = matchId;
    this.bot = bot;
    this.executor = executor;
    this.tell = tell;
  }

  /** Asks the bot, unless it thinks about that decision already. */
  void consider(PlayPrompt prompt) {
    String id = prompt.getDecision().getId();
    if (asked.equals(id)) {
      return;
    }
    stop();
    asked = id;
    work =
        executor.submit(
            () -> {
              DecisionAnswer answer = null;
              Throwable failure = null;
              try {
                answer = bot.answer(prompt);
              } catch (Throwable thrown) {
                failure = thrown;
              }
              tell.accept(new MessageStream.Thought<>(matchId, id, answer, failure));
            });
  }

  /** Notes that the bot has answered; returns whether that answer is still wanted. */
  boolean finish(MessageStream.Thought<R> thought) {
    boolean wanted = asked.equals(thought.decisionId());
    if (wanted) {
      stop();
      if (thought.failure() == null) {
        last =
            PlayAnswer.newBuilder()
                .setDecisionId(thought.decisionId())
                .addAnswers(thought.answer())
                .build();
      }
    }
    return wanted;
  }

  /** Returns the last answer of the bot. */
  PlayAnswer last() {
    return last;
  }

  /** Ends the thinking. */
  void stop() {
    if (work != null) {
      work.cancel(true);
    }
    work = null;
    asked = "";
  }
}
