package org.taflhall;

import org.taflhall.v1.Command;
import org.taflhall.v1.DecisionAnswer;

/** Makes answers to decisions. */
public final class Answers {
  private Answers() {}

  /**
   * Answers a decision with one of its options.
   *
   * @param index the place of the option in the decision
   * @return the answer
   */
  public static DecisionAnswer option(int index) {
    return DecisionAnswer.newBuilder().setOption(index).build();
  }

  /**
   * Answers a decision with a command.
   *
   * @param command the command
   * @return the answer
   */
  public static DecisionAnswer command(Command command) {
    return DecisionAnswer.newBuilder().setCommand(command).build();
  }
}
