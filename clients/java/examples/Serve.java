import org.taflhall.Bot;
import org.taflhall.Client;
import org.taflhall.PlayAll;

/**
 * Plays wherever its account is invited or sits, many matches over one stream, until it is stopped.
 * Usage: serve HOST:PORT API_KEY
 */
public class Serve {
  public static void main(String[] args) {
    if (args.length < 2) {
      System.err.println("usage: serve HOST:PORT API_KEY");
      System.exit(2);
    }
    try (Client client = Client.builder(args[0]).key(args[1]).connect()) {
      client
          .playAll(
              entered -> {
                System.out.println(entered.getMatch().getId() + " entered");
                return Bot.random(1);
              })
          .offer(8)
          .onEnd(
              end -> {
                String how =
                    end instanceof PlayAll.Left left
                        ? " left: " + left.cause().getMessage()
                        : " is over";
                System.out.println(end.matchId() + how);
              })
          .run();
    }
  }
}
