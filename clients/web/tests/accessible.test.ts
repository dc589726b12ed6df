// What opens over the table and beside it: axe finds nothing serious, in both themes, wide and on a phone.
import { inject, test } from "vitest";

import type { Look } from "./kit/browser";
import { PHONE, WIDE, useBrowser } from "./kit/browser";
import { Table, turn } from "./kit/match";

const open = useBrowser();
const url = inject("url");

const LOOKS: [name: string, look: Look][] = [
  ["wide and light", WIDE],
  ["on a phone and dark", { ...PHONE, scheme: "dark" }],
];

test.each(LOOKS)("questions, cards, rules and the analysis, %s", { timeout: 600_000 }, async (name, look) => {
  const table = await Table.open(url, { setup: { game: "champions" }, people: 2 });
  await table.playOn(20);
  const person = await table.seat(open, await table.decider(), look);
  const { page } = person;
  const dialog = page.getByRole("dialog");
  const check = async (what: string): Promise<void> => {
    await person.picture(`${what} ${name}`.replaceAll(" ", "-"));
    await person.expectAccessible();
  };
  await turn(page);
  const dark = page.locator('.table-board [data-spot^="location:"]:not(.live) > .target').first();
  await dark.focus();
  await page.getByRole("tooltip").waitFor();
  await check("card");
  await page.keyboard.press("Enter");
  await page.locator(".why .rule").first().waitFor();
  await check("why not");
  await page.locator(".why .rule").first().click();
  await dialog.waitFor();
  await check("rule");
  await page.keyboard.press("Escape");
  await page.getByText("Undo, hand over, resign").click();
  await page.getByRole("button", { name: "End without a winner" }).click();
  await check("abandon question");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Hand my seat over" }).click();
  await check("deputy question");
  await dialog.getByRole("button", { name: "Hand my seat over" }).click();
  await page.locator(".secret").waitFor();
  await check("deputy link");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Take my seat back" }).click();
  await page.getByRole("button", { name: "Hand my seat over" }).waitFor();
  await page.getByRole("button", { name: "Resign", exact: true }).click();
  await check("resign question");
  await dialog.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Analysis" }).click();
  await dialog.locator("svg.analysis").waitFor();
  await check("analysis");
});
