"""CM-14 The free runes: Gifts, Wealth, Knowledge and Success.

A free rune is an extra answer of every pending decision of its owner (:mod:`asking`): the
decision stays pending. The bound runes are answers of the decisions that
they belong to.
"""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.champions.effects import gain, look_at_journey, show_destiny, use_rune
from taflhall_engine.champions.ids import (
    COINS,
    DESTINIES,
    GIFTS,
    KNOWLEDGE,
    NONE,
    RUNES,
    SHORES,
    SUCCESS,
    WEALTH,
)
from taflhall_engine.champions.rules.answers import BAD_ARGUMENT, WRONG_TOTAL, FreeRune
from taflhall_engine.champions.scoring import destiny_scores
from taflhall_engine.champions.table import ChampionsTable
from taflhall_engine.kernel.agenda import Command, Refusal

NOT_YOUR_DESTINY: Final = Refusal("CM-14.10", "not_owned")
RUNE_UNAVAILABLE: Final = Refusal("CM-14.1", "rune_unavailable")
WRONG_WINDOW: Final = Refusal("CM-14.2", "wrong_window")


GIFT_UNITS: Final = 4
WEALTH_LIMIT: Final = 5

FREE: Final = 1 << GIFTS | 1 << KNOWLEDGE | 1 << SUCCESS | 1 << WEALTH


@final
class ActivateRune(FreeRune):
    """CM-14.2 Use a free rune that needs no choice: Wealth (CM-14.12) or Knowledge (CM-14.7)."""

    RULE = "CM-14.2"

    def __init__(self, rune: int) -> None:
        self.rune: Final = rune

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if not 0 <= self.rune < len(RUNES) or self.rune in (GIFTS, SUCCESS):
            return BAD_ARGUMENT
        if not s.clans[seat].runes >> self.rune & 1:
            return RUNE_UNAVAILABLE
        return None if self.rune in (WEALTH, KNOWLEDGE) else WRONG_WINDOW

    def perform(self, s: ChampionsTable, seat: int) -> None:
        if self.rune == WEALTH:
            use_rune(s, seat, WEALTH, "CM-14.12")
            gain(s, seat, "CM-14.12", coins=min(s.clans[seat].goods[COINS], WEALTH_LIMIT))
            return
        use_rune(s, seat, KNOWLEDGE, "CM-14.7")
        for shore in range(1, SHORES + 1):
            if s.journeys[shore - 1] != NONE and not s.revealed >> (shore - 1) & 1:
                look_at_journey(s, seat, shore, "CM-14.7")


@final
class ActivateGifts(FreeRune):
    """CM-14.3 Gifts: take exactly 4 units, any mix of food, wood and coins."""

    RULE = "CM-14.3"

    def __init__(self, food: int, wood: int, coins: int) -> None:
        self.food: Final = food
        self.wood: Final = wood
        self.coins: Final = coins

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if self.food < 0 or self.wood < 0 or self.coins < 0:
            return BAD_ARGUMENT
        if self.food + self.wood + self.coins != GIFT_UNITS:
            return WRONG_TOTAL
        return None if s.clans[seat].holds(GIFTS) else RUNE_UNAVAILABLE

    def perform(self, s: ChampionsTable, seat: int) -> None:
        use_rune(s, seat, GIFTS, self.RULE)
        gain(s, seat, self.RULE, food=self.food, wood=self.wood, coins=self.coins)


@final
class ActivateSuccess(FreeRune):
    """CM-14.10 Success: turn up one of your destiny cards and score it at once; it stays."""

    RULE = "CM-14.10"

    def __init__(self, destiny: int) -> None:
        self.destiny: Final = destiny

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if not 0 <= self.destiny < len(DESTINIES):
            return BAD_ARGUMENT
        if self.destiny not in s.clans[seat].destinies:
            return NOT_YOUR_DESTINY
        return None if s.clans[seat].holds(SUCCESS) else RUNE_UNAVAILABLE

    def perform(self, s: ChampionsTable, seat: int) -> None:
        use_rune(s, seat, SUCCESS, self.RULE)
        show_destiny(s, seat, self.destiny, self.RULE)
        scores = destiny_scores(s, seat, self.destiny)
        for other in range(len(scores)):
            if scores[other]:
                gain(s, other, self.RULE, glory=scores[other])


ACTIVATE: Final = [ActivateRune(rune) for rune in range(len(RUNES))]
ACTIVATE_GIFTS: Final = [
    ActivateGifts(food, wood, GIFT_UNITS - food - wood)
    for food in range(GIFT_UNITS + 1)
    for wood in range(GIFT_UNITS + 1 - food)
]
ACTIVATE_SUCCESS: Final = [ActivateSuccess(destiny) for destiny in range(len(DESTINIES))]


def add_free_runes(s: ChampionsTable, seat: int, options: list[Command[Any]]) -> None:
    """CM-14.2 Append the free runes that *seat* may use now."""
    clan = s.clans[seat]
    runes = clan.runes & FREE
    if not runes:
        return
    if runes >> GIFTS & 1:
        options.extend(ACTIVATE_GIFTS)
    if runes >> KNOWLEDGE & 1:
        options.append(ACTIVATE[KNOWLEDGE])
    if runes >> SUCCESS & 1:
        for destiny in clan.destinies:
            options.append(ACTIVATE_SUCCESS[destiny])
    if runes >> WEALTH & 1:
        options.append(ACTIVATE[WEALTH])
