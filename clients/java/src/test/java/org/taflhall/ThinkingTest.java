package org.taflhall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.taflhall.v1.Decision;
import org.taflhall.v1.PlayPrompt;
import org.taflhall.v1.PlayResponse;

class ThinkingTest {
  @Test
  void aBotIsAskedOnceForADecisionAndOnlyItsNewestAnswerIsWanted() throws InterruptedException {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    List<MessageStream.Thought<PlayResponse>> thoughts = new ArrayList<>();
    List<String> asked = new ArrayList<>();
    Bot bot =
        prompt -> {
          asked.add(prompt.getDecision().getId());
          return Answers.option(0);
        };
    var mind = new Thinking<PlayResponse>("m", bot, executor, thoughts::add);
    executor.submit(() -> List.of("d1", "d1", "d2", "d2").forEach(id -> mind.consider(prompt(id))));
    executor.submit(executor::shutdown);
    assertTrue(executor.awaitTermination(10, TimeUnit.SECONDS));
    assertEquals(List.of("d2"), asked); // the work on d1 was cancelled before it began
    assertFalse(mind.finish(new MessageStream.Thought<>("m", "d1", Answers.option(0), null)));
    assertTrue(mind.finish(thoughts.get(0)));
    assertEquals("d2", mind.last().getDecisionId());
  }

  private static PlayPrompt prompt(String id) {
    return PlayPrompt.newBuilder().setDecision(Decision.newBuilder().setId(id)).build();
  }
}
