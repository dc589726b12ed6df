// Asks for what the server refuses, and shows why, and what is legal. Usage: refused HOST:PORT
import { Leader } from "taflhall/gen/champions/v1/champions";
import { TaflhallError, connect, hasReason } from "taflhall/node";

const [address] = process.argv.slice(2);
if (address === undefined) {
  console.error("usage: refused HOST:PORT");
  process.exit(2);
}
const client = connect(address, { language: "en" });
try {
  await client.create({ game: "champions", seats: 99 });
} catch (error) {
  if (!(error instanceof TaflhallError)) throw error;
  for (const { field, text } of error.violations) {
    console.log(`reason: ${error.reason}\nfield: ${field}\ntext: ${text}`);
  }
}

const match = await client.create({ game: "champions", seats: 2 }, { startWhenFull: true });
const ann = await match.join("Ann", { seats: [0, 1] });
const kind = { case: "takeLeader", value: { leader: Leader.ASMUNDR } } as const;
const asmundr = { game: { case: "champions", value: { kind } } } as const;
const { decision } = await ann.submit(asmundr);
try {
  await ann.submit(asmundr); // the next seat wants the same leader
} catch (error) {
  if (!hasReason(error, "ILLEGAL_COMMAND")) throw error;
  console.log(`reason: ${error.reason}\nrule: ${error.metadata["rule"]}\ntext: ${error.message}`);
}
if (decision !== undefined) {
  const explained = await ann.explain(asmundr, { seat: decision.seat });
  console.log(`rule text: ${explained.ruleText}`);
  for (const option of decision.options) console.log(`legal: ${option.text}`);
}
client.close();
