"""IG-7.2 to IG-7.5 Activation: the Maker-Spy."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden.effects import assign_spy
from taflhall_engine.ice_garden.ids import (
    FIRST_FIGURE,
    FREIHOFF,
    HARRASIM,
    NONE,
    PAIR_COUNT,
    PAIR_FIRST,
    PAIR_SECOND,
)
from taflhall_engine.ice_garden.rules.base import SUPPLY_EMPTY, Choice
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, Refusal, Step

SAME_PAIR: Final = Refusal("IG-7.3", "same_pair")


@final
class MakerSpy(Step[IceGardenTable]):
    """IG-7.2 If the Harrasim is on the map Freihoff may assign two symbols."""

    RULE = "IG-7.2"

    def run(self, s: IceGardenTable) -> None:
        seat = s.options.seat_of[FREIHOFF]
        if seat != NONE and s.figure_at[FIRST_FIGURE[HARRASIM]] != NONE:
            s.agenda.append(SpyAssign(seat))


@final
class AssignSpy(Command[IceGardenTable]):
    """IG-7.3, IG-7.4 Lay two symbols on the spy slots; those lying there return first."""

    RULE = "IG-7.3"

    def __init__(self, ability: int, other_ability: int) -> None:
        self.ability: Final = ability
        self.other_ability: Final = other_ability

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        if s.spy != NONE and s.spy == self.pair():
            return SAME_PAIR
        if _markers(s, self.ability) == 0 or _markers(s, self.other_ability) == 0:
            return SUPPLY_EMPTY
        return None

    def perform(self, s: IceGardenTable, seat: int) -> None:
        assign_spy(s, "IG-7.4", self.pair())

    def pair(self) -> int:
        """Return the number of the pair."""
        for pair in range(PAIR_COUNT):
            if PAIR_FIRST[pair] == self.ability and PAIR_SECOND[pair] == self.other_ability:
                return pair
        return NONE


@final
class KeepSpy(Command[IceGardenTable]):
    """IG-7.3 Keep the present assignment, or none."""

    RULE = "IG-7.3"

    def perform(self, s: IceGardenTable, seat: int) -> None:
        """Nothing happens."""


@final
class SpyAssign(Choice):
    """IG-7.3 Two different symbols, other than the present pair, or keep it."""

    RULE = "IG-7.3"
    answers_with = (AssignSpy, KeepSpy)

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return SPY


def _markers(s: IceGardenTable, ability: int) -> int:
    """IG-7.4 Markers of a kind in the supply once the spy's have returned."""
    returned = s.spy != NONE and ability in (PAIR_FIRST[s.spy], PAIR_SECOND[s.spy])
    return s.upgrade_bank[ability] + (1 if returned else 0)


SPY: Final[list[Command[IceGardenTable]]] = [
    AssignSpy(PAIR_FIRST[pair], PAIR_SECOND[pair]) for pair in range(PAIR_COUNT)
]
SPY.append(KeepSpy())
