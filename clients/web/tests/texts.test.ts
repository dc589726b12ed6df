// The texts of the page: complete, the same in both languages, and all of them used.
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { FluentResource } from "@fluent/bundle";
import { describe, expect, test } from "vitest";

const SOURCES = fileURLToPath(new URL("../src/", import.meta.url));
const LANGUAGES = ["en", "de"];
const FILES = ["page", "table", "boards"];

function source(language: string): string {
  const read = (name: string) => readFileSync(`${SOURCES}texts/${language}/${name}.ftl`, "utf-8");
  return FILES.map(read).join("\n");
}

function idsOf(language: string): string[] {
  return new FluentResource(source(language)).body.map(({ id }) => id);
}

/** Return the names of the variables that each message uses. */
function variablesOf(language: string): Map<string, string[]> {
  const messages = source(language).split(/^(?=[a-z][\w-]* =)/m);
  return new Map(
    messages.map((message) => [
      message.split(" ")[0] ?? "",
      [...new Set([...message.matchAll(/\{\s*(?:NUMBER\()?\$(\w+)/g)].map(([, name = ""]) => name))].sort(),
    ]),
  );
}

const code = readdirSync(SOURCES, { recursive: true, encoding: "utf-8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => readFileSync(SOURCES + name, "utf-8"))
  .join("\n");

describe.each(LANGUAGES)("the texts in %s", (language) => {
  const ids = idsOf(language);

  test("every message can be read, and none stands twice", () => {
    const begun = [...source(language).matchAll(/^([a-z][\w-]*) =/gm)].map(([, id]) => id);
    expect(ids).toEqual(begun);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("every text that the page names is there", () => {
    const named = [...code.matchAll(/\btext\(\s*"([\w-]+)"/g)].map(([, id = ""]) => id);
    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test("nothing is there that the page does not use", () => {
    const prefixes = [...code.matchAll(/`([a-z][\w-]*-)\$\{/g)].map(([, prefix = ""]) => prefix);
    const unused = ids.filter(
      (id) => !code.includes(`"${id}"`) && !prefixes.some((prefix) => id.startsWith(prefix)),
    );
    expect(unused).toEqual([]);
  });
});

test("both languages have the same messages, with the same variables", () => {
  expect(idsOf("de")).toEqual(idsOf("en"));
  expect(variablesOf("de")).toEqual(variablesOf("en"));
});
