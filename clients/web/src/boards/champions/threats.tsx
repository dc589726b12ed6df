import type { PublicView } from "taflhall/gen/champions/v1/champions";
import { Post } from "taflhall/gen/champions/v1/champions";

import { Panel, Thing, useBoard } from "../kit/board";
import { SeatMark } from "../kit/parts";
import { words } from "../kit/words";
import { Crew, EnemyCard } from "./parts";
import { enemyAt, enemyText, postId, types } from "./state";

/** CM-5.18 The troll and the draugr, with those who have reserved the fights. */
export function Threats({ view }: { view: PublicView }) {
  return (
    <Panel name="threats" title={words("boards-threats")} width={360} height={124}>
      {[Post.TROLL, Post.DRAUGR_LEFT, Post.DRAUGR_RIGHT].map((post, index) => (
        <Threat key={post} view={view} post={post} x={4 + index * 119} />
      ))}
    </Panel>
  );
}

function Threat({ view, post, x }: { view: PublicView; post: Post; x: number }) {
  const { lookup } = useBoard();
  const enemy = enemyAt(view, post);
  const name = enemy ? enemyText(lookup, ...enemy) : words("boards-no-enemy");
  return (
    <Thing
      spot={`post:${postId(post)}`}
      label={`${lookup.label("post", post)}: ${name}`}
      area={{ x, y: 2, width: 114, height: 120 }}
    >
      {enemy ? (
        <EnemyCard kind={enemy[0]} number={enemy[1]} x={x} y={2} width={114} />
      ) : (
        <rect class="empty" x={x} y={2} width={114} height={82} rx={6} />
      )}
      <Fighters view={view} post={post} x={x + 4} y={104} />
    </Thing>
  );
}

/** Who fights at a post, and with which warriors. */
export function Fighters({
  view,
  post,
  x,
  y,
}: {
  view: PublicView;
  post: Post;
  x: number;
  y: number;
}) {
  const place = view.posts[post - 1];
  if (place?.seat === undefined) return null;
  return (
    <g class={view.post === post ? "fighting" : undefined}>
      <SeatMark seat={place.seat} x={x + 9} y={y} size={20} />
      <Crew crew={types(place.crew)} x={x + 23} y={y} size={15} />
    </g>
  );
}
