// Drawn boards: everything that can be chosen is drawn, and everything in the box has a card.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { FluentBundle, FluentResource } from "@fluent/bundle";
import type { FluentVariable } from "@fluent/bundle";
import { renderToString } from "preact-render-to-string";
import { afterAll, describe, expect, test, vi } from "vitest";

import { boardOf } from "../../src/boards";
import type { Components, GameBoard } from "../../src/boards";
import type { Moment } from "./matches";
import { matchesOf } from "./matches";

/** How many random matches are drawn: each setup of record.py once. */
const MATCHES = { champions: 3, ice_garden: 6, yggdrasil: 4 };

/** Of how many moments one is drawn: they change little from one to the next. */
const EACH = 2;

const faults = new Set<string>();
vi.mock("../../src/texts", () => ({
  text: (id: string, values?: Record<string, FluentVariable>) => caption(id, values),
}));

const bundle = new FluentBundle("en", { useIsolating: false });
const source = new URL("../../src/texts/en/boards.ftl", import.meta.url);
bundle.addResource(new FluentResource(readFileSync(fileURLToPath(source), "utf-8")));

/** Return a caption of the drawings; what is missing of it is a fault. */
function caption(id: string, values?: Record<string, FluentVariable>): string {
  const pattern = bundle.getMessage(id)?.value;
  const errors: Error[] = [];
  if (!pattern) faults.add(`${id} has no text`);
  const shown = pattern ? bundle.formatPattern(pattern, values, errors) : id;
  for (const error of errors) faults.add(`${id}: ${error.message}`);
  return shown;
}

describe.each(Object.entries(MATCHES))("the board of %s", async (game, count) => {
  const board = await boardOf(game);
  const { components, moments } = matchesOf(game, count);
  /** The spots that have been drawn, each with a view in which it was. */
  const seen = new Map<string, Moment>();

  test("has for each option a spot that is drawn, and says nothing undefined", () => {
    const missing = new Set<string>();
    let options = 0;
    for (const moment of moments.filter((_, index) => index % EACH === 0)) {
      const drawing = drawn(board, moment, components);
      const spots = found(drawing, /data-spot="([^"]+)"/g);
      for (const spot of spots) seen.set(spot, moment);
      expect(/undefined|NaN|\[object/.exec(drawing)).toBeNull();
      const symbols = found(drawing, /<symbol id="([^"]+)"/g);
      for (const used of found(drawing, /href="#([^"]+)"/g)) {
        if (!symbols.has(used)) missing.add(used);
      }
      for (const { command } of moment.decision?.options ?? []) {
        options += 1;
        const own = command ? board.spotsOf(command, moment.view, moment.decision) : [];
        if (!own.some((spot) => spots.has(spot))) {
          missing.add(`${command?.game.value?.kind.case}: ${own.join(" ")}`);
        }
      }
    }
    expect([...missing]).toEqual([]);
    expect(options).toBeGreaterThan(2000);
  }, 300_000);

  test("has a card with a text and a rule for everything that it has drawn", () => {
    const without = [...seen].filter(([spot, { view }]) => {
      if (spot.startsWith("shown:")) return false; // a card that lies elsewhere too
      const card = board.card(spot, view, components);
      return !card || card.title === "" || card.text === "" || card.rules.length === 0;
    });
    expect(without.map(([spot]) => spot)).toEqual([]);
  });
});

afterAll(() => expect([...faults]).toEqual([]));

/** Return what the group of a pattern matches. */
function found(drawing: string, pattern: RegExp): Set<string> {
  return new Set([...drawing.matchAll(pattern)].map(([, one = ""]) => one));
}

/** Draw a moment as its seat sees it, with all of its options live. */
function drawn(board: GameBoard, { view, decision }: Moment, components: Components): string {
  const options = decision?.options ?? [];
  const live = new Set(
    options.flatMap(({ command }) => (command ? board.spotsOf(command, view, decision) : [])),
  );
  const names = ["Ada", "Bo", "Cleo", "Dag", "Eir", "Finn"];
  const ignore = (): void => undefined;
  return renderToString(
    <board.Board
      view={view}
      components={components}
      names={names}
      decision={decision}
      live={live}
      onSpot={ignore}
      onInspect={ignore}
    />,
  );
}
