// A whole match of each game, played by clicks on the page beside a bot of the server.
import type { Locator, Page } from "playwright-core";
import { expect, inject, test } from "vitest";

import type { Look } from "./kit/browser";
import { PHONE, WIDE, useBrowser } from "./kit/browser";

const open = useBrowser();
const url = inject("url");

/** More decisions than any match of two asks of one player. */
const MOST = 600;
/** How many decisions are answered by clicks on the board, where it has what is offered. */
const ON_BOARD = 20;

const GAMES: [game: string, title: string, look: Look][] = [
  ["yggdrasil", "Yggdrasil", WIDE],
  ["champions", "Champions of Midgard", WIDE],
  ["ice_garden", "The Lord of the Ice Garden", WIDE],
];

test.concurrent.each(GAMES)("a whole match of %s", { timeout: 600_000 }, async (game, title, look) => {
  const person = await open(url, look);
  const { page } = person;
  await page
    .getByRole("article", { name: title })
    .getByRole("button", { name: "Play a bot" })
    .click();
  await page.locator(".options button.option").first().waitFor();
  await person.picture(`${game}-first`);
  await person.expectAccessible();
  const phone = await open(page.url(), { ...PHONE, language: "de", scheme: "dark" });
  await phone.page.locator(".table-screen [data-spot]").first().waitFor();
  await phone.picture(`${game}-phone-de-dark`, true);
  const choose = chooser();
  let answered = 0;
  while ((await turn(page)) === "decide") {
    await answer(page, choose, answered < ON_BOARD);
    answered += 1;
    if (answered === 30) await person.picture(`${game}-middle`);
    if (answered > MOST) throw new Error("the match does not end");
  }
  expect(answered).toBeGreaterThan(0);
  await person.picture(`${game}-end`, true);
  await person.expectAccessible();
});

/** Wait until the player has to decide, or the match is over. */
async function turn(page: Page): Promise<"decide" | "over"> {
  const decide = page.locator(".options:not([aria-busy=true]) button.option:enabled").first();
  const over = page.locator(".result").first();
  await decide.or(over).first().waitFor();
  return (await over.isVisible()) ? "over" : "decide";
}

/** Return what draws a number below another, the same ones each time: random play always comes to an end. */
function chooser(): (below: number) => number {
  let state = 1;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % below;
  };
}

/** How many buttons of a dialog are pressed at most before it is closed. */
const PRESSES = 40;

/** Press buttons that *choose* draws until the answer can be sent, and send it: some options are nothing but a dialog. */
async function complete(dialog: Locator, choose: (below: number) => number): Promise<void> {
  const send = dialog.locator("button.primary");
  for (let pressed = 0; pressed < PRESSES && !(await send.isEnabled()); pressed += 1) {
    const buttons = dialog.locator(".count button:enabled");
    await buttons.nth(choose(await buttons.count())).click({ timeout: 2000 });
  }
  if (await send.isEnabled()) await send.click();
  else await dialog.page().keyboard.press("Escape");
}

/** Answer the pending decision with an option that *choose* draws: on the board if that can be. */
async function answer(page: Page, choose: (below: number) => number, onBoard: boolean): Promise<void> {
  const dialog = page.locator("dialog[open].form-dialog");
  if (await dialog.isVisible()) {
    await complete(dialog, choose);
    return;
  }
  const before = await page.locator(".asked").textContent();
  const spot = page.locator("[data-spot][data-live]").first();
  if (onBoard && (await spot.isVisible())) await spot.click({ timeout: 2000 }).catch(() => undefined);
  const options = page.locator(".options button.option:enabled");
  const count = await options.count();
  if (count > 0 && (await page.locator(".asked").textContent()) === before) {
    const option = options.nth(choose(count));
    await option.click({ timeout: 5000 }).catch(() => undefined); // it may be gone by now
  }
}
