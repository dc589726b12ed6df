// Cuts its watch of a match after the first change, and continues from there with another connection:
// nothing is lost or comes twice. Usage: resume HOST:PORT MATCH
import { connect } from "taflhall/node";

const [address, id] = process.argv.slice(2);
if (address === undefined || id === undefined) {
  console.error("usage: resume HOST:PORT MATCH");
  process.exit(2);
}
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
for await (const update of second.match(id).watch({ resumeToken })) ({ revision } = update);
second.close();
console.log(`ends at revision ${revision}`);
