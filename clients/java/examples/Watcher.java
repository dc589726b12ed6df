import java.util.Locale;
import org.taflhall.Client;
import org.taflhall.Update;
import org.taflhall.Watch;

/** Prints what happens in a match, in German. Usage: Watcher HOST:PORT MATCH */
public class Watcher {
  public static void main(String[] args) {
    try (Client client = Client.builder(args[0]).language(Locale.GERMAN).connect();
        Watch<Update> watch = client.match(args[1]).watch()) {
      for (Update update : watch) {
        if (update instanceof Update.Snapshot at) {
          System.out.println(at.revision() + " " + at.snapshot().getMatch().getStatus());
        } else if (update instanceof Update.Change at) {
          at.change()
              .getEventsList()
              .forEach(event -> System.out.println(at.revision() + " " + event.getText()));
        } else if (update instanceof Update.End at) {
          for (var seat : at.end().getMatch().getResult().getSeatsList()) {
            System.out.println("place " + seat.getPlace() + " for seat " + seat.getSeat());
          }
        }
      }
    }
  }
}
