import type { JSX } from "preact";

/** A small drawing for a game; one of its own for a game that the page does not know. */
export function Emblem({ game }: { game: string }) {
  return (
    <svg class="emblem" viewBox="0 0 96 96" aria-hidden="true">
      <rect width="96" height="96" rx="16" class="emblem-ground" />
      {DRAWINGS[game] ?? UNKNOWN}
    </svg>
  );
}

const UNKNOWN = <path class="emblem-line" d="M24 66V40l24-18 24 18v26M36 66V50h24v16" />;

const DRAWINGS: Readonly<Record<string, JSX.Element>> = {
  yggdrasil: (
    <>
      <circle class="emblem-glow" cx="48" cy="36" r="26" />
      <path
        class="emblem-line"
        d="M48 80V40m0 20L30 44m18 8 16-14M48 80c-8-6-16-6-24-4m24 4c8-6 16-6 24-4M30 44l-8-2m8 2 2-10m32 4 8-4m-8 4-2-10M48 40l-6-12m6 12 6-14"
      />
    </>
  ),
  ice_garden: (
    <>
      <path class="emblem-glow" d="M48 14 76 34v28L48 82 20 62V34Z" />
      <path
        class="emblem-line"
        d="M48 14v68M20 34l56 28M76 34 20 62M48 14 76 34v28L48 82 20 62V34ZM36 25l12 10 12-10M36 71l12-10 12 10"
      />
    </>
  ),
  champions: (
    <>
      <path class="emblem-glow" d="M14 54h68c-4 14-14 22-34 22S18 68 14 54Z" />
      <path
        class="emblem-line"
        d="M14 54h68c-4 14-14 22-34 22S18 68 14 54Zm34 0V16m0 2c14 2 22 10 24 26H48M48 18c-14 2-22 10-24 26h24M14 54c-2-6-4-8-6-8m74 8c2-6 4-8 6-8"
      />
    </>
  ),
};
