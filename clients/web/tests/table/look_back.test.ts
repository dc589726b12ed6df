import { describe, expect, test } from "vitest";

import { Moments, stepped } from "../../src/table/model/look_back";

describe("looking back", () => {
  test("steps from revision to revision, and ends at the match as it is", () => {
    expect(stepped(undefined, -1, 8)).toBe(7);
    expect(stepped(7, 1, 8)).toBeUndefined();
    expect(stepped(0, -1, 8)).toBe(0);
    expect(stepped(3, 1, 8)).toBe(4);
  });

  test("loads each moment once, and one that failed again", async () => {
    const loaded: number[] = [];
    let fails = true;
    const moments = new Moments(async (revision) => {
      loaded.push(revision);
      if (revision === 2 && fails) throw new Error("lost");
      return { events: [] } as never;
    });
    await moments.at(1);
    await moments.at(1);
    await moments.at(2).catch(() => undefined);
    fails = false;
    await moments.at(2);
    expect(loaded).toEqual([1, 2, 2]);
  });

  test("keeps a bounded number of moments", async () => {
    const loaded: number[] = [];
    const moments = new Moments(async (revision) => (loaded.push(revision), {} as never), 2);
    for (const revision of [1, 2, 3, 1]) await moments.at(revision);
    expect(loaded).toEqual([1, 2, 3, 1]);
  });
});
