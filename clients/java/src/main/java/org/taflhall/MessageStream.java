package org.taflhall;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.taflhall.v1.DecisionAnswer;
import org.taflhall.v1.StreamEnd;
import org.taflhall.v1.StreamEndCause;

/**
 * A stream of the server. One thread reads it and writes to it; what bots answer meanwhile comes to
 * the same thread, between the messages.
 *
 * @param <Q> the messages that are sent
 * @param <R> the messages that are received
 */
final class MessageStream<Q, R> implements AutoCloseable {
  /** How many messages the server may send before the first of them is read. */
  private static final int PREFETCH = 16;

  /** Something to react to. */
  sealed interface Item<R> permits Message, Thought, Closed {}

  /** A message of the server. */
  record Message<R>(R body) implements Item<R> {}

  /** What a bot answered to a decision of a match, or the exception with which it failed. */
  record Thought<R>(String matchId, String decisionId, DecisionAnswer answer, Throwable failure)
      implements Item<R> {}

  /** The end of the stream. */
  record Closed<R>(Failure failure) implements Item<R> {}

  /** A stream has ended, though not because it was at its end. */
  static final class Lost extends Exception {
    private static final long serialVersionUID = 1;
    private final transient Failure failure;

    Lost(Failure failure) {
      super(failure.message(), null, false, false);
      this.failure = failure;
    }

    Failure failure() {
      return failure;
    }
  }

  private final Client client;
  private final ClientCall<Q, R> call;
  private final BlockingQueue<Item<R>> items = new LinkedBlockingQueue<>();
  private long heard = System.nanoTime();

  MessageStream(Client client, MethodDescriptor<Q, R> method, String secret) {
    this.client = client;
    CallOptions options = CallOptions.DEFAULT.withOption(Client.SECRET, secret);
    call = client.channel().newCall(method, options.withExecutor(Runnable::run));
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(R message) {
            items.add(new Message<>(message));
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            items.add(
                new Closed<>(
                    status.isOk()
                        ? Failure.lost("the stream ended")
                        : Failure.of(status, trailers, client.language(), status.getCause())));
          }
        },
        new Metadata());
    call.request(PREFETCH);
  }

  void send(Q message) {
    call.sendMessage(message);
  }

  /** Declares that the last message has been sent. */
  void finish() {
    call.halfClose();
  }

  /** Puts an answer of a bot between the messages; any thread may do so. */
  void add(Thought<R> thought) {
    items.add(thought);
  }

  /** Returns whether {@link #next} returns at once. */
  boolean isReady() {
    return !items.isEmpty();
  }

  /** Waits for the next message or answer. */
  Item<R> next() throws Lost, InterruptedException {
    Duration silence = client.reach().limit(client.timing().silence());
    long wait = silence.toNanos() - (System.nanoTime() - heard);
    Item<R> item = items.poll(wait, TimeUnit.NANOSECONDS);
    if (item == null) {
      throw new Lost(Failure.lost("the stream fell silent"));
    }
    if (item instanceof Closed<R> closed) {
      throw new Lost(closed.failure());
    }
    if (item instanceof Message<R>) {
      heard = System.nanoTime();
      call.request(1);
    }
    return item;
  }

  /** Ends the stream, on the server too; any thread may do so. */
  @Override
  public void close() {
    call.cancel("no longer wanted", null);
  }

  /** Returns whether a stream ended because the match has. */
  static boolean isOver(StreamEnd end) {
    return end.getCause() == StreamEndCause.STREAM_END_CAUSE_FINISHED
        || end.getCause() == StreamEndCause.STREAM_END_CAUSE_ABANDONED;
  }

  /** Returns why the server has ended a stream before the end of the match. */
  static Failure closed(StreamEnd end) {
    if (end.getCause() == StreamEndCause.STREAM_END_CAUSE_REPLACED) {
      String text = "another caller acts for the seat now";
      return Failure.own(Reason.REPLACED, Status.Code.ABORTED, text);
    }
    return Failure.lost("the server closed the stream: " + end.getCause());
  }
}
