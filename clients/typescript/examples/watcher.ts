// Prints what happens in a match, and how it ends. Usage: watcher HOST:PORT MATCH
import { connect } from "taflhall/node";

const [address, id] = process.argv.slice(2);
if (address === undefined || id === undefined) {
  console.error("usage: watcher HOST:PORT MATCH");
  process.exit(2);
}
const client = connect(address, { language: "en" });
for await (const { kind, revision, value } of client.match(id).watch()) {
  if (kind === "snapshot") console.log(`${revision} snapshot`);
  if (kind === "change") for (const { text } of value.events) console.log(`${revision} ${text}`);
  if (kind === "end") {
    for (const { seat, place } of value.match?.result?.seats ?? []) {
      console.log(`seat ${seat}: place ${place}`);
    }
  }
}
client.close();
