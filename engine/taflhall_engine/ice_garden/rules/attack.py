"""IG-7.11 to IG-7.18 Activation: attack, damage, removal. IG-16.10 the NPC's attack."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden.effects import (
    damage,
    defeat,
    remove_damage,
    remove_neutral,
    return_influence,
    return_unit,
    score,
    spend,
)
from taflhall_engine.ice_garden.ids import (
    ATTACK,
    FACTION_COUNT,
    FIGURE_COUNT,
    FIGURE_UNIT,
    FIGURES_EACH,
    FIRST_MARKER,
    FIRST_TARGET,
    GOLD,
    NEUTRAL,
    NONE,
    REGION_COUNT,
    SHIELD,
    TARGET_COUNT,
)
from taflhall_engine.ice_garden.influence import (
    acting,
    affordable,
    human,
    is_open,
    region_of,
    represented,
    symbols,
)
from taflhall_engine.ice_garden.rules.answers import DONE, FORGO, Done, Forgo
from taflhall_engine.ice_garden.rules.base import CANNOT_PAY, Choice
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, Refusal, Step, schedule

NO_TARGET: Final = Refusal("IG-7.11", "no_target")


@final
class AttackStep(Step[IceGardenTable]):
    """IG-7.11 In turn order, then IG-7.18 the defeated units are removed."""

    RULE = "IG-7.11"

    def run(self, s: IceGardenTable) -> None:
        turns: list[Step[IceGardenTable]] = [AttackTurn(faction) for faction in acting(s)]
        turns.append(RemoveDefeated())
        schedule(s, turns)


@final
class AttackTurn(Step[IceGardenTable]):
    """IG-7.11 A player may pay for attacking once; the NPC always attacks, free of charge."""

    RULE = "IG-7.11"

    def __init__(self, faction: int) -> None:
        self.faction: Final = faction

    def run(self, s: IceGardenTable) -> None:
        if self.faction == s.options.npc:
            _npc_attacks(s)
        else:
            s.agenda.append(AttackDeclare(s.options.seat_of[self.faction]))


def attack_value(s: IceGardenTable, faction: int, region: int) -> int:
    """IG-7.12 The attack symbols of all a player's units there, defeated ones included."""
    points = 0
    for figure in range(faction * FIGURES_EACH, (faction + 1) * FIGURES_EACH):
        if s.figure_at[figure] == region:
            points += symbols(s, FIGURE_UNIT[figure], ATTACK)
    return points


def targets(s: IceGardenTable, faction: int, region: int) -> list[int]:
    """IG-7.13 Neutral and other players' markers and standing units; equal ones once."""
    found: list[int] = []
    if s.neutral[region] > 0:
        found.append(NEUTRAL)
    for other in range(FACTION_COUNT):
        if other != faction and s.influence[other * REGION_COUNT + region] > 0:
            found.append(FIRST_MARKER + other)
    for figure in range(FIGURE_COUNT):
        if (
            s.figure_at[figure] == region
            and figure // FIGURES_EACH != faction
            and not s.defeated >> figure & 1
            and not represented(s, figure, s.defeated)
        ):
            found.append(FIRST_TARGET + figure)
    return found


@final
class Attack(Command[IceGardenTable]):
    """IG-7.11 Pay once for all units in all regions."""

    RULE = "IG-7.11"

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        faction = s.options.factions[seat]
        if not affordable(s, faction, GOLD, s.components.attack_cost):
            return CANNOT_PAY
        for region in range(REGION_COUNT):
            if (
                is_open(s, region)
                and attack_value(s, faction, region) > 0
                and targets(s, faction, region)
            ):
                return None
        return NO_TARGET

    def perform(self, s: IceGardenTable, seat: int) -> None:
        faction = s.options.factions[seat]
        spend(s, "IG-7.11", faction, GOLD, s.components.attack_cost)
        for region in range(REGION_COUNT):
            points = 0
            if is_open(s, region):
                points = attack_value(s, faction, region)
            s.attack[region] = points
        s.agenda.append(AttackEnd())
        s.agenda.append(AttackHit(seat))


@final
class AttackDeclare(Choice):
    """IG-7.11 Pay 2 gold so that all your units in all regions attack, or pass."""

    RULE = "IG-7.11"
    answers_with = (Attack, Forgo)

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return DECLARE


@final
class AttackEnd(Step[IceGardenTable]):
    """IG-7.14 Points that are left are lost."""

    RULE = "IG-7.14"

    def run(self, s: IceGardenTable) -> None:
        for region in range(REGION_COUNT):
            s.attack[region] = 0


@final
class Hit(Command[IceGardenTable]):
    """IG-7.14 One point of damage on a target in a region."""

    RULE = "IG-7.14"

    def __init__(self, region: int, target: int) -> None:
        self.region: Final = region
        self.target: Final = target

    def perform(self, s: IceGardenTable, seat: int) -> None:
        faction = s.options.factions[seat]
        s.attack[self.region] -= 1
        if self.target >= FIRST_TARGET:
            strike(s, faction, self.target - FIRST_TARGET, 1)
        else:
            _take_marker(s, faction, self.region, self.target)


@final
class AttackHit(Choice):
    """IG-7.14 Deal one point, in any order over regions, or stop."""

    RULE = "IG-7.14"
    answers_with = (Hit, Done)

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        offers: list[Command[IceGardenTable]] = []
        for region in range(REGION_COUNT):
            if s.attack[region] > 0:
                for target in targets(s, s.options.factions[seat], region):
                    offers.append(HIT[region * TARGET_COUNT + target])
        offers.append(DONE)
        return offers

    def resolve(self, s: IceGardenTable, seat: int, command: Command[IceGardenTable]) -> None:
        command.perform(s, seat)
        if not isinstance(command, Done):
            s.agenda.append(AttackHit(seat))


def needed(s: IceGardenTable, figure: int) -> int:
    """IG-7.14 Points still missing to defeat a unit: level and shields, less the damage."""
    unit = FIGURE_UNIT[figure]
    return s.components.level[unit] + symbols(s, unit, SHIELD) - s.damage[figure]


def strike(s: IceGardenTable, faction: int, figure: int, points: int) -> None:
    """IG-7.15, IG-7.16 The dealer of the last point defeats the unit and scores its level."""
    damage(s, "IG-7.14", figure, points)
    if needed(s, figure) <= 0:
        defeat(s, "IG-7.17", figure, faction)
        score(s, "IG-7.16", faction, s.components.level[FIGURE_UNIT[figure]])


def _take_marker(s: IceGardenTable, faction: int, region: int, target: int) -> None:
    """IG-7.14, IG-7.17 One point defeats a marker; it is gone at once, for 1 point."""
    if target == NEUTRAL:
        remove_neutral(s, "IG-7.17", region, 1)
        score(s, "IG-7.16", faction, s.components.neutral_points)
    else:
        return_influence(s, "IG-7.17", target - FIRST_MARKER, region, 1)
        score(s, "IG-7.16", faction, s.components.marker_points)


def _npc_attacks(s: IceGardenTable) -> None:
    """IG-16.10 By ascending tile number: the human's units, then markers, then neutral markers."""
    npc = s.options.npc
    for tile in range(1, s.components.tiles[s.options.players] + 1):
        region = region_of(s, tile)
        if region == NONE or not is_open(s, region):
            continue
        points = attack_value(s, npc, region)
        while points > 0:
            victim = _npc_victim(s, region, points)
            if victim == NONE:
                break
            points -= needed(s, victim)
            strike(s, npc, victim, needed(s, victim))
        while points > 0:
            if s.influence[human(s) * REGION_COUNT + region] > 0:
                _take_marker(s, npc, region, FIRST_MARKER + human(s))
            elif s.neutral[region] > 0:
                _take_marker(s, npc, region, NEUTRAL)
            else:
                break
            points -= 1


def _npc_victim(s: IceGardenTable, region: int, points: int) -> int:
    """IG-16.10 The highest level; then the fewest points needed; then the lowest figure."""
    best = NONE
    first = human(s) * FIGURES_EACH
    for figure in range(first, first + FIGURES_EACH):
        if s.figure_at[figure] != region or s.defeated >> figure & 1 or needed(s, figure) > points:
            continue
        if best == NONE:
            best = figure
            continue
        level = s.components.level[FIGURE_UNIT[figure]]
        best_level = s.components.level[FIGURE_UNIT[best]]
        if level > best_level or (level == best_level and needed(s, figure) < needed(s, best)):
            best = figure
    return best


@final
class RemoveDefeated(Step[IceGardenTable]):
    """IG-7.18 Every defeated figure returns to its owner; all damage disappears."""

    RULE = "IG-7.18"

    def run(self, s: IceGardenTable) -> None:
        for figure in range(FIGURE_COUNT):
            if s.defeated >> figure & 1:
                return_unit(s, "IG-7.18", figure)
        remove_damage(s, "IG-7.18")


DECLARE: Final[list[Command[IceGardenTable]]] = [Attack(), FORGO]
HIT: Final[list[Command[IceGardenTable]]] = [
    Hit(region, target) for region in range(REGION_COUNT) for target in range(TARGET_COUNT)
]
