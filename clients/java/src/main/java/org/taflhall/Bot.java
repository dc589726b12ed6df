package org.taflhall;

import java.util.Random;
import org.taflhall.v1.DecisionAnswer;
import org.taflhall.v1.PlayPrompt;

/** Answers decisions. */
@FunctionalInterface
public interface Bot {
  /**
   * Returns the answer to the decision of a prompt. The thread is interrupted when the answer is no
   * longer wanted.
   *
   * @param prompt the decision with its options, and the view of the seat
   * @return the answer; see {@link Answers}
   * @throws Exception ends {@link MatchHandle#play} with it; to give up, resign the seat
   */
  DecisionAnswer answer(PlayPrompt prompt) throws Exception;

  /**
   * Returns a bot that takes any option.
   *
   * @param seed what its choices follow from
   * @return the bot, for one match at a time
   */
  static Bot random(long seed) {
    Random rng = new Random(seed);
    return prompt -> Answers.option(rng.nextInt(prompt.getDecision().getOptionsCount()));
  }
}
