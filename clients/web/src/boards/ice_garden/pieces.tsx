import type { PublicView, Region } from "taflhall/gen/ice_garden/v1/ice_garden";

import { Thing, useBoard } from "../kit/board";
import { Icon, Label, SeatMark } from "../kit/parts";
import { words } from "../kit/words";
import { FigureChip } from "./figures";
import { corner } from "./places";
import { FACTIONS, factionId, figuresIn, markOf, playerOf, regionId } from "./state";

/** The pieces in a region: neutral markers, influence markers and figures. */
export function Pieces({ view, region }: { view: PublicView; region: Region }) {
  const state = view.regions[region - 1];
  const [x, y] = corner(region);
  if (!state) return null;
  const id = regionId(region);
  const owners = FACTIONS.filter(
    (faction) => playerOf(view, faction) && (state.influence[faction - 1] ?? 0) > 0,
  );
  const figures = figuresIn(view, region);
  const perRow = figures.length > 8 ? 7 : 4;
  const size = figures.length > 8 ? 14.5 : 25;
  return (
    <g>
      {state.neutral > 0 && (
        <Thing
          spot={`neutral:${id}`}
          label={words("boards-neutral", { count: state.neutral })}
          area={{ x: x + 3, y: y + 41, width: 20, height: 20, round: 10 }}
        >
          <circle class="neutral" cx={x + 13} cy={y + 51} r={8.5} />
          <Label x={x + 13} y={y + 55} size={11} class="number">
            {state.neutral}
          </Label>
        </Thing>
      )}
      {owners.map((faction, index) => (
        <Influence
          key={faction}
          view={view}
          region={region}
          faction={faction}
          x={x + 25 + index * 22}
          y={y + 41}
        />
      ))}
      {figures.map(({ faction, figure }, index) => (
        <FigureChip
          key={figure.figure}
          view={view}
          faction={faction}
          figure={figure}
          x={x + 4 + (index % perRow) * (size + 2)}
          y={y + 63 + Math.floor(index / perRow) * (size + 1)}
          size={size}
        />
      ))}
    </g>
  );
}

/** The influence markers of a faction in a region; those behind Vuko are counted below. */
function Influence(props: {
  view: PublicView;
  region: Region;
  faction: number;
  x: number;
  y: number;
}) {
  const { view, region, faction, x, y } = props;
  const { lookup } = useBoard();
  const state = view.regions[region - 1];
  const count = state?.influence[faction - 1] ?? 0;
  const controlled = state?.controlled[faction - 1] ?? 0;
  const label = words("boards-influence", {
    name: lookup.name("faction", factionId(faction)),
    count,
    controlled,
  });
  return (
    <Thing
      spot={`influence:${factionId(faction)}:${regionId(region)}`}
      label={label}
      area={{ x, y, width: 20, height: 20, round: 5 }}
    >
      <SeatMark seat={markOf(view, faction)} x={x + 10} y={y + 10} size={20}>
        {count}
      </SeatMark>
      {controlled > 0 && (
        <g class="controlled">
          <Icon name="vuko" x={x + 17} y={y + 17} size={9} />
          {controlled < count && (
            <Label x={x + 22} y={y + 21} size={8} class="number">
              {controlled}
            </Label>
          )}
        </g>
      )}
    </Thing>
  );
}
