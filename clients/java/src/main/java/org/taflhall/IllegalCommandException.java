package org.taflhall;

/** The rules forbid a command. */
public final class IllegalCommandException extends TaflhallException {
  private static final long serialVersionUID = 1;

  IllegalCommandException(Failure failure) {
    super(failure);
  }

  /**
   * Returns the number of the rule.
   *
   * @return the number, such as "YG-7.2"; empty if no rule forbids it
   */
  public String rule() {
    return metadata().getOrDefault("rule", "");
  }

  /**
   * Returns the stable name of why.
   *
   * @return the name
   */
  public String refusal() {
    return metadata().getOrDefault("refusal", "");
  }

  /**
   * Returns the place of the refused answer in its list.
   *
   * @return the index
   */
  public int index() {
    String index = metadata().getOrDefault("index", "");
    return index.matches("\\d{1,9}") ? Integer.parseInt(index) : 0;
  }
}
