import type { PublicView } from "taflhall/gen/champions/v1/champions";
import { Enemy, Face, Post } from "taflhall/gen/champions/v1/champions";

import { Panel, Thing, useBoard } from "../kit/board";
import { idOf } from "../kit/lookup";
import { Count, Icon, Label, SeatMark, Tile } from "../kit/parts";
import { words } from "../kit/words";
import { Crew, EnemyCard } from "./parts";
import { enemyAt, privateOf, types, warriorId } from "./state";
import { WARRIORS } from "./symbols";

/** CM-8 The fight, voyage or hunt that is going on: the enemy, the damage so far, the roll. */
export function Fight({ view }: { view: PublicView }) {
  const { props, lookup } = useBoard();
  if (view.post === Post.UNSPECIFIED && view.dice.length === 0) return null;
  const place = view.posts[view.post - 1];
  const enemy = view.kind === Enemy.KRAKEN ? undefined : enemyAt(view, view.post);
  const picked = privateOf(props.view)?.picked ?? [];
  const rows = Math.ceil(view.dice.length / 8);
  const rerolling = props.live.has("reroll");
  const top = view.post === Post.UNSPECIFIED ? 0 : 90;
  const where = lookup.label("post", view.post) || lookup.name("location", "hunting_grounds");
  return (
    <Panel
      name="fight"
      title={words("boards-fight", { place: where })}
      width={360}
      height={top + 2 + rows * 46 + (rerolling ? 36 : 0)}
    >
      {view.kind === Enemy.KRAKEN && (
        <Tile x={4} y={2} width={148} height={82}>
          <Icon name="kraken" x={78} y={36} size={52} class="enemy-picture" />
          <Label x={78} y={78} size={12} class="strong">
            {lookup.name("journey", "kraken")}
          </Label>
        </Tile>
      )}
      {enemy && <EnemyCard kind={enemy[0]} number={enemy[1]} x={4} y={2} width={148} />}
      {view.kind !== Enemy.UNSPECIFIED && (
        <Count
          name="burst"
          x={184}
          y={22}
          count={words("boards-damage", { damage: view.damage })}
          size={20}
        />
      )}
      {place?.seat !== undefined && (
        <g>
          <SeatMark seat={place.seat} x={184} y={56} size={22} />
          <Crew crew={types(place.crew)} x={202} y={56} />
        </g>
      )}
      {view.reaction && (
        <Count name="shield" x={324} y={22} count={words("boards-reaction")} size={18} />
      )}
      {view.dice.map((die, index) => {
        const warrior = warriorId(die.warrior);
        const face = idOf(Face, die.face);
        const x = 4 + (index % 8) * 44;
        const y = top + Math.floor(index / 8) * 46;
        const chosen = picked.filter(
          (one) => one.warrior === die.warrior && one.face === die.face,
        ).length;
        const before = view.dice
          .slice(0, index)
          .filter((one) => one.warrior === die.warrior && one.face === die.face).length;
        const label = `${lookup.label("warrior", die.warrior)}: ${lookup.label("face", die.face)}`;
        return (
          <Thing
            key={index}
            spot={`die:${warrior}:${face}`}
            label={label}
            area={{ x, y, width: 40, height: 40, round: 8 }}
          >
            <rect
              class={`warrior-die warrior-die-${warrior}`}
              x={x}
              y={y}
              width={40}
              height={40}
              rx={8}
            />
            <DieFace face={die.face} warrior={die.warrior} x={x + 20} y={y + 20} />
            {before < chosen && (
              <Icon name="exchange" x={x + 33} y={y + 33} size={14} class="picked" />
            )}
          </Thing>
        );
      })}
      {rerolling && (
        <Thing
          spot="reroll"
          label={words("boards-reroll")}
          area={{ x: 90, y: top + 2 + rows * 46, width: 180, height: 30, round: 15 }}
        >
          <Tile x={90} y={top + 2 + rows * 46} width={180} height={30} round={15}>
            <Icon name="favour" x={112} y={top + 17 + rows * 46} size={18} />
            <Label x={190} y={top + 22 + rows * 46} size={13} class="strong" width={136}>
              {words("boards-reroll")}
            </Label>
          </Tile>
        </Thing>
      )}
    </Panel>
  );
}

/** CM-2.3 A face of a warrior die: nothing, a weapon, two weapons or a shield. */
function DieFace({ face, warrior, x, y }: { face: Face; warrior: number; x: number; y: number }) {
  const ink = `on-die-${warriorId(warrior)}`;
  const weapon = WARRIORS[warrior] ?? "sword";
  switch (face) {
    case Face.HIT:
      return <Icon name={weapon} x={x} y={y} size={28} class={ink} />;
    case Face.DOUBLE:
      return (
        <g>
          <Icon name={weapon} x={x - 8} y={y} size={24} class={ink} />
          <Icon name={weapon} x={x + 8} y={y} size={24} class={ink} />
        </g>
      );
    case Face.SHIELD:
      return <Icon name="shield" x={x} y={y} size={26} class={ink} />;
    default:
      return null;
  }
}
