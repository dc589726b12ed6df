"""IG-7.6 to IG-7.8 Activation: ice crossing. IG-16.11 the NPC's."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden.effects import move_influence, move_unit
from taflhall_engine.ice_garden.ids import (
    FIGURE_UNIT,
    FIGURES_EACH,
    FIRST_FIGURE,
    FJOLLSFINN,
    ICE_DRAKKAR,
    MARKER,
    NONE,
    PIECE_COUNT,
    REGION_COUNT,
)
from taflhall_engine.ice_garden.influence import (
    distinct_figures,
    dominance_order,
    human,
    is_open,
    present,
)
from taflhall_engine.ice_garden.rules.answers import DONE, Done
from taflhall_engine.ice_garden.rules.base import Choice
from taflhall_engine.ice_garden.rules.moving import move_piece
from taflhall_engine.ice_garden.rules.solo import roll
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, Step


@final
class IceCrossingStep(Step[IceGardenTable]):
    """IG-7.6 Exactly when both Ice Drakkars are on the map in two different open regions."""

    RULE = "IG-7.6"

    def run(self, s: IceGardenTable) -> None:
        first, second = shores(s)
        if first in (NONE, second) or second == NONE:
            return
        if not is_open(s, first) or not is_open(s, second):
            return
        seat = s.options.seat_of[FJOLLSFINN]
        if seat == NONE:
            _npc_crosses(s, first, second)
        else:
            s.agenda.append(IceCrossing(seat, 0, 0, []))


def shores(s: IceGardenTable) -> tuple[int, int]:
    """IG-7.6 Return the regions of the two Ice Drakkars; they do not cross themselves."""
    first = FIRST_FIGURE[ICE_DRAKKAR]
    return s.figure_at[first], s.figure_at[first + 1]


def _npc_crosses(s: IceGardenTable, one: int, other: int) -> None:
    """IG-16.11 All NPC markers and units go where the human is, or where the die says."""
    if _dominates(s, one) and _dominates(s, other):
        return
    at_one = present(s, human(s), one)
    at_other = present(s, human(s), other)
    if not at_one and not at_other:
        return
    if at_one and at_other:
        lower = one if s.tile[one] < s.tile[other] else other
        higher = one + other - lower
        to = lower if roll(s) in s.components.npc_lower else higher
    else:
        to = one if at_one else other
    region = one + other - to
    while s.influence[FJOLLSFINN * REGION_COUNT + region] > 0:
        move_influence(s, "IG-16.11", FJOLLSFINN, region, to)
    for figure in range(FJOLLSFINN * FIGURES_EACH, (FJOLLSFINN + 1) * FIGURES_EACH):
        if s.figure_at[figure] == region and FIGURE_UNIT[figure] != ICE_DRAKKAR:
            move_unit(s, "IG-16.11", figure, to)


def _dominates(s: IceGardenTable, region: int) -> bool:
    ranking = dominance_order(s, region)
    return len(ranking) > 0 and ranking[0] == s.options.npc


@final
class Cross(Command[IceGardenTable]):
    """IG-7.7 A piece crosses the ice from this region to the other."""

    RULE = "IG-7.7"

    def __init__(self, piece: int, region: int) -> None:
        self.piece: Final = piece
        self.region: Final = region

    def perform(self, s: IceGardenTable, seat: int) -> None:
        first, second = shores(s)
        move_piece(s, "IG-7.7", FJOLLSFINN, self.piece, self.region, first + second - self.region)


@final
class IceCrossing(Choice):
    """IG-7.7 Move any number of pieces between two regions, each at most once.

    *to_first* and *to_second* count the markers that have crossed to the first and to the second
    Ice Drakkar's region; *crossed* are those that have crossed.
    """

    RULE = "IG-7.7"
    answers_with = (Cross, Done)

    def __init__(self, seat: int, to_first: int, to_second: int, crossed: list[int]) -> None:
        super().__init__(seat)
        self.to_first: Final = to_first
        self.to_second: Final = to_second
        self.crossed: Final = crossed

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        first, second = shores(s)
        return [
            *self._crossings(s, first, self.to_first),
            *self._crossings(s, second, self.to_second),
            DONE,
        ]

    def _crossings(
        self, s: IceGardenTable, region: int, arrived: int
    ) -> list[Command[IceGardenTable]]:
        """IG-7.8 What may leave *region*; the *arrived* markers have crossed already."""
        crossings: list[Command[IceGardenTable]] = []
        if s.influence[FJOLLSFINN * REGION_COUNT + region] > arrived:
            crossings.append(CROSS[MARKER * REGION_COUNT + region])
        barred = s.defeated
        for figure in self.crossed:
            barred |= 1 << figure
        for figure in distinct_figures(s, FJOLLSFINN, region, barred):
            if FIGURE_UNIT[figure] != ICE_DRAKKAR:
                crossings.append(CROSS[(figure + 1) * REGION_COUNT + region])
        return crossings

    def resolve(self, s: IceGardenTable, seat: int, command: Command[IceGardenTable]) -> None:
        command.perform(s, seat)
        if not isinstance(command, Cross):
            return
        if command.piece != MARKER:
            crossed = [*self.crossed, command.piece - 1]
            s.agenda.append(IceCrossing(seat, self.to_first, self.to_second, crossed))
        elif command.region == shores(s)[0]:
            to_second = self.to_second + 1
            s.agenda.append(IceCrossing(seat, self.to_first, to_second, self.crossed))
        else:
            to_first = self.to_first + 1
            s.agenda.append(IceCrossing(seat, to_first, self.to_second, self.crossed))


CROSS: Final[list[Command[IceGardenTable]]] = [
    Cross(piece, region) for piece in range(PIECE_COUNT) for region in range(REGION_COUNT)
]
