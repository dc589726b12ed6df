package org.taflhall;

/** Calls came too often; {@link #retryAfter} is the pause that the server asks for. */
public final class RateLimitedException extends TaflhallException {
  private static final long serialVersionUID = 1;

  RateLimitedException(Failure failure) {
    super(failure);
  }
}
