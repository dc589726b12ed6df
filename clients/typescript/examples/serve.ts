// Plays wherever its account is invited or sits, many matches over one stream, until it is stopped.
// Usage: serve HOST:PORT API_KEY
import { TaflhallError, connect } from "taflhall/node";
import type { NewBot } from "taflhall/node";

const [address, key] = process.argv.slice(2);
if (address === undefined || key === undefined) {
  console.error("usage: serve HOST:PORT API_KEY");
  process.exit(2);
}
const client = connect(address, { key });
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
process.once("SIGINT", () => stop.abort());
const newBot: NewBot = ({ match }) => {
  console.log(`${match?.id} entered`);
  return ({ options }) => Math.floor(Math.random() * options.length);
};
try {
  await client.playAll(newBot, {
    signal: stop.signal,
    offer: { maxMatches: 8 },
    onEnd: (matchId, outcome) => {
      const left = outcome instanceof TaflhallError ? `left: ${outcome.message}` : "is over";
      console.log(`${matchId} ${left}`);
    },
  });
} catch (error) {
  if (!stop.signal.aborted) throw error;
} finally {
  client.close();
}
