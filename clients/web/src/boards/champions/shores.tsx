import type { PublicView } from "taflhall/gen/champions/v1/champions";
import { LeftmostShore, Location, NearShores, Post } from "taflhall/gen/champions/v1/champions";

import { Panel, Thing, useBoard } from "../kit/board";
import { Count, Icon, Label, Tile } from "../kit/parts";
import { capital, words } from "../kit/words";
import { EnemyCard } from "./parts";
import { enemyAt, enemyText, journeyId, locationId, postId, privateOf } from "./state";
import { JOURNEYS } from "./symbols";
import { Fighters } from "./threats";

const SHORES = [1, 2, 3, 4];

/** CM-9.1 Whether a shore is near. */
function isNear(view: PublicView, shore: number): boolean {
  return view.nearShores === NearShores.LEFT ? shore <= 2 : shore >= 3;
}

/** CM-9.1 Whether a shore is in play. */
function isOpen(view: PublicView, shore: number): boolean {
  const closedWithFour = view.leftmostShore !== LeftmostShore.ONLY_WITH_FOUR;
  return shore > 1 || (view.seats.length === 4) !== closedWithFour;
}

/** CM-9 The shores: monster, journey, longship, crew and food; below them the ships in the harbour. */
export function Shores({ view }: { view: PublicView }) {
  return (
    <Panel name="shores" title={words("boards-shores")} width={360} height={4 * 92 + 60}>
      <rect class="water" x={0} y={0} width={360} height={4 * 92 + 60} rx={8} />
      {SHORES.map((shore) => (
        <Shore key={shore} view={view} shore={shore} y={2 + (shore - 1) * 92} />
      ))}
      <Harbour view={view} y={4 * 92 + 4} />
    </Panel>
  );
}

function Shore({ view, shore, y }: { view: PublicView; shore: number; y: number }) {
  const { lookup } = useBoard();
  const post = (Post.SHORE_1 + shore - 1) as Post;
  const enemy = enemyAt(view, post);
  const place = view.posts[post - 1];
  const open = isOpen(view, shore);
  const name = words("boards-shore", { shore });
  const label = open
    ? `${name}: ${enemy ? enemyText(lookup, ...enemy) : words("boards-no-enemy")}`
    : `${name}, ${words("boards-closed")}`;
  return (
    <Thing spot={`post:${postId(post)}`} label={label} area={{ x: 2, y, width: 356, height: 88 }}>
      <Label x={10} y={y + 16} anchor="start" size={12} class="strong">
        {name}
      </Label>
      <Label x={10} y={y + 32} anchor="start" size={10} class="dim" width={84}>
        {open ? words(isNear(view, shore) ? "boards-near" : "boards-far") : words("boards-closed")}
      </Label>
      <JourneyCard view={view} shore={shore} x={10} y={y + 38} />
      {place?.location ? (
        <g>
          <Icon name="ship" x={120} y={y + 30} size={46} class="ship" />
          <Fighters view={view} post={post} x={66} y={y + 66} />
          <Count name="food" x={158} y={y + 30} count={place.food} size={16} />
        </g>
      ) : (
        open && <path class="line harbour" d={`M90 ${y + 70}h64M122 ${y + 70}v-24`} />
      )}
      {enemy ? (
        <EnemyCard
          kind={enemy[0]}
          number={enemy[1]}
          x={206}
          y={y + 3}
          width={148}
          bounty={view.bounties[shore - 1] ?? 0}
        />
      ) : (
        <rect class="empty" x={206} y={y + 3} width={148} height={82} rx={6} />
      )}
    </Thing>
  );
}

/** The journey of a shore: face down, seen by the viewer alone, face up, or none. */
function JourneyCard({
  view,
  shore,
  x,
  y,
}: {
  view: PublicView;
  shore: number;
  x: number;
  y: number;
}) {
  const { lookup, props } = useBoard();
  const space = view.journeySpaces[shore - 1];
  const seen = privateOf(props.view)?.known[shore - 1] ?? 0;
  const journey = journeyId(space?.journey || seen);
  if (!space || (!space.faceDown && !space.journey))
    return <rect class="empty" x={x} y={y} width={40} height={44} rx={4} />;
  if (!journey) {
    return (
      <g>
        <rect class="back" x={x} y={y} width={40} height={44} rx={4} />
        <Icon name="compass" x={x + 20} y={y + 22} size={24} class="back-icon" />
      </g>
    );
  }
  return (
    <Tile x={x} y={y} width={40} height={44} class={space.faceDown ? "seen" : ""}>
      <Icon name={JOURNEYS[journey] ?? "compass"} x={x + 20} y={y + 17} size={22} class="place" />
      <Label x={x + 20} y={y + 39} size={9} width={38}>
        {lookup.name("journey", journey)}
      </Label>
    </Tile>
  );
}

/** The public longships that have not sailed, with their capacities, and the viewer's own. */
function Harbour({ view, y }: { view: PublicView; y: number }) {
  const { lookup } = useBoard();
  const ships = [
    {
      location: Location.SHIP_SMALL,
      capacity: lookup.number("public_longship", "public_small", "capacity"),
    },
    {
      location: Location.SHIP_LARGE,
      capacity: lookup.number("public_longship", "public_large", "capacity"),
    },
    { location: Location.SHIP_PRIVATE, capacity: 0 },
  ];
  return (
    <g>
      {ships.map(({ location, capacity }, index) => {
        const id = locationId(location);
        const sailed = view.posts.some((post) => post.location === location);
        const x = 4 + index * 119;
        return (
          <Thing
            key={location}
            spot={`location:${id}`}
            label={lookup.name("location", id)}
            area={{ x, y, width: 114, height: 48 }}
          >
            <Tile x={x} y={y} width={114} height={48} class={sailed && capacity > 0 ? "sunk" : ""}>
              <Icon
                name="ship"
                x={x + 18}
                y={y + 20}
                size={28}
                class={sailed && capacity > 0 ? "none" : "ship"}
              />
              {capacity > 0 && (
                <Count name="worker" x={x + 46} y={y + 18} count={capacity} size={15} />
              )}
              {capacity > 0 && <Count name="coin" x={x + 84} y={y + 18} count={1} size={14} />}
              <Label x={x + 57} y={y + 43} size={9.5} width={108}>
                {capital(lookup.label("location", location))}
              </Label>
            </Tile>
          </Thing>
        );
      })}
    </g>
  );
}
