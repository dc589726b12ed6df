// Plays matches at random for a while, by calls or over Play, and counts the answers.
import type { Client, Decision, Match } from "taflhall/node";
import { MatchStatus } from "taflhall/node";

export async function bench(
  client: Client,
  mode: "calls" | "play",
  parallel: number,
  seconds: number,
): Promise<object> {
  let answers = 0;
  const stop = new AbortController();
  const { signal } = stop;
  const choose = ({ options }: Decision): number => {
    answers += 1;
    return Math.floor(Math.random() * options.length);
  };

  async function byCalls(seat: Match): Promise<void> {
    let decision = await seat.decision({ signal });
    while (decision !== undefined) {
      const done = await seat.submit(choose(decision), { decision: decision.id, signal });
      if (done.status !== MatchStatus.PLAYING) return;
      decision = done.decision?.options.length ? done.decision : await seat.decision({ signal });
    }
  }

  async function playOn(): Promise<void> {
    for (;;) {
      const setup = { game: "yggdrasil", seats: 2 };
      const match = await client.create(setup, { startWhenFull: true, signal });
      const seat = await match.join("Bench", { seats: [0, 1], kind: "bot", signal });
      if (mode === "play") await seat.play(choose, { withoutView: true, signal });
      else await byCalls(seat);
    }
  }

  const began = performance.now();
  const timer = setTimeout(() => stop.abort(), seconds * 1000);
  const players = Array.from({ length: parallel }, playOn);
  await Promise.all(players).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  await Promise.allSettled(players);
  clearTimeout(timer);
  return { answers, seconds: (performance.now() - began) / 1000 };
}
