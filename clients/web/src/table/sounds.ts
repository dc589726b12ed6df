/** Sounds, off unless they are switched on: a knock for what happens, two tones for our own turn. */

let context: AudioContext | undefined;

const TONES = {
  happened: [[220, 0, 0.05]],
  turn: [
    [523, 0, 0.12],
    [784, 0.13, 0.2],
  ],
  over: [
    [392, 0, 0.15],
    [523, 0.16, 0.15],
    [659, 0.32, 0.3],
  ],
} as const;

/** Play a sound; silent where the browser has not let the page make any yet. */
export function play(sound: keyof typeof TONES): void {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  for (const [frequency, start, length] of TONES[sound]) {
    const from = context.currentTime + start;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.08, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + length);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + length);
  }
}
