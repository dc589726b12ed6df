// Tries commands that the rules do not allow, and says why not: node refused.js HOST:PORT
import { connect, hasReason } from "taflhall/node";

const [address = "127.0.0.1:50051"] = process.argv.slice(2);
const client = connect(address, { language: "en" });
const match = await client.create({ game: "yggdrasil", seats: 2 });
const seat = await match.join("Ann", { seats: [0, 1] });
await match.start();

const command = {
  game: { case: "yggdrasil", value: { kind: { case: "helheim", value: {} } } },
} as const;
const { legal, refusal, ruleText } = await seat.explain(command);
console.log(legal ? "legal" : `explained: ${refusal?.text} (${refusal?.rule}: ${ruleText})`);
try {
  await seat.submit(command);
} catch (error) {
  if (!hasReason(error, "ILLEGAL_COMMAND")) throw error;
  console.log(`refused: ${error.message}`);
}
client.close();
