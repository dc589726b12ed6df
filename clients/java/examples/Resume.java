import org.taflhall.Client;
import org.taflhall.Update;
import org.taflhall.Watch;

/**
 * Cuts its watch of a match after the first change, and continues from there with another connection:
 * nothing is lost or comes twice. Usage: resume HOST:PORT MATCH
 */
public class Resume {
  public static void main(String[] args) {
    if (args.length < 2) {
      System.err.println("usage: resume HOST:PORT MATCH");
      System.exit(2);
    }
    Update cut = watch(args[0], args[1], "", true);
    System.out.println("cut after revision " + cut.revision());
    Update end = watch(args[0], args[1], cut.resumeToken(), false);
    System.out.println("ends at revision " + end.revision());
  }

  /** Watches from after a token to the first change, or to the end; returns the last update. */
  private static Update watch(String address, String match, String token, boolean once) {
    Update last = null;
    try (Client client = Client.connect(address);
        Watch<Update> watch = client.match(match).watch(request -> request.setResumeToken(token))) {
      for (Update update : watch) {
        last = update;
        if (once && update instanceof Update.Change) {
          break;
        }
      }
    }
    return last;
  }
}
