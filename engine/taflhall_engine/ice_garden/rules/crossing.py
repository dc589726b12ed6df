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
    dominance_order,
    human,
    is_open,
    present,
)
from taflhall_engine.ice_garden.rules.answers import DONE
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
        one = s.figure_at[FIRST_FIGURE[ICE_DRAKKAR]]
        other = s.figure_at[FIRST_FIGURE[ICE_DRAKKAR] + 1]
        if one in (NONE, other) or other == NONE:
            return
        if not is_open(s, one) or not is_open(s, other):
            return
        seat = s.options.seat_of[FJOLLSFINN]
        if seat == NONE:
            _npc_crosses(s, one, other)
            return
        from_one = s.influence[FJOLLSFINN * REGION_COUNT + one]
        from_other = s.influence[FJOLLSFINN * REGION_COUNT + other]
        s.agenda.append(IceCrossing(seat, one, other, from_one, from_other, 0))


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
class IceCrossing(Choice):
    """IG-7.7 Move any number of pieces between two regions, each at most once.

    *from_one* and *from_other* count the markers that may still leave a region; *moved*
    holds the figures that have crossed, as bits.
    """

    RULE = "IG-7.7"

    def __init__(
        self,
        seat: int,
        region: int,
        other_region: int,
        from_one: int,
        from_other: int,
        moved: int,
    ) -> None:
        super().__init__(seat)
        self.region: Final = region
        self.other_region: Final = other_region
        self.from_one: Final = from_one
        self.from_other: Final = from_other
        self.moved: Final = moved

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        offers: list[Command[IceGardenTable]] = []
        self._pieces(s, self.region, self.from_one, offers)
        self._pieces(s, self.other_region, self.from_other, offers)
        offers.append(DONE)
        return offers

    def _pieces(
        self, s: IceGardenTable, region: int, markers: int, offers: list[Command[IceGardenTable]]
    ) -> None:
        if markers > 0:
            offers.append(CROSS[MARKER * REGION_COUNT + region])
        last = NONE
        for figure in range(FJOLLSFINN * FIGURES_EACH, (FJOLLSFINN + 1) * FIGURES_EACH):
            unit = FIGURE_UNIT[figure]
            if (
                s.figure_at[figure] == region
                and unit not in (ICE_DRAKKAR, last)
                and not (self.moved | s.defeated) >> figure & 1
            ):
                last = unit
                offers.append(CROSS[(figure + 1) * REGION_COUNT + region])

    def resolve(self, s: IceGardenTable, seat: int, command: Command[IceGardenTable]) -> None:
        if not isinstance(command, Cross):
            return
        region = command.region
        to = self.region + self.other_region - region
        move_piece(s, "IG-7.7", FJOLLSFINN, command.piece, region, to)
        from_one = self.from_one
        from_other = self.from_other
        moved = self.moved
        if command.piece != MARKER:
            moved |= 1 << command.piece - 1
        elif region == self.region:
            from_one -= 1
        else:
            from_other -= 1
        s.agenda.append(
            IceCrossing(seat, self.region, self.other_region, from_one, from_other, moved)
        )


@final
class Cross(Command[IceGardenTable]):
    """IG-7.7 A piece crosses the ice from this region to the other."""

    RULE = "IG-7.7"

    def __init__(self, piece: int, region: int) -> None:
        self.piece: Final = piece
        self.region: Final = region

    def perform(self, s: IceGardenTable, seat: int) -> None:
        """The decision knows where the piece goes."""


CROSS: Final[list[Command[IceGardenTable]]] = [
    Cross(piece, region) for piece in range(PIECE_COUNT) for region in range(REGION_COUNT)
]
