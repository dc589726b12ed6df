package org.taflhall;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * What happens in a match, or in the lobby. It is read once, by one thread, and closed:
 *
 * <pre>{@code
 * try (Watch<Update> watch = match.watch()) {
 *   for (Update update : watch) {
 *     if (update instanceof Update.Change change) {
 *       System.out.println(change.revision() + " " + change.change().getEventsList());
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>A lost stream is opened again after the last message. Reading throws a {@link
 * TaflhallException} if the watch cannot continue.
 *
 * @param <T> what it delivers
 */
public final class Watch<T> implements Iterable<T>, AutoCloseable {
  /** Opens streams, and says what is new in their messages. */
  interface Source<R, T> {
    MessageStream<?, R> open();

    /** Returns what is new in a message; throws why the stream is to be opened again. */
    List<T> take(R message) throws MessageStream.Lost;

    /** Returns whether nothing follows what was taken. */
    boolean isOver();
  }

  private final Patience patience;
  private final Reader<?> reader;
  private final Queue<T> updates = new ArrayDeque<>();
  private volatile boolean closed;

  <R> Watch(Client client, Source<R, T> source) {
    this.patience = new Patience(client);
    this.reader = new Reader<>(source);
  }

  /** Ends the watch; any thread may do so. The reader then comes to its end. */
  @Override
  public void close() {
    closed = true;
    reader.cancel();
  }

  /**
   * Returns the updates that have not been read yet.
   *
   * @return an iterator that waits for the next update
   */
  @Override
  public Iterator<T> iterator() {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        if (updates.isEmpty() && !closed) {
          await();
        }
        return !updates.isEmpty();
      }

      @Override
      public T next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return updates.remove();
      }
    };
  }

  /**
   * Returns the updates that have not been read yet.
   *
   * @return a sequential stream that waits for the next update
   */
  public Stream<T> stream() {
    return StreamSupport.stream(spliterator(), false).onClose(this::close);
  }

  /** Waits until there are updates, or none follow. */
  private void await() {
    try {
      while (updates.isEmpty() && !closed) {
        reader.read();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      close();
      throw Failure.ended().exception();
    } catch (TaflhallException failure) {
      close();
      throw failure;
    }
  }

  private final class Reader<R> {
    private final Source<R, T> source;
    private volatile MessageStream<?, R> stream;

    Reader(Source<R, T> source) {
      this.source = source;
    }

    void cancel() {
      MessageStream<?, R> open = stream;
      if (open != null) {
        open.close();
      }
    }

    void read() throws InterruptedException {
      try {
        if (stream == null) {
          stream = source.open();
          if (closed) { // meanwhile
            cancel();
          }
        }
        if (stream.next() instanceof MessageStream.Message<R> message) {
          patience.hear();
          updates.addAll(source.take(message.body()));
        }
        if (source.isOver()) {
          close();
        }
      } catch (MessageStream.Lost lost) {
        cancel();
        stream = null;
        if (!closed) {
          patience.await(lost.failure());
        }
      }
    }
  }
}
