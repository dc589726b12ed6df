"""IG-6.23 to IG-6.26 Making: summoning units."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden.effects import lose_reputation, place_unit, spend_factor
from taflhall_engine.ice_garden.ids import (
    FIGURES_OF_LEVEL,
    M_FACTOR,
    NONE,
    REGION_COUNT,
    STOCK,
    UNIT_COUNT,
    UNITS_EACH,
)
from taflhall_engine.ice_garden.influence import available, figure_in, is_open, present
from taflhall_engine.ice_garden.rules.base import (
    CANNOT_PAY,
    CLOSED,
    NOT_PRESENT,
    Choice,
)
from taflhall_engine.ice_garden.rules.ending import fall_snow
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, Refusal, Step

NO_FIGURE: Final = Refusal("IG-6.23", "no_figure")


def can_summon(s: IceGardenTable, faction: int) -> bool:
    """IG-6.23, IG-6.24 Return whether anything can be summoned."""
    if not _has_place(s, faction):
        return False
    for unit in range(faction * UNITS_EACH, (faction + 1) * UNITS_EACH):
        if _factor(s, faction, unit) > 0 and available(s, unit) > 0:
            return True
    return False


def _has_place(s: IceGardenTable, faction: int) -> bool:
    return any(is_open(s, region) and present(s, faction, region) for region in range(REGION_COUNT))


def _factor(s: IceGardenTable, faction: int, unit: int) -> int:
    """IG-2.9 M-factor on the level of a unit type."""
    return s.stock[faction * STOCK + M_FACTOR + s.components.level[unit]]


@final
class Summon(Command[IceGardenTable]):
    """IG-6.23 n M-factor from the level, snow 1, reputation level x n, for Crabs 2 more."""

    RULE = "IG-6.23"

    def __init__(self, unit: int, count: int) -> None:
        self.unit: Final = unit
        self.count: Final = count

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        faction = s.options.factions[seat]
        if _factor(s, faction, self.unit) < self.count:
            return CANNOT_PAY
        return NO_FIGURE if available(s, self.unit) < self.count else None

    def perform(self, s: IceGardenTable, seat: int) -> None:
        faction = s.options.factions[seat]
        level = s.components.level[self.unit]
        spend_factor(s, "IG-6.23", faction, level, self.count)
        cost = level * self.count + s.components.extra_reputation[self.unit]
        lose_reputation(s, "IG-6.23", faction, cost)
        if fall_snow(s, "IG-6.23", s.components.making_snow, faction):
            s.agenda.append(NextSummoned(seat, self.unit, self.count))


@final
class SummonChoice(Choice):
    """IG-6.23 Choose one own unit type and how many."""

    RULE = "IG-6.23"
    answers_with = (Summon,)

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return SUMMON[s.options.factions[seat]]


@final
class NextSummoned(Step[IceGardenTable]):
    """IG-6.24 Each summoned unit is put somewhere; the units may be spread."""

    RULE = "IG-6.24"

    def __init__(self, seat: int, unit: int, left: int) -> None:
        self.seat: Final = seat
        self.unit: Final = unit
        self.left: Final = left

    def run(self, s: IceGardenTable) -> None:
        if self.left > 1:
            s.agenda.append(NextSummoned(self.seat, self.unit, self.left - 1))
        s.agenda.append(SummonPlace(self.seat, self.unit))


@final
class PlaceUnit(Command[IceGardenTable]):
    """IG-6.24 The figure used is the one with the lowest number off the map."""

    RULE = "IG-6.24"

    def __init__(self, region: int) -> None:
        self.region: Final = region

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        if not is_open(s, self.region):
            return CLOSED
        return None if present(s, s.options.factions[seat], self.region) else NOT_PRESENT

    def perform(self, s: IceGardenTable, seat: int) -> None:
        """The decision knows the unit."""


@final
class SummonPlace(Choice):
    """IG-6.24 Put the unit into an open region where you are present."""

    RULE = "IG-6.24"
    answers_with = (PlaceUnit,)

    def __init__(self, seat: int, unit: int) -> None:
        super().__init__(seat)
        self.unit: Final = unit

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return PLACE_UNIT

    def resolve(self, s: IceGardenTable, seat: int, command: Command[IceGardenTable]) -> None:
        assert isinstance(command, PlaceUnit)
        s.summoned |= 1 << s.options.factions[seat]
        place_unit(s, "IG-6.24", figure_in(s, self.unit, NONE), command.region)


SUMMON: Final[list[list[Command[IceGardenTable]]]] = [
    [
        Summon(unit, count)
        for unit in range(first, first + UNITS_EACH)
        for count in range(1, FIGURES_OF_LEVEL[unit - first] + 1)
    ]
    for first in range(0, UNIT_COUNT, UNITS_EACH)
]
PLACE_UNIT: Final[list[Command[IceGardenTable]]] = [
    PlaceUnit(region) for region in range(REGION_COUNT)
]
