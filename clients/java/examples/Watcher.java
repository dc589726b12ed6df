import java.util.Locale;
import org.taflhall.Client;
import org.taflhall.Update;
import org.taflhall.Watch;

/** Prints what happens in a match, and how it ends. Usage: watcher HOST:PORT MATCH */
public class Watcher {
  public static void main(String[] args) {
    if (args.length < 2) {
      System.err.println("usage: watcher HOST:PORT MATCH");
      System.exit(2);
    }
    try (Client client = Client.builder(args[0]).language(Locale.ENGLISH).connect();
        Watch<Update> watch = client.match(args[1]).watch()) {
      for (Update update : watch) {
        if (update instanceof Update.Snapshot at) {
          System.out.println(at.revision() + " snapshot");
        } else if (update instanceof Update.Change at) {
          for (var event : at.change().getEventsList()) {
            System.out.println(at.revision() + " " + event.getText());
          }
        } else if (update instanceof Update.End at) {
          for (var seat : at.end().getMatch().getResult().getSeatsList()) {
            System.out.println("seat " + seat.getSeat() + ": place " + seat.getPlace());
          }
        }
      }
    }
  }
}
