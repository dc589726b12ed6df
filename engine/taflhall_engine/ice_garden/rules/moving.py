"""IG-6.8 to IG-6.13 Fields 2 and 3: Move and the Voracious Mountain. IG-20.1 pieces."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden.effects import move_influence, move_unit, spend
from taflhall_engine.ice_garden.ids import (
    CALLO,
    FAUN,
    FIGURE_UNIT,
    GOLD,
    MARKER,
    PIECE_COUNT,
    POPULATION,
    REGION_COUNT,
    SHADOW_WHISPERERS,
)
from taflhall_engine.ice_garden.influence import affordable, distinct_figures, is_open, present
from taflhall_engine.ice_garden.rules.answers import DONE, FORGO, Done, Forgo
from taflhall_engine.ice_garden.rules.base import CANNOT_PAY, CLOSED, NOT_PRESENT, Choice
from taflhall_engine.ice_garden.rules.tiles import is_active
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, Refusal


def pieces_in(s: IceGardenTable, faction: int, region: int) -> list[int]:
    """IG-20.1 Return a player's pieces in a region: a marker, one figure of each type."""
    pieces: list[int] = []
    if s.influence[faction * REGION_COUNT + region] > 0:
        pieces.append(MARKER)
    for figure in distinct_figures(s, faction, region):
        pieces.append(figure + 1)
    return pieces


def move_piece(
    s: IceGardenTable, rule: str, faction: int, piece: int, region: int, to: int
) -> None:
    if piece == MARKER:
        move_influence(s, rule, faction, region, to)
    else:
        move_unit(s, rule, piece - 1, to)


# ---------------------------------------------------------------- field 2


@final
class MovePiece(Command[IceGardenTable]):
    """IG-6.8 Pay 1 gold and move a piece; IG-6.10 a controlled marker leaves first."""

    RULE = "IG-6.8"

    def __init__(self, piece: int, region: int, to: int) -> None:
        self.piece: Final = piece
        self.region: Final = region
        self.to: Final = to

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        if not affordable(s, s.options.factions[seat], GOLD, s.components.move_cost):
            return CANNOT_PAY
        return None if is_open(s, self.to) else CLOSED

    def perform(self, s: IceGardenTable, seat: int) -> None:
        faction = s.options.factions[seat]
        spend(s, "IG-6.8", faction, GOLD, s.components.move_cost)
        move_piece(s, "IG-6.8", faction, self.piece, self.region, self.to)


@final
class MoveStep(Choice):
    """IG-6.8, IG-6.11 At most two steps of 1 gold: one own piece to an adjacent open region."""

    RULE = "IG-6.8"
    answers_with = (MovePiece, Done)

    def __init__(self, seat: int, left: int) -> None:
        super().__init__(seat)
        self.left: Final = left

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        faction = s.options.factions[seat]
        offers: list[Command[IceGardenTable]] = []
        for region in range(REGION_COUNT):
            if s.locked[region]:
                pieces = leaving_faun(s, faction, region)
            else:
                pieces = pieces_in(s, faction, region)
            for piece in pieces:
                for to in s.components.adjacent[region]:
                    if s.tile[to] != 0:
                        offers.append(
                            MOVE_PIECE[(piece * REGION_COUNT + region) * REGION_COUNT + to]
                        )
        offers.append(DONE)
        return offers

    def options(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        if not affordable(s, s.options.factions[seat], GOLD, s.components.move_cost):
            return [DONE]
        return [c for c in self.offers(s, seat) if c.refuse(s, seat) is None]

    def resolve(self, s: IceGardenTable, seat: int, command: Command[IceGardenTable]) -> None:
        command.perform(s, seat)
        if self.left > 1 and not isinstance(command, Done):
            s.agenda.append(MoveStep(seat, self.left - 1))


def leaving_faun(s: IceGardenTable, faction: int, region: int) -> list[int]:
    """IG-6.9, IG-10.18 Callo's Faun may leave a locked region; not in edition 1 (E-06)."""
    if faction == CALLO and not s.options.first_edition:
        return [piece for piece in pieces_in(s, CALLO, region) if is_faun(piece)]
    return []


def is_faun(piece: int) -> bool:
    return piece != MARKER and FIGURE_UNIT[piece - 1] == FAUN


# ---------------------------------------------------------------- field 3


def mountain_price(s: IceGardenTable) -> int:
    """IG-6.12, IG-15.6 The Mountain's cost in population."""
    if is_active(s, SHADOW_WHISPERERS):
        return s.components.mountain_cost_whisperers
    return s.components.mountain_cost


@final
class Feed(Command[IceGardenTable]):
    """IG-6.12 Pay the Mountain and open the way between two open regions."""

    RULE = "IG-6.12"

    def __init__(self, region: int, to: int) -> None:
        self.region: Final = region
        self.to: Final = to

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        faction = s.options.factions[seat]
        if not affordable(s, faction, POPULATION, mountain_price(s)):
            return CANNOT_PAY
        if not is_open(s, self.region) or not is_open(s, self.to):
            return CLOSED
        return None if present(s, faction, self.region) else NOT_PRESENT

    def perform(self, s: IceGardenTable, seat: int) -> None:
        faction = s.options.factions[seat]
        spend(s, "IG-6.12", faction, POPULATION, mountain_price(s))
        s.agenda.append(MountainPiece(seat, self.region, self.to, True))


@final
class MountainRoute(Choice):
    """IG-6.12 Choose exactly one region to leave and one to reach, or pass."""

    RULE = "IG-6.12"
    answers_with = (Feed, Forgo)

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        offers: list[Command[IceGardenTable]] = []
        for region in range(REGION_COUNT):
            for to in range(REGION_COUNT):
                if region != to and s.tile[region] != 0 and s.tile[to] != 0:
                    offers.append(FEED[region * REGION_COUNT + to])
        offers.append(FORGO)
        return offers

    def options(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        """Return the ways between open regions from where *seat* is present, if it can pay."""
        faction = s.options.factions[seat]
        if not affordable(s, faction, POPULATION, mountain_price(s)):
            return [FORGO]
        regions = [region for region in range(REGION_COUNT) if is_open(s, region)]
        legal = [
            FEED[region * REGION_COUNT + to]
            for region in regions
            if present(s, faction, region)
            for to in regions
            if to != region
        ]
        legal.append(FORGO)
        return legal


@final
class Carry(Command[IceGardenTable]):
    """IG-6.13 One own piece goes through the Mountain."""

    RULE = "IG-6.13"

    def __init__(self, piece: int) -> None:
        self.piece: Final = piece

    def perform(self, s: IceGardenTable, seat: int) -> None:
        """The decision knows the way."""


@final
class MountainPiece(Choice):
    """IG-6.13 Any number of own pieces go, at least one."""

    RULE = "IG-6.13"
    answers_with = (Carry, Done)

    def __init__(self, seat: int, region: int, to: int, first: bool) -> None:
        super().__init__(seat)
        self.region: Final = region
        self.to: Final = to
        self.first: Final = first

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        offers: list[Command[IceGardenTable]] = []
        for piece in pieces_in(s, s.options.factions[seat], self.region):
            offers.append(CARRY[piece])
        if not self.first:
            offers.append(DONE)
        return offers

    def resolve(self, s: IceGardenTable, seat: int, command: Command[IceGardenTable]) -> None:
        if isinstance(command, Carry):
            faction = s.options.factions[seat]
            move_piece(s, "IG-6.12", faction, command.piece, self.region, self.to)
            s.agenda.append(MountainPiece(seat, self.region, self.to, False))


MOVE_PIECE: Final[list[Command[IceGardenTable]]] = [
    MovePiece(piece, region, to)
    for piece in range(PIECE_COUNT)
    for region in range(REGION_COUNT)
    for to in range(REGION_COUNT)
]
FEED: Final[list[Command[IceGardenTable]]] = [
    Feed(region, to) for region in range(REGION_COUNT) for to in range(REGION_COUNT)
]
CARRY: Final[list[Command[IceGardenTable]]] = [Carry(piece) for piece in range(PIECE_COUNT)]
