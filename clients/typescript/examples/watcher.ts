// A watcher: node watcher.js HOST:PORT MATCH
import { connect } from "taflhall/node";

const [address = "127.0.0.1:50051", id = ""] = process.argv.slice(2);
const client = connect(address, { language: "en" });
for await (const update of client.match(id).watch()) {
  if (update.kind === "change") {
    for (const { text } of update.value.events) console.log(`${update.revision} ${text}`);
  } else {
    console.log(`${update.revision} ${update.kind}`);
  }
}
client.close();
