// A bot that plays at random. Usage: bot HOST:PORT MATCH [NAME]
import { connect } from "taflhall/node";

const [address, id, name = "Hugin"] = process.argv.slice(2);
if (address === undefined || id === undefined) {
  console.error("usage: bot HOST:PORT MATCH [NAME]");
  process.exit(2);
}
const client = connect(address);
const seat = await client.match(id).join(name, { kind: "bot" });
const end = await seat.play(({ options }) => Math.floor(Math.random() * options.length));
for (const { seat: number, place } of end?.result?.seats ?? []) {
  console.log(`seat ${number}: place ${place}`);
}
client.close();
