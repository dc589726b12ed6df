import org.taflhall.Answers;
import org.taflhall.Client;
import org.taflhall.IllegalCommandException;
import org.taflhall.MatchHandle;
import org.taflhall.v1.Command;
import org.taflhall.yggdrasil.v1.ChooseDie;

/** Gives a command that the rules forbid, and says why. Usage: Refused HOST:PORT */
public class Refused {
  public static void main(String[] args) {
    try (Client client = Client.connect(args[0])) {
      MatchHandle match =
          client.create(Client.setup("yggdrasil", 1), request -> request.setStartWhenFull(true));
      MatchHandle ann = match.join("Ann");
      String decision = ann.decision().orElseThrow().getId();
      Command command =
          Command.newBuilder()
              .setYggdrasil(
                  org.taflhall.yggdrasil.v1.Command.newBuilder()
                      .setChooseDie(ChooseDie.newBuilder().setIndex(63)))
              .build();
      try {
        ann.submit(decision, Answers.command(command));
      } catch (IllegalCommandException illegal) {
        System.out.println("refused: " + illegal.refusal() + " " + illegal.rule());
        System.out.println("explained: " + ann.explain(command).getRefusal().getText());
      }
    }
  }
}
