// What a browser has to load.
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { expect, test } from "vitest";

const BUILT = fileURLToPath(new URL("../build/page/", import.meta.url));
const MOST_KB = 180;

test("script and style of all screens, games and languages are at most 180 kB by gzip", () => {
  const files = readdirSync(`${BUILT}assets`).filter((name) => /\.(js|css)$/.test(name));
  const sizes = files.map((name) => gzipSync(readFileSync(`${BUILT}assets/${name}`)).length);
  const total = sizes.reduce((sum, size) => sum + size, 0) / 1000;
  console.log(`${total.toFixed(1)} kB in ${files.length} files`);
  expect(total).toBeLessThanOrEqual(MOST_KB);
});

test("the page itself holds no script and no style", () => {
  const index = readFileSync(`${BUILT}index.html`, "utf-8");
  expect(index).not.toMatch(/<style|style=|<script(?![^>]*src=)|\bon\w+=/);
});
