package org.taflhall;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A call or a stream failed. Reasons with values of their own have types of their own. */
public sealed class TaflhallException extends RuntimeException
    permits IllegalCommandException,
        InvalidSetupException,
        RateLimitedException,
        StaleDecisionException,
        UnreachableException {

  private static final long serialVersionUID = 1;

  private final transient Failure failure;

  TaflhallException(Failure failure) {
    super(failure.message(), failure.cause());
    this.failure = failure;
  }

  /**
   * Returns the error of a call that was made with a stub.
   *
   * @param error what the stub threw
   * @param language the language of its text
   * @return the same as an error of this client
   */
  public static TaflhallException of(StatusRuntimeException error, Locale language) {
    return Failure.of(error, language.toLanguageTag()).exception();
  }

  /**
   * Returns why.
   *
   * @return the reason; {@link Reason#UNRECOGNIZED} if this client does not have it
   */
  public Reason reason() {
    return Reason.of(failure.reason());
  }

  /**
   * Returns the name of the reason, also of one that this client does not have.
   *
   * @return a value of the contract's ErrorReason without its prefix; the name of the status code if
   *     the server gave no reason
   */
  public String reasonName() {
    return failure.reason();
  }

  /**
   * Returns the status code of gRPC.
   *
   * @return the code
   */
  public Status.Code code() {
    return failure.code();
  }

  /**
   * Returns a text for people.
   *
   * @return the text in the language of the client, or else in English
   */
  public String text() {
    return failure.text();
  }

  /**
   * Returns the values that the contract defines for the reason.
   *
   * @return the values by name
   */
  public Map<String, String> metadata() {
    return failure.metadata();
  }

  /**
   * Returns the pause that the server asks for.
   *
   * @return the pause; zero if it asks for none
   */
  public Duration retryAfter() {
    return failure.retryAfter();
  }

  /**
   * Returns all faults of a setup or a time control.
   *
   * @return the faults; empty for other reasons
   */
  public List<Violation> violations() {
    return failure.violations();
  }

  /**
   * Reports whether the call may have been carried out.
   *
   * @return whether its outcome is unknown
   */
  public boolean isUncertain() {
    return failure.isUncertain();
  }
}
