/** What the link of a deputy opens: the seat that was handed over. */
import { go } from "../app/router";
import { client, useTask } from "../connection";
import { FailureNote, Waiting } from "../parts/notes";
import { keepCredentials } from "../session/credentials";

/** Keep the secret of a deputy, and go to the match. */
export function DeputyScreen({ id, secret }: { id: string; secret: string }) {
  const { failure } = useTask(
    async (signal) => {
      const { view } = await client.value.match(id, secret).get({ withView: true, signal });
      keepCredentials(id, { seatSecret: secret, seats: view?.seat === undefined ? [] : [view.seat] });
      go({ screen: "match", id }, { replace: true });
    },
    [id, secret],
  );
  return failure ? <FailureNote failure={failure} /> : <Waiting />;
}
