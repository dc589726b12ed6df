package org.taflhall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Context;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Against an address where no server is: calls are repeated until they are ended. */
class ClientTest {
  private static final Timing PATIENT =
      Timing.DEFAULT
          .withCall(Duration.ofHours(1))
          .withConnect(Duration.ofHours(1))
          .withPatience(Duration.ofHours(1));

  private static Client client(Timing timing) {
    return Client.builder("127.0.0.1:9").timing(timing).connect();
  }

  @Test
  void anAddressThatCannotBeOneIsRefusedAtOnce() {
    String[] faulty = {
      "", "localhost", "host:port", "127.0.0.1:99999", "a:1,b", "http://a:1", "::1:50051"
    };
    for (String address : faulty) {
      var error = assertThrows(TaflhallException.class, () -> Client.connect(address), address);
      assertEquals(Reason.INVALID_ADDRESS, error.reason());
      assertTrue(error.text().contains("write HOST:PORT"), error.text());
    }
    for (String address : List.of("localhost:1", "[::1]:50051", "a:1, b:2")) {
      Client.connect(address).close();
    }
  }

  @Test
  void aKeyThatCannotBeOneIsRefusedAtOnce() {
    Client.Builder builder = Client.builder("127.0.0.1:9").key("hunter2");
    var error = assertThrows(TaflhallException.class, builder::connect);
    assertEquals(Reason.API_KEY_INVALID, error.reason());
    assertFalse(error.getMessage().contains("hunter2"));
  }

  @Test
  void whereNobodyEverAnsweredCallsAndStreamsEndSoon() {
    Timing timing = PATIENT.withConnect(Duration.ofMillis(300));
    Client.Builder builder = Client.builder("127.0.0.1:9, 127.0.0.1:7").timing(timing);
    try (Client client = builder.connect()) {
      var called = assertThrows(UnreachableException.class, client::games);
      assertEquals(List.of("127.0.0.1:9", "127.0.0.1:7"), called.addresses());
      Watch<Update> watch = client.match("m").watch();
      assertThrows(UnreachableException.class, () -> watch.iterator().hasNext());
    }
  }

  @Test
  void aPortThatAcceptsAndSaysNothingIsUnreachable() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + mute.getLocalPort();
      Timing timing = PATIENT.withConnect(Duration.ofMillis(300));
      try (Client client = Client.builder(address).timing(timing).connect()) {
        assertThrows(UnreachableException.class, client::games);
        Bot bot = Bot.random(1);
        MatchHandle seat = client.match("m", "secret");
        Watch<Update> watch = seat.watch();
        assertThrows(UnreachableException.class, () -> watch.iterator().hasNext());
        assertThrows(UnreachableException.class, () -> seat.play(bot));
        assertThrows(UnreachableException.class, () -> client.playAll(entered -> bot).at(seat).run());
      }
    }
  }

  @Test
  void aServerThatHasAnsweredIsWaitedFor() {
    Timing timing =
        PATIENT.withConnect(Duration.ofMillis(50)).withCall(Duration.ofMillis(500));
    try (Client client = client(timing)) {
      client.reach().notice();
      var error = assertThrows(TaflhallException.class, client::games);
      assertFalse(error instanceof UnreachableException);
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
