"""IG-10.9 to IG-10.21 Locking a region, step by step."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden import events
from taflhall_engine.ice_garden.effects import (
    fulfil,
    move_influence,
    move_reserves,
    release_region,
    remove_neutral,
    return_influence,
    return_unit,
)
from taflhall_engine.ice_garden.ids import (
    CALLO,
    FAUN,
    FIGURE_COUNT,
    LOCK_TOKEN,
    NIGHTMARE_TOKEN,
    NONE,
    REGION_COUNT,
)
from taflhall_engine.ice_garden.influence import (
    acting,
    figure_in,
    is_open,
    lowest_tile,
    open_neighbours,
)
from taflhall_engine.ice_garden.rules.base import CLOSED, Choice
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, Refusal, Step, schedule
from taflhall_engine.kernel.shared_lists import replaced


def lock(s: IceGardenTable, region: int) -> None:
    """IG-10.9 to IG-10.15 Begin to lock a region: units leave, then markers, then the seal."""
    keeper = figure_in(s, FAUN, region)
    for figure in range(FIGURE_COUNT):
        if s.figure_at[figure] == region and figure != keeper:
            return_unit(s, "IG-10.9", figure)
    release_region(s, "IG-10.12", region)
    leaving = s.influence[CALLO * REGION_COUNT + region] // 2
    steps: list[Step[IceGardenTable]] = [MarkersLeave(CALLO, region, leaving)]
    for faction in acting(s):
        if faction != CALLO:
            steps.append(
                MarkersLeave(faction, region, s.influence[faction * REGION_COUNT + region])
            )
    steps.append(Seal(region))
    schedule(s, steps)


@final
class MarkersLeave(Step[IceGardenTable]):
    """IG-10.10, IG-10.11 A player's markers move one by one to adjacent open regions.

    IG-10.16 Without such a region they return to their owner; IG-16.15 the NPC's go to the
    lowest tile number.
    """

    RULE = "IG-10.10"

    def __init__(self, faction: int, region: int, left: int) -> None:
        self.faction: Final = faction
        self.region: Final = region
        self.left: Final = left

    def run(self, s: IceGardenTable) -> None:
        if self.left == 0:
            return
        near = open_neighbours(s, self.region)
        if not near:
            return_influence(s, "IG-10.16", self.faction, self.region, self.left)
        elif self.faction == s.options.npc:
            to = lowest_tile(s, near)
            for _ in range(self.left):
                move_influence(s, "IG-16.15", self.faction, self.region, to)
        else:
            s.agenda.append(MarkersLeave(self.faction, self.region, self.left - 1))
            s.agenda.append(LockRedistribute(s.options.seat_of[self.faction], self.region))


@final
class Redistribute(Command[IceGardenTable]):
    """IG-10.11, IG-10.12 The marker moves there and is free."""

    RULE = "IG-10.11"

    def __init__(self, to: int) -> None:
        self.to: Final = to

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        return None if is_open(s, self.to) else CLOSED

    def perform(self, s: IceGardenTable, seat: int) -> None:
        move_influence(s, "IG-10.11", s.options.factions[seat], s.resolving, self.to)


@final
class LockRedistribute(Choice):
    """IG-10.10, IG-10.11 Choose an adjacent open region for one of your markers."""

    RULE = "IG-10.10"
    answers_with = (Redistribute,)

    def __init__(self, seat: int, region: int) -> None:
        super().__init__(seat)
        self.region: Final = region

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        offers: list[Command[IceGardenTable]] = []
        for to in s.components.adjacent[self.region]:
            if s.tile[to] != 0:
                offers.append(REDISTRIBUTE[to])
        return offers


@final
class Seal(Step[IceGardenTable]):
    """IG-10.13 to IG-10.15 Neutral markers leave, the lock token comes, reserves move."""

    RULE = "IG-10.13"

    def __init__(self, region: int) -> None:
        self.region: Final = region

    def run(self, s: IceGardenTable) -> None:
        region = self.region
        remove_neutral(s, "IG-10.13", region, s.neutral[region])
        s.bank[NIGHTMARE_TOKEN] += s.nightmares[region]
        s.nightmares[region] = 0
        s.bank[LOCK_TOKEN] -= 1
        s.locked = replaced(s.locked, region, 1)
        s.locks += 1
        if s.journal is not None:
            s.journal.append(events.RegionLocked("IG-10.14", region))
        while s.reserves_up[region] + s.reserves_down[region] > 0:
            to = _refuge(s, region)
            if to == NONE:
                break
            move_reserves(s, "IG-10.15", region, to, False)
        if s.locks >= s.components.goal[CALLO]:
            fulfil(s, "IG-10.7", CALLO)


def _refuge(s: IceGardenTable, region: int) -> int:
    """IG-10.15 Adjacent without Thorn and reserve; else anywhere; else without Thorn."""
    everywhere = [r for r in range(REGION_COUNT) if is_open(s, r) and r != s.thorn]
    free = [r for r in everywhere if s.reserves_up[r] + s.reserves_down[r] == 0]
    near = [r for r in s.components.adjacent[region] if r in free]
    if near:
        return lowest_tile(s, near)
    return lowest_tile(s, free or everywhere)


REDISTRIBUTE: Final[list[Command[IceGardenTable]]] = [
    Redistribute(to) for to in range(REGION_COUNT)
]
