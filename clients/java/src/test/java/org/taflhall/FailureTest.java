package org.taflhall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.ErrorInfo;
import com.google.rpc.LocalizedMessage;
import com.google.rpc.RetryInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureTest {
  private static StatusRuntimeException failed(
      Status.Code code, String reason, Map<String, String> metadata) {
    return StatusProto.toStatusRuntimeException(
        com.google.rpc.Status.newBuilder()
            .setCode(code.value())
            .setMessage("gRPC's text")
            .addDetails(
                Any.pack(
                    ErrorInfo.newBuilder()
                        .setDomain("taflhall")
                        .setReason(reason)
                        .putAllMetadata(metadata)
                        .build()))
            .addDetails(text("en", "english"))
            .addDetails(text("de", "deutsch"))
            .addDetails(
                Any.pack(
                    RetryInfo.newBuilder()
                        .setRetryDelay(Duration.newBuilder().setSeconds(1))
                        .build()))
            .build());
  }

  private static Any text(String language, String text) {
    return Any.pack(LocalizedMessage.newBuilder().setLocale(language).setMessage(text).build());
  }

  @Test
  void anErrorIsOfTheTypeOfItsReason() {
    var metadata = Map.of("rule", "YG-7.2", "refusal", "world_blocked", "index", "2");
    var error = failed(Status.Code.FAILED_PRECONDITION, "ILLEGAL_COMMAND", metadata);
    var illegal =
        assertInstanceOf(IllegalCommandException.class, Failure.of(error, "").exception());
    assertEquals(Reason.ILLEGAL_COMMAND, illegal.reason());
    assertEquals("YG-7.2", illegal.rule());
    assertEquals("world_blocked", illegal.refusal());
    assertEquals(2, illegal.index());
  }

  @Test
  void aReasonThatIsNotKnownKeepsItsName() {
    var error = Failure.of(failed(Status.Code.ABORTED, "MOON_TOO_LOW", Map.of()), "").exception();
    assertEquals(Reason.UNRECOGNIZED, error.reason());
    assertEquals("MOON_TOO_LOW", error.reasonName());
  }

  @ParameterizedTest
  @CsvSource({"de-AT,deutsch", "de,deutsch", "'',english", "fr,english"})
  void anErrorHasTheTextOfItsLanguage(String language, String text) {
    var error = failed(Status.Code.NOT_FOUND, "MATCH_NOT_FOUND", Map.of());
    assertEquals(text, Failure.of(error, language).text());
  }

  @ParameterizedTest
  @CsvSource({
    "UNAVAILABLE,STORE_UNAVAILABLE,true",
    "ABORTED,STALE_DECISION,false",
    "UNAVAILABLE,NEW_REASON,true",
    "FAILED_PRECONDITION,NEW_REASON,false"
  })
  void uncertaintyFollowsTheReasonOrElseTheCode(Status.Code code, String reason, boolean uncertain) {
    assertEquals(uncertain, Failure.of(failed(code, reason, Map.of()), "").isUncertain());
  }

  @Test
  void thePauseIsTheLongestThatTheServerAsksFor() {
    var error = failed(Status.Code.UNAVAILABLE, "BUSY", Map.of());
    var pushback = Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);
    error.getTrailers().put(pushback, "1500");
    assertEquals(1500, Failure.of(error, "").retryAfter().toMillis());
  }

  @Test
  void aRejectionHasTheCodeAndTheTextOfItsReason() {
    var failure = Failure.rejection("SEAT_TAKEN", Map.of("seat", "3"), "en");
    assertEquals(Status.Code.ALREADY_EXISTS, failure.code());
    assertEquals("seat 3 is taken", failure.text());
  }
}
