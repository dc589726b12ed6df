import { create } from "@bufbuild/protobuf";
import { MatchClocksSchema } from "taflhall/gen/v1/match";
import type { SeatClock } from "taflhall/gen/v1/match";
import { describe, expect, test } from "vitest";

import { ServerClock, clockText, faceOf, readClocks } from "../../src/table/model/clock";

const AT = 1_800_000_000;

/** Clocks made at AT: a minute left, with a deadline if they run. */
function clocks(fields: { running: boolean; paused?: boolean }) {
  return create(MatchClocksSchema, {
    readTime: { seconds: BigInt(AT) },
    seats: [
      {
        remaining: { seconds: 60n },
        paused: fields.paused ?? false,
        ...(fields.running && { deadline: { seconds: BigInt(AT + 60) } }),
      },
    ],
  });
}

function seatOf(message: ReturnType<typeof clocks>): SeatClock {
  const [seat] = message.seats;
  if (seat === undefined) throw new Error("there is no clock");
  return seat;
}

describe("a clock", () => {
  test("shows the time that is left by the store, whatever this machine's clock says", () => {
    for (const offMs of [0, 90_000, -90_000, 3_600_000]) {
      const server = new ServerClock();
      const message = clocks({ running: true });
      const arrived = AT * 1000 + offMs;
      readClocks(message, server, arrived);
      expect(faceOf(seatOf(message), server, arrived).leftMs).toBe(60_000);
      expect(faceOf(seatOf(message), server, arrived + 25_000).leftMs).toBe(35_000);
    }
  });

  test("never shows less than nothing", () => {
    const server = new ServerClock();
    const message = clocks({ running: true });
    readClocks(message, server, AT * 1000);
    expect(faceOf(seatOf(message), server, AT * 1000 + 90_000)).toEqual({ leftMs: 0, running: true });
  });

  test("stands while nothing is asked of the seat, and while it is paused", () => {
    for (const message of [clocks({ running: false }), clocks({ running: true, paused: true })]) {
      const server = new ServerClock();
      readClocks(message, server, AT * 1000);
      expect(faceOf(seatOf(message), server, AT * 1000 + 20_000)).toEqual({ leftMs: 60_000, running: false });
    }
  });

  test("takes the quickest of the latest messages: the others were under way for longer", () => {
    const server = new ServerClock();
    server.sample(1000, 1400);
    server.sample(2000, 2050);
    server.sample(3000, 3700);
    expect(server.now(4050)).toBe(4000);
  });

  test("follows a machine whose clock is set", () => {
    const server = new ServerClock();
    server.sample(1000, 1000);
    server.sample(2000, 602_000);
    expect(server.now(603_000)).toBe(3000);
  });

  test.each([
    [4_520, "4.5"],
    [59_999, "0:59"],
    [61_000, "1:01"],
    [3_661_000, "1:01:01"],
  ])("writes %i ms as %s", (ms, written) => {
    expect(clockText(ms)).toBe(written);
  });
});
