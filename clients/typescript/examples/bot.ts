// A bot that plays at random: node bot.js HOST:PORT MATCH [NAME]
import { MatchStatus, connect } from "taflhall/node";

const [address = "127.0.0.1:50051", id = "", name = "Hugin"] = process.argv.slice(2);
const client = connect(address);
const seat = await client.match(id).join(name, { kind: "bot" });
const end = await seat.play(({ options }) => Math.floor(Math.random() * options.length));
console.log(MatchStatus[end?.status ?? 0]);
for (const { seat: number, place, won } of end?.result?.seats ?? []) {
  console.log(`seat ${number}: place ${place}${won ? ", won" : ""}`);
}
client.close();
