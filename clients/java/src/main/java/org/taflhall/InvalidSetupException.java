package org.taflhall;

/** A setup or a time control is wrong; {@link #violations} says how. */
public final class InvalidSetupException extends TaflhallException {
  private static final long serialVersionUID = 1;

  InvalidSetupException(Failure failure) {
    super(failure);
  }
}
