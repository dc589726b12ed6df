"""CM-5.12 The market stalls: pay and take, or swap warriors with the supply."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.champions.effects import enlist, place_worker
from taflhall_engine.champions.ids import AXEMAN, SPEARMAN, STALL_1, SWORDSMAN, TYPES
from taflhall_engine.champions.rules.answers import (
    BAD_ARGUMENT,
    CANNOT_PAY,
    SPACE_NOT_IN_PLAY,
    SPACE_OCCUPIED,
    Placing,
    taken,
)
from taflhall_engine.champions.rules.assignment import NOT_OWNED
from taflhall_engine.champions.rules.market import UNEQUAL
from taflhall_engine.champions.rules.spaces import can_pay, pay_cost, take_gain
from taflhall_engine.champions.table import ChampionsTable
from taflhall_engine.kernel.agenda import Refusal

NO_TILE: Final = Refusal("CM-3.3", "space_not_in_play")
SUPPLY_LACKS: Final = Refusal("CM-5.12", "stock_empty")


@final
class VisitStall(Placing):
    """CM-5.12 Pay the cost of a market stall and take its gain."""

    RULE = "CM-5.12"

    def __init__(self, location: int) -> None:
        self.location: Final = location

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if self.location < STALL_1:
            return SPACE_NOT_IN_PLAY
        if self.location - STALL_1 >= len(s.stalls):
            return NO_TILE
        tile = s.stalls[self.location - STALL_1]
        if s.components.tile_swaps[tile]:
            return BAD_ARGUMENT
        if taken(s, self.location):
            return SPACE_OCCUPIED
        return None if can_pay(s.clans[seat].goods, s.components.tile_cost[tile]) else CANNOT_PAY

    def perform(self, s: ChampionsTable, seat: int) -> None:
        place_worker(s, seat, self.location, self.RULE)
        tile = s.stalls[self.location - STALL_1]
        pay_cost(s, seat, s.components.tile_cost[tile], self.RULE)
        take_gain(s, seat, s.components.tile_gain[tile], self.RULE)


@final
class SwapWarriors(Placing):
    """CM-5.12 Swap warriors with the supply at the stall that allows it.

    A positive number is taken, a negative one given; both come to the same total.
    """

    RULE = "CM-5.12"

    def __init__(self, location: int, swordsmen: int, spearmen: int, axemen: int) -> None:
        self.location: Final = location
        self.swordsmen: Final = swordsmen
        self.spearmen: Final = spearmen
        self.axemen: Final = axemen

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if self.swordsmen + self.spearmen + self.axemen != 0:
            return UNEQUAL
        total = max(self.swordsmen, 0) + max(self.spearmen, 0) + max(self.axemen, 0)
        if total == 0:
            return UNEQUAL
        if self.location < STALL_1:
            return SPACE_NOT_IN_PLAY
        if self.location - STALL_1 >= len(s.stalls):
            return NO_TILE
        tile = s.stalls[self.location - STALL_1]
        if total > s.components.tile_swaps[tile]:
            return BAD_ARGUMENT
        if taken(s, self.location):
            return SPACE_OCCUPIED
        if not self.in_supply(s):
            return SUPPLY_LACKS
        if not can_pay(s.clans[seat].goods, s.components.tile_cost[tile]):
            return CANNOT_PAY
        return None if self.owned(s, seat) else NOT_OWNED

    def in_supply(self, s: ChampionsTable) -> bool:
        """Return whether the supply has the warriors that are taken."""
        supply = s.supply
        return (
            supply[SWORDSMAN] >= self.swordsmen
            and supply[SPEARMAN] >= self.spearmen
            and supply[AXEMAN] >= self.axemen
        )

    def owned(self, s: ChampionsTable, seat: int) -> bool:
        """Return whether *seat* has the warriors that are given."""
        own = s.clans[seat].warriors
        return (
            own[SWORDSMAN] + self.swordsmen >= 0
            and own[SPEARMAN] + self.spearmen >= 0
            and own[AXEMAN] + self.axemen >= 0
        )

    def perform(self, s: ChampionsTable, seat: int) -> None:
        place_worker(s, seat, self.location, self.RULE)
        pay_cost(s, seat, s.components.tile_cost[s.stalls[self.location - STALL_1]], self.RULE)
        s.supply[SWORDSMAN] -= self.swordsmen
        s.supply[SPEARMAN] -= self.spearmen
        s.supply[AXEMAN] -= self.axemen
        enlist(s, seat, self.RULE, self.swordsmen, self.spearmen, self.axemen)


def swaps_up_to(limit: int) -> list[tuple[int, int, int]]:
    """Return every swap of up to *limit* warriors: those taken less those given."""
    found = []
    for a in range(-limit, limit + 1):
        for b in range(-limit, limit + 1):
            c = -a - b
            if 0 < max(a, 0) + max(b, 0) + max(c, 0) <= limit:
                found.append((a, b, c))
    return found


def possible_swaps(s: ChampionsTable, seat: int, k: int, limit: int) -> list[SwapWarriors]:
    """Return the swaps of up to *limit* warriors at stall space *k* that *seat* can make.

    Of each type only whether there are 0, 1, ... or at least *limit* matters, so the few cases
    are kept.
    """
    own = s.clans[seat].warriors
    supply = s.supply
    case = limit << 2 | k
    for warrior in range(TYPES):
        case = case * (limit + 1) + min(own[warrior], limit)
        case = case * (limit + 1) + min(supply[warrior], limit)
    found = POSSIBLE_SWAPS.get(case)
    if found is None:
        swaps = swap_commands(limit)[k]
        found = [swap for swap in swaps if swap.owned(s, seat) and swap.in_supply(s)]
        POSSIBLE_SWAPS[case] = found
    return found


VISIT_STALL: Final = [VisitStall(STALL_1 + k) for k in range(4)]

SWAPS: Final[dict[int, list[list[SwapWarriors]]]] = {}

POSSIBLE_SWAPS: Final[dict[int, list[SwapWarriors]]] = {}
"""By the case that :func:`possible_swaps` computes: less than 3,000 for swaps of up to 2."""


def swap_commands(limit: int) -> list[list[SwapWarriors]]:
    """Return, by stall space, the interned swaps of up to *limit* warriors."""
    found = SWAPS.get(limit)
    if found is None:
        found = [
            [SwapWarriors(STALL_1 + k, a, b, c) for a, b, c in swaps_up_to(limit)] for k in range(4)
        ]
        SWAPS[limit] = found
    return found
