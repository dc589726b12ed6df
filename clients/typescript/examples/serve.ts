// A bot that plays wherever its account is invited, until it is stopped: node serve.js HOST:PORT KEY
import { connect } from "taflhall/node";

const [address = "127.0.0.1:50051", key = ""] = process.argv.slice(2);
const client = connect(address, { key });
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
process.once("SIGINT", () => stop.abort());
const bot = ({ options }: { options: unknown[] }) => Math.floor(Math.random() * options.length);
try {
  await client.playAll(bot, {
    signal: stop.signal,
    accept: { maxMatches: 8 },
    onEnter: (matchId) => console.log(`entered ${matchId}`),
    onEnd: (matchId) => console.log(`left ${matchId}`),
    onFailure: (matchId, failure) => console.error(`${matchId}: ${failure.message}`),
  });
} catch (error) {
  if (!stop.signal.aborted) throw error;
} finally {
  client.close();
}
