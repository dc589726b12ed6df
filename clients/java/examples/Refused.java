import java.util.Locale;
import org.taflhall.Answers;
import org.taflhall.Client;
import org.taflhall.IllegalCommandException;
import org.taflhall.InvalidSetupException;
import org.taflhall.MatchHandle;
import org.taflhall.v1.Command;
import org.taflhall.yggdrasil.v1.Helheim;

/** Asks for what the server refuses, and says why. Usage: refused HOST:PORT */
public class Refused {
  public static void main(String[] args) {
    if (args.length < 1) {
      System.err.println("usage: refused HOST:PORT");
      System.exit(2);
    }
    try (Client client = Client.builder(args[0]).language(Locale.ENGLISH).connect()) {
      try {
        client.create(Client.setup("yggdrasil", 99));
      } catch (InvalidSetupException invalid) {
        for (var fault : invalid.violations()) {
          System.out.println("reason: " + invalid.reason());
          System.out.println("field: " + fault.field());
          System.out.println("text: " + fault.text());
        }
      }

      MatchHandle match =
          client.create(Client.setup("yggdrasil", 1), request -> request.setStartWhenFull(true));
      MatchHandle ann = match.join("Ann");
      String decision = ann.decision().orElseThrow().getId();
      var helheim =
          org.taflhall.yggdrasil.v1.Command.newBuilder().setHelheim(Helheim.getDefaultInstance());
      Command command = Command.newBuilder().setYggdrasil(helheim).build();
      try {
        ann.submit(decision, Answers.command(command));
      } catch (IllegalCommandException illegal) {
        System.out.println("reason: " + illegal.reason());
        System.out.println("rule: " + illegal.rule());
        System.out.println("text: " + illegal.text());
      }
      System.out.println("explained: " + ann.explain(command).getRuleText());
    }
  }
}
