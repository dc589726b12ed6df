/** Symbols by name: the outline of each in a square of 24 units. Holes are drawn even-odd. */
export type SymbolPaths = Readonly<Record<string, string>>;

/** Symbols that several games use. */
const SHARED: SymbolPaths = {
  sword: "M11 1h2l1 2v12h4v2h-5v4a1.5 1.5 0 1 1-2 0v-4H6v-2h4V3z",
  spear: "M12 1l4 8-3 1v13h-2V10L8 9z",
  axe: "M10 2h2.500v3c3-2 6-2 8 0-1 3-1 6 0 9-2 2-5 2-8 0v9H10z",
  shield: "M12 2c3 2 6 2.5 9 2.5 0 8-2 14-9 17.500C5 18.5 3 12.5 3 4.500c3 0 6-.5 9-2.500z",
  skull:
    "M12 2a9 9 0 0 0-9 9c0 4 2 5 3 7v3h3v-2h2v2h2v-2h2v2h3v-3c1-2 3-3 3-7a9 9 0 0 0-9-9zM8 10a2 2 0 1 0 .01 0zM16 10a2 2 0 1 0 .01 0z",
  crown: "M3 7l5 4 4-7 4 7 5-4-2 12H5zM5 20h14v2H5z",
  coin: "M12 2a10 10 0 1 0 .01 0zM12 5a7 7 0 1 1-.01 0zM12 8l4 4-4 4-4-4z",
  flame:
    "M12 1c1 4 6 6 6 12a6 6 0 0 1-12 1c0-2 1-4 2-5 0 2 1 3 2 3 0-4-1-7 2-11zM12 14c-1 1.5-2 2-2 4a2 2 0 0 0 4 0c0-1-0-2-2-4z",
  horn: "M2 8c6 1 10-1 12-6l8 5c-2 9-8 13-15 13-3 0-5-2-5-4 4 1 8 0 10-3-4 0-8-1-10-5z",
  hall: "M12 2L1 11h3v10h6v-6h4v6h6V11h3z",
  eye: "M1 12c5-9 17-9 22 0-5 9-17 9-22 0zM12 7.500a4.5 4.5 0 1 0 .01 0zM12 10a2 2 0 1 1-.01 0z",
  exchange: "M7 3L1 8l6 5v-3h10V6H7zM17 11v3H7v4h10v3l6-5z",
  ship: "M1 13c2 1 3 1 5 1h12c2 0 4-1 5-4l-1 6c-1 3-3 5-6 5H8c-4 0-6-3-7-8zM11 1h2v2c4 1 6 4 7 9h-7v1h-2v-1H4c1-5 3-8 7-9z",
  worker:
    "M12 2a4 4 0 0 1 3.5 6c3 .5 7 2 7 4.5 0 1.5-3 2-4.5 2l3 7.500h-6L12 18l-3 4H3l3-7.500c-1.5 0-4.5-.5-4.5-2C1.5 10 5.5 8.5 8.5 8A4 4 0 0 1 12 2z",
  helmet:
    "M2 3c0 5 2 7 4 8v3h12v-3c2-1 4-3 4-8-2 3-3 4-5 4.500A7 7 0 0 0 12 4a7 7 0 0 0-5 3.500C5 7 4 6 2 3zM6 15.500h5V22c-3-1-5-3.5-5-6.500zM13 15.500h5c0 3-2 5.5-5 6.500z",
  hammer: "M4 3h16v8h-6v10a2 2 0 0 1-4 0V11H4z",
  lock: "M7 10V7a5 5 0 0 1 10 0v3h2v12H5V10zM9 10h6V7a3 3 0 0 0-6 0zM11 14h2v4h-2z",
  mountain: "M1 21L9 5l4 7 3-4 7 13zM9 9l-2.5 5 2.5-1 2 1.500z",
  check: "M3 12l3-3 4 4L19 4l3 3-12 13z",
  cross: "M4 2l8 8 8-8 2 2-8 8 8 8-2 2-8-8-8 8-2-2 8-8-8-8z",
  star: "M12 1l3.2 7.3 7.8.8-5.9 5.2 1.8 7.700L12 18l-6.9 4 1.8-7.700L1 9.100l7.8-.8z",
  dragon:
    "M2 4c4 0 7 2 8 5 1-4 5-7 12-7-3 2-4 4-4 6 2 0 3 1 4 3-3-1-5 0-6 1 0 5-3 8-6 8l4 3h-4c-3-1-5-3-5-6 0-2 1-3 1-4-2-1-3-2-5-2 1-1 3-1 4-1C5 7 4 5 2 4z",
};

/** The definitions that {@link Icon} refers to. */
export function Symbols(props: { own: SymbolPaths }) {
  return (
    <svg class="symbols" aria-hidden="true" width="0" height="0">
      <defs>
        {Object.entries({ ...SHARED, ...props.own }).map(([name, path]) => (
          <symbol key={name} id={`sym-${name}`} viewBox="0 0 24 24">
            <path d={path} fill-rule="evenodd" />
          </symbol>
        ))}
        <pattern
          id="board-hatch"
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="2" height="6" class="hatch" />
        </pattern>
      </defs>
    </svg>
  );
}
