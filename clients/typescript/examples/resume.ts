// Cuts a watch in the middle and goes on where it was: node resume.js HOST:PORT MATCH
import { connect } from "taflhall/node";

const [address = "127.0.0.1:50051", id = ""] = process.argv.slice(2);
let resumeToken = "";
let revision = 0;

const first = connect(address);
for await (const update of first.match(id).watch()) {
  ({ resumeToken, revision } = update);
  if (update.kind === "change") break;
}
first.close();
console.log(`cut after revision ${revision}`);

const second = connect(address);
for await (const update of second.match(id).watch({ resumeToken })) {
  if (update.kind === "change" && update.revision !== revision + 1) throw new Error("a gap");
  revision = update.revision;
}
second.close();
console.log(`ends after ${revision} changes`);
