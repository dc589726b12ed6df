import { expect, test } from "vitest";

import { withNames } from "../../src/table/model/names";

test.each([
  ["Seat 1 gains 1 axeman", "Bo gains 1 axeman"],
  ["Platz 0: Schmied", "Ann: Schmied"],
  ["Blame: Seat 1 and Seat 0", "Blame: Bo and Ann"],
  ["Seat 2 resigns", "Seat 2 resigns"],
  ["Space 1", "Space 1"],
])("%s", (text, named) => {
  expect(withNames(text, ["Ann", "Bo", ""])).toBe(named);
});
