"""CM-5.8 The Market: exchange any number of goods among food, wood and coins, one for one.

A seat rich in goods has several hundred exchanges, so the answer is given good by good
(CM-17.6): by how much food changes, then wood; the coins make up for it. A positive number
is taken, a negative one given. Until the last step nobody else sees anything of it.
"""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.champions.effects import gain, place_worker
from taflhall_engine.champions.ids import COINS, FOOD, GOODS, MARKET, WOOD
from taflhall_engine.champions.refusals import (
    BAD_ARGUMENT,
    CANNOT_PAY,
    SPACE_OCCUPIED,
    UNEQUAL,
)
from taflhall_engine.champions.rules.answers import Placing, taken
from taflhall_engine.champions.table import ChampionsTable
from taflhall_engine.kernel.agenda import Command, Refusal

BEGUN: Final = 1
"""The draft of an exchange begins with this; then comes the change of each good."""


@final
class VisitMarket(Placing):
    """CM-5.8 Go to the Market; what is exchanged is said in the next steps."""

    RULE = "CM-5.8"
    SECRET = True

    def __init__(self) -> None:
        pass

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if taken(s, MARKET):
            return SPACE_OCCUPIED
        goods = s.clans[seat].goods
        return None if goods[FOOD] or goods[WOOD] or goods[COINS] else CANNOT_PAY

    def perform(self, s: ChampionsTable, seat: int) -> None:
        s.draft.append(BEGUN)


@final
class ExchangeGoods(Command[ChampionsTable]):
    """CM-5.8 Take (positive) or give (negative) so much of one good."""

    RULE = "CM-5.8"
    SECRET = True

    def __init__(self, good: int, amount: int) -> None:
        self.good: Final = good
        self.amount: Final = amount

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if self.good != len(s.draft) - 1:
            return BAD_ARGUMENT
        goods = s.clans[seat].goods
        if self.amount < -goods[self.good]:
            return CANNOT_PAY
        if self.good == FOOD:
            others = goods[WOOD] + goods[COINS]
            if self.amount == 0 and others == 0:
                return UNEQUAL
            return CANNOT_PAY if self.amount > others else None
        if self.amount == 0 and s.draft[1] == 0:
            return UNEQUAL
        return CANNOT_PAY if self.amount + s.draft[1] > goods[COINS] else None

    def perform(self, s: ChampionsTable, seat: int) -> None:
        if self.good == FOOD:
            s.draft.append(self.amount)
            return
        food = s.draft[1]
        s.draft.clear()
        place_worker(s, seat, MARKET, self.RULE)
        coins = -food - self.amount
        gain(s, seat, self.RULE, food=food, wood=self.amount, coins=coins)


VISIT_MARKET: Final = VisitMarket()


def exchanges(s: ChampionsTable, seat: int) -> list[Command[Any]]:
    """Return every way to go on with a begun exchange."""
    goods = s.clans[seat].goods
    found: list[Command[Any]] = []
    if len(s.draft) == 1:
        others = goods[WOOD] + goods[COINS]
        for amount in range(-goods[FOOD], others + 1):
            if amount or others:
                found.append(ExchangeGoods(FOOD, amount))
        return found
    food = s.draft[1]
    for amount in range(-goods[WOOD], goods[COINS] - food + 1):
        if amount or food:
            found.append(ExchangeGoods(WOOD, amount))
    return found


def market_refusal(
    s: ChampionsTable, seat: int, give: list[int], take: list[int]
) -> Refusal | None:
    """CM-17.4 Return why the whole exchange is refused: *give* and *take* by good."""
    for good in range(len(GOODS)):
        if give[good] < 0 or take[good] < 0:
            return BAD_ARGUMENT
        if give[good] and take[good]:
            return UNEQUAL
    if sum(give) == 0 or sum(give) != sum(take):
        return UNEQUAL
    if taken(s, MARKET):
        return SPACE_OCCUPIED
    goods = s.clans[seat].goods
    for good in range(len(GOODS)):
        if give[good] > goods[good]:
            return CANNOT_PAY
    return None
