package org.taflhall;

/** A decision is no longer pending. */
public final class StaleDecisionException extends TaflhallException {
  private static final long serialVersionUID = 1;

  StaleDecisionException(Failure failure) {
    super(failure);
  }

  /**
   * Returns the decision that is pending for the seat.
   *
   * @return its id; empty if none is
   */
  public String decisionId() {
    return metadata().getOrDefault("decision_id", "");
  }
}
