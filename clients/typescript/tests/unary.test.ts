import { expect, test } from "vitest";

import { grpcTimeout } from "../src/unary.js";

test.each([
  [1500, "1500m"],
  [0.2, "1m"],
  [-5, "0m"],
  [99_999_999, "99999999m"],
  [100_000_000, "100000S"],
  [60 * 3600_000 + 1, "216001S"],
  [Number.MAX_SAFE_INTEGER, "99999999S"],
])("a timeout of %d ms has at most eight digits", (ms, written) => {
  expect(grpcTimeout(ms)).toBe(written);
});
