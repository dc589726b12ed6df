import static org.taflhall.v1.SeatKind.SEAT_KIND_BOT;

import org.taflhall.Client;
import org.taflhall.MatchHandle;

/** Joins a match and plays at random. Usage: bot HOST:PORT MATCH [NAME] */
public class Bot {
  public static void main(String[] args) {
    if (args.length < 2) {
      System.err.println("usage: bot HOST:PORT MATCH [NAME]");
      System.exit(2);
    }
    String name = args.length > 2 ? args[2] : "Duke";
    try (Client client = Client.connect(args[0])) {
      MatchHandle seat = client.match(args[1]).join(name, join -> join.setKind(SEAT_KIND_BOT));
      var match = seat.play(org.taflhall.Bot.random(1));
      for (var end : match.getResult().getSeatsList()) {
        System.out.println("seat " + end.getSeat() + ": place " + end.getPlace());
      }
    }
  }
}
