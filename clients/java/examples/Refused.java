import java.util.Locale;
import org.taflhall.Answers;
import org.taflhall.Client;
import org.taflhall.IllegalCommandException;
import org.taflhall.InvalidSetupException;
import org.taflhall.MatchHandle;
import org.taflhall.champions.v1.Leader;
import org.taflhall.champions.v1.TakeLeader;
import org.taflhall.v1.Command;
import org.taflhall.v1.Decision;

/** Asks for what the server refuses, and shows why, and what is legal. Usage: refused HOST:PORT */
public class Refused {
  public static void main(String[] args) {
    if (args.length < 1) {
      System.err.println("usage: refused HOST:PORT");
      System.exit(2);
    }
    try (Client client = Client.builder(args[0]).language(Locale.ENGLISH).connect()) {
      try {
        client.create(Client.setup("champions", 99));
      } catch (InvalidSetupException invalid) {
        for (var fault : invalid.violations()) {
          System.out.println("reason: " + invalid.reason());
          System.out.println("field: " + fault.field());
          System.out.println("text: " + fault.text());
        }
      }

      MatchHandle match =
          client.create(Client.setup("champions", 2), request -> request.setStartWhenFull(true));
      MatchHandle ann = match.join("Ann", request -> request.addSeats(0).addSeats(1));
      var taking = TakeLeader.newBuilder().setLeader(Leader.LEADER_ASMUNDR);
      var champions = org.taflhall.champions.v1.Command.newBuilder().setTakeLeader(taking);
      Command asmundr = Command.newBuilder().setChampions(champions).build();
      Decision first = ann.decision().orElseThrow();
      Decision next = ann.submit(first.getId(), Answers.command(asmundr)).getDecision();
      try {
        // the next seat wants the same leader
        ann.submit(next.getId(), Answers.command(asmundr));
      } catch (IllegalCommandException illegal) {
        System.out.println("reason: " + illegal.reason());
        System.out.println("rule: " + illegal.rule());
        System.out.println("text: " + illegal.text());
      }
      var explained = ann.explain(asmundr, request -> request.setSeat(next.getSeat()));
      System.out.println("rule text: " + explained.getRuleText());
      next.getOptionsList().forEach(option -> System.out.println("legal: " + option.getText()));
    }
  }
}
