// Asks for what the server refuses, and says why. Usage: refused HOST:PORT
import { TaflhallError, connect, hasReason } from "taflhall/node";

const [address] = process.argv.slice(2);
if (address === undefined) {
  console.error("usage: refused HOST:PORT");
  process.exit(2);
}
const client = connect(address, { language: "en" });
try {
  await client.create({ game: "yggdrasil", seats: 99 });
} catch (error) {
  if (!(error instanceof TaflhallError)) throw error;
  for (const { field, text } of error.violations) {
    console.log(`reason: ${error.reason}\nfield: ${field}\ntext: ${text}`);
  }
}

const match = await client.create({ game: "yggdrasil", seats: 1 }, { startWhenFull: true });
const ann = await match.join("Ann");
const command = {
  game: { case: "yggdrasil", value: { kind: { case: "helheim", value: {} } } },
} as const;
try {
  await ann.submit(command);
} catch (error) {
  if (!hasReason(error, "ILLEGAL_COMMAND")) throw error;
  console.log(`reason: ${error.reason}\nrule: ${error.metadata["rule"]}\ntext: ${error.message}`);
}
console.log(`explained: ${(await ann.explain(command)).ruleText}`);
client.close();
