import type { PublicView } from "taflhall/gen/yggdrasil/v1/yggdrasil";

import { Panel, Thing } from "../kit/board";
import { Icon, Label, Lines } from "../kit/parts";
import { words } from "../kit/words";

/** The symbols of the effects of the five spaces. */
const EFFECTS = ["valkyries", "helmet", "eye", "exchange", "giant"] as const;

/** YG-7.9 The track of Vanaheim: the Vanir and the effects that it can use. */
export function Vanir({ view }: { view: PublicView }) {
  return (
    <Panel name="vanir" title={words("boards-vanir")} width={360} height={92}>
      {EFFECTS.map((symbol, index) => {
        const space = index + 1;
        const x = 4 + index * 71;
        const text = words(`boards-vanir-${space}`);
        const reached = view.vanir >= space;
        return (
          <Thing
            key={space}
            spot={`vanir:${space}`}
            label={words("boards-vanir-space", { space, effect: text })}
            area={{ x, y: 4, width: 67, height: 84 }}
          >
            <rect
              class={reached ? "tile-face" : "slot"}
              x={x}
              y={4}
              width={67}
              height={84}
              rx={6}
            />
            {view.vanir === space ? (
              <Icon name="sun" x={x + 19} y={24} size={28} class="vanir" />
            ) : (
              <Label x={x + 10} y={18} size={12} class="dim number">
                {space}
              </Label>
            )}
            <Icon name={symbol} x={x + 47} y={22} size={20} class={reached ? "sym" : "none"} />
            <Lines x={x + 33} y={54} width={65} size={10} lines={3} class={reached ? "" : "dim"}>
              {text}
            </Lines>
          </Thing>
        );
      })}
    </Panel>
  );
}
