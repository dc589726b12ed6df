package org.taflhall;

import java.util.List;

/** No server has ever answered this client. */
public final class UnreachableException extends TaflhallException {
  private static final long serialVersionUID = 1;

  UnreachableException(Failure failure) {
    super(failure);
  }

  /**
   * Returns the addresses that were tried.
   *
   * @return each as host and port
   */
  public List<String> addresses() {
    return List.of(metadata().get(Reach.ADDRESSES).split(", "));
  }
}
