import static org.taflhall.v1.SeatKind.SEAT_KIND_BOT;

import java.util.Random;
import org.taflhall.Answers;
import org.taflhall.Client;
import org.taflhall.MatchHandle;

/** Joins a match and plays at random. Usage: Bot HOST:PORT MATCH [NAME] */
public class Bot {
  public static void main(String[] args) {
    Random rng = new Random();
    String name = args.length > 2 ? args[2] : "Duke";
    try (Client client = Client.connect(args[0])) {
      MatchHandle seat = client.match(args[1]).join(name, join -> join.setKind(SEAT_KIND_BOT));
      var match =
          seat.play(
              prompt -> Answers.option(rng.nextInt(prompt.getDecision().getOptionsCount())));
      System.out.println(match.getStatus() + "\n" + match.getResult());
    }
  }
}
