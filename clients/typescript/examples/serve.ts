// Plays wherever its account is invited or sits, many matches over one stream, until it is stopped.
// Usage: serve HOST:PORT API_KEY
import { connect } from "taflhall/node";

const [address, key] = process.argv.slice(2);
if (address === undefined || key === undefined) {
  console.error("usage: serve HOST:PORT API_KEY");
  process.exit(2);
}
const client = connect(address, { key });
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
process.once("SIGINT", () => stop.abort());
const bot = ({ options }: { options: unknown[] }) => Math.floor(Math.random() * options.length);
try {
  await client.playAll(bot, {
    signal: stop.signal,
    accept: { maxMatches: 8 },
    onEnter: (matchId) => console.log(`${matchId} entered`),
    onEnd: (matchId) => console.log(`${matchId} is over`),
    onFailure: (matchId, failure) => console.log(`${matchId} left: ${failure.message}`),
  });
} catch (error) {
  if (!stop.signal.aborted) throw error;
} finally {
  client.close();
}
