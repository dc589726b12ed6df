package org.taflhall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Context;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Against an address where no server is: calls are repeated until they are ended. */
class ClientTest {
  private static final Timing PATIENT =
      Timing.DEFAULT.withCall(Duration.ofHours(1)).withPatience(Duration.ofHours(1));

  private static Client client(Timing timing) {
    return Client.builder("127.0.0.1:9").timing(timing).connect();
  }

  @Test
  void anAddressThatCannotBeOneIsRefusedAtOnce() {
    for (String address : new String[] {"host:port", "127.0.0.1:99999", "127.0.0.1", "a:1,b"}) {
      var error = assertThrows(IllegalArgumentException.class, () -> Client.connect(address));
      assertTrue(error.getMessage().contains("HOST:PORT"), error.getMessage());
    }
  }

  @Test
  void aCallEndsWhenItsTimeIsUp() {
    try (Client client = client(Timing.DEFAULT.withCall(Duration.ofMillis(500)))) {
      assertTrue(assertThrows(TaflhallException.class, client::games).isUncertain());
    }
  }

  @Test
  void aCallEndsWithTheDeadlineOfItsContext() throws Exception {
    ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    try (Client client = client(PATIENT)) {
      Context.current()
          .withDeadlineAfter(500, TimeUnit.MILLISECONDS, scheduler)
          .run(() -> assertThrows(TaflhallException.class, client::games));
    } finally {
      scheduler.shutdown();
    }
  }

  @Test
  void aCallEndsWhenItsThreadIsInterrupted() {
    try (Client client = client(PATIENT)) {
      Thread.currentThread().interrupt();
      var error = assertThrows(TaflhallException.class, client::games);
      assertEquals(Reason.CANCELLED, error.reason());
      assertTrue(Thread.interrupted());
    }
  }

  @Test
  void cancellingAFutureEndsItsOperation() throws Exception {
    try (Client client = client(PATIENT)) {
      CompletableFuture<Reason> ended = new CompletableFuture<>();
      CompletableFuture<Void> watching =
          client.async(
              () -> {
                try (Watch<Update> watch = client.match("m").watch()) {
                  watch.iterator().hasNext();
                } catch (TaflhallException failure) {
                  ended.complete(failure.reason());
                }
                return null;
              });
      watching.cancel(true);
      assertEquals(Reason.CANCELLED, ended.get(30, TimeUnit.SECONDS));
    }
  }

  @Test
  void aWatchThatIsClosedHasNoFurtherUpdate() {
    try (Client client = client(PATIENT)) {
      Watch<Update> watch = client.match("m").watch();
      watch.close();
      assertFalse(watch.iterator().hasNext());
    }
  }

  @Test
  void aSecretIsNotPrinted() {
    try (Client client = client(PATIENT)) {
      assertEquals("match m", client.match("m", "secret").toString());
    }
  }
}
