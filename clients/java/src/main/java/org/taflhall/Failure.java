package org.taflhall;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.LocalizedMessage;
import com.google.rpc.RetryInfo;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.taflhall.v1.ErrorReason;
import org.taflhall.v1.ErrorReasonOptions;
import org.taflhall.v1.ErrorReasonProto;

/**
 * Why an attempt failed, before it is known whether another one follows.
 *
 * @param reason the name of the reason
 * @param code the status code of gRPC
 * @param text the text for people
 * @param metadata the values that the contract defines for the reason
 * @param retryAfter the pause that the server asks for
 * @param violations all faults of a setup or a time control
 * @param cause the exception that shows where it comes from, or null
 */
record Failure(
    String reason,
    Status.Code code,
    String text,
    Map<String, String> metadata,
    Duration retryAfter,
    List<Violation> violations,
    Throwable cause) {

  private static final Metadata.Key<String> PUSHBACK =
      Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{(\\w+)}");

  /** Returns a failure that the client has found itself. */
  static Failure own(Reason reason, Status.Code code, String text) {
    return new Failure(reason.name(), code, text, Map.of(), Duration.ZERO, List.of(), null);
  }

  /** Returns the failure of a stream that ended though the match is not over. */
  static Failure lost(String text) {
    return own(Reason.UNAVAILABLE, Status.Code.UNAVAILABLE, text);
  }

  /** Returns why the caller wants no more, or null if it does: it is interrupted, or its context ended. */
  static Failure ended() {
    Deadline deadline = Context.current().getDeadline();
    if (deadline != null && deadline.isExpired()) {
      String text = "the time of the context is up";
      return own(Reason.DEADLINE_EXCEEDED, Status.Code.DEADLINE_EXCEEDED, text);
    }
    boolean cancelled = Context.current().isCancelled() || Thread.currentThread().isInterrupted();
    return cancelled ? own(Reason.CANCELLED, Status.Code.CANCELLED, "cancelled") : null;
  }

  /** Returns the failure of a call. */
  static Failure of(StatusRuntimeException error, String language) {
    return of(error.getStatus(), error.getTrailers(), language, error);
  }

  /** Returns the failure of a stream. */
  static Failure of(Status status, Metadata trailers, String language, Throwable cause) {
    String reason = status.getCode().name();
    String description = status.getDescription() == null ? reason : status.getDescription();
    Map<String, String> metadata = Map.of();
    Duration retryAfter = pushback(trailers);
    List<Violation> violations = new ArrayList<>();
    Map<String, String> texts = new HashMap<>();
    try {
      for (Any detail : StatusProto.fromStatusAndTrailers(status, trailers).getDetailsList()) {
        if (detail.is(ErrorInfo.class)) {
          ErrorInfo info = detail.unpack(ErrorInfo.class);
          if (info.getDomain().equals("taflhall")) {
            reason = info.getReason();
            metadata = info.getMetadataMap();
          }
        } else if (detail.is(LocalizedMessage.class)) {
          LocalizedMessage message = detail.unpack(LocalizedMessage.class);
          texts.put(message.getLocale(), message.getMessage());
        } else if (detail.is(RetryInfo.class)) {
          var delay = detail.unpack(RetryInfo.class).getRetryDelay();
          Duration asked = Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
          retryAfter = asked.compareTo(retryAfter) > 0 ? asked : retryAfter;
        } else if (detail.is(BadRequest.class)) {
          for (var fault : detail.unpack(BadRequest.class).getFieldViolationsList()) {
            Map<String, String> said = new HashMap<>();
            if (fault.hasLocalizedMessage()) {
              var local = fault.getLocalizedMessage();
              said.put(local.getLocale(), local.getMessage());
            }
            String text = inLanguage(said, language, fault.getDescription());
            violations.add(new Violation(fault.getField(), fault.getReason(), text));
          }
        }
      }
    } catch (InvalidProtocolBufferException damaged) {
      // what was read until then stays
    }
    return new Failure(
        reason,
        status.getCode(),
        inLanguage(texts, language, description),
        Map.copyOf(metadata),
        retryAfter,
        List.copyOf(violations),
        cause);
  }

  private static Duration pushback(Metadata trailers) {
    String milliseconds = trailers == null ? null : trailers.get(PUSHBACK);
    boolean number = milliseconds != null && milliseconds.matches("\\d{1,12}");
    return number ? Duration.ofMillis(Long.parseLong(milliseconds)) : Duration.ZERO;
  }

  /** Returns the failure that a Play stream sends as a name with values. */
  static Failure rejection(String reason, Map<String, String> metadata, String language) {
    ErrorReasonOptions options = optionsOf(reason);
    Map<String, String> texts = new HashMap<>();
    for (var text : options.getTextsList()) {
      Matcher places = PLACEHOLDER.matcher(text.getText());
      texts.put(
          text.getLanguage(),
          places.replaceAll(
              place -> Matcher.quoteReplacement(metadata.getOrDefault(place.group(1), ""))));
    }
    boolean known = options.getCodeValue() != 0;
    return new Failure(
        reason,
        known
            ? Status.fromCodeValue(options.getCodeValue()).getCode()
            : Status.Code.FAILED_PRECONDITION,
        inLanguage(texts, language, reason),
        Map.copyOf(metadata),
        Duration.ZERO,
        List.of(),
        null);
  }

  /** Returns the text in a language, or else in English, or else another one. */
  private static String inLanguage(Map<String, String> texts, String tag, String other) {
    String main = tag.split("-", 2)[0];
    String english = texts.getOrDefault("en", other);
    return texts.getOrDefault(tag, texts.getOrDefault(main, english));
  }

  /** Returns what the contract says of a reason; the default if it does not have it. */
  private static ErrorReasonOptions optionsOf(String reason) {
    var value = ErrorReason.getDescriptor().findValueByName("ERROR_REASON_" + reason);
    return value == null
        ? ErrorReasonOptions.getDefaultInstance()
        : value.getOptions().getExtension(ErrorReasonProto.errorReason);
  }

  /** Returns whether the call may have been carried out. */
  boolean isUncertain() {
    ErrorReasonOptions options = optionsOf(reason);
    if (options.getRetry() != ErrorReasonOptions.Retry.RETRY_UNSPECIFIED) {
      return options.getRetry() == ErrorReasonOptions.Retry.RETRY_SAME_REQUEST;
    }
    return switch (code) {
      case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, INTERNAL, UNKNOWN -> true;
      default -> false;
    };
  }

  /** Returns whether the failure is no answer of a server. */
  boolean isUnheard() {
    return is(Reason.UNAVAILABLE) || is(Reason.DEADLINE_EXCEEDED) || is(Reason.CANCELLED);
  }

  /** Returns whether the client repeats the call. */
  boolean isRepeatable() {
    return isUncertain() || is(Reason.RATE_LIMITED);
  }

  /** Returns whether an answer was rejected because its decision had been answered. */
  boolean isSettled() {
    return is(Reason.STALE_DECISION) || is(Reason.MATCH_OVER) || is(Reason.REQUEST_ID_REUSED);
  }

  boolean is(Reason other) {
    return reason.equals(other.name());
  }

  String message() {
    StringBuilder message = new StringBuilder(text).append(" (").append(reason).append(')');
    for (Violation fault : violations) {
      message.append("; ").append(fault.field()).append(": ").append(fault.text());
    }
    return message.toString();
  }

  TaflhallException exception() {
    if (is(Reason.UNAVAILABLE) && metadata.containsKey(Reach.ADDRESSES)) {
      return new UnreachableException(this);
    }
    return switch (Reason.of(reason)) {
      case ILLEGAL_COMMAND -> new IllegalCommandException(this);
      case STALE_DECISION -> new StaleDecisionException(this);
      case INVALID_SETUP, INVALID_TIME_CONTROL -> new InvalidSetupException(this);
      case RATE_LIMITED -> new RateLimitedException(this);
      default -> new TaflhallException(this);
    };
  }
}
