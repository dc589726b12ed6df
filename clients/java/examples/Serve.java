import org.taflhall.Bot;
import org.taflhall.Client;

/**
 * Plays wherever its account is invited or sits, many matches over one stream, until it is stopped.
 * Usage: Serve HOST:PORT API_KEY
 */
public class Serve {
  public static void main(String[] args) {
    try (Client client = Client.builder(args[0]).key(args[1]).connect()) {
      client
          .playAll(
              entered -> {
                System.out.println(
                    entered.getMatch().getId() + " entered at seats " + entered.getSeatsList());
                return Bot.random(1);
              })
          .offer(20)
          .onEnd(end -> System.out.println("left: " + end))
          .run();
    }
  }
}
