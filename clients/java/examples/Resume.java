import org.taflhall.Client;
import org.taflhall.Update;
import org.taflhall.Watch;

/**
 * Watches a match, is cut off after every tenth change, and goes on after the last one with another
 * connection: nothing is lost or comes twice. Usage: Resume HOST:PORT MATCH
 */
public class Resume {
  private static String token = "";
  private static int changes;

  public static void main(String[] args) {
    boolean over = false;
    for (int connection = 1; !over; connection++) {
      over = watch(args[0], args[1]);
      System.out.printf("connection %d ends after %d changes%n", connection, changes);
    }
  }

  /** Counts changes until the tenth or the end of the match; returns whether it was the end. */
  private static boolean watch(String address, String match) {
    try (Client client = Client.connect(address);
        Watch<Update> watch = client.match(match).watch(request -> request.setResumeToken(token))) {
      for (Update update : watch) {
        token = update.resumeToken();
        if (update instanceof Update.Change && ++changes % 10 == 0) {
          return false;
        }
      }
      return true;
    }
  }
}
