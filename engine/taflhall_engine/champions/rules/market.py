"""CM-5.8 The Market: exchange any number of goods among food, wood and coins, one for one.

A seat rich in goods has several hundred exchanges, so the answer is given good by good
(CM-17.6): by how much food changes, then wood; the coins make up for it. A positive number
is taken, a negative one given. Other seats see nothing of it before the last step.
"""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.champions.effects import gain, place_worker
from taflhall_engine.champions.ids import COINS, FOOD, MARKET, WOOD
from taflhall_engine.champions.rules.answers import (
    BAD_ARGUMENT,
    CANNOT_PAY,
    SPACE_OCCUPIED,
    Placing,
    taken,
)
from taflhall_engine.champions.rules.base import FurtherStep
from taflhall_engine.champions.table import ChampionsTable
from taflhall_engine.kernel.agenda import Command, Refusal

UNEQUAL: Final = Refusal("CM-5.8", "bad_argument")


@final
class VisitMarket(Placing):
    """CM-5.8 Go to the Market; the next steps name the exchange."""

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
        s.agenda.append(MarketExchange(seat))


@final
class ExchangeGoods(Command[ChampionsTable]):
    """CM-5.8 Take (positive) or give (negative) this much of one good."""

    RULE = "CM-5.8"
    SECRET = True

    def __init__(self, good: int, amount: int) -> None:
        self.good: Final = good
        self.amount: Final = amount

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if self.good != len(s.draft):
            return BAD_ARGUMENT
        goods = s.clans[seat].goods
        if self.amount < -goods[self.good]:
            return CANNOT_PAY
        if self.good == FOOD:
            others = goods[WOOD] + goods[COINS]
            if self.amount == 0 and others == 0:
                return UNEQUAL
            return CANNOT_PAY if self.amount > others else None
        food = s.draft[FOOD]
        if self.amount == 0 and food == 0:
            return UNEQUAL
        return CANNOT_PAY if food + self.amount > goods[COINS] else None

    def perform(self, s: ChampionsTable, seat: int) -> None:
        if self.good == FOOD:
            s.draft.append(self.amount)
            s.agenda.append(MarketExchange(seat))
            return
        food = s.draft[FOOD]
        s.draft.clear()
        place_worker(s, seat, MARKET, self.RULE)
        coins = -food - self.amount
        gain(s, seat, self.RULE, food=food, wood=self.amount, coins=coins)


@final
class MarketExchange(FurtherStep):
    """CM-5.8 Say how much food changes, then how much wood; the draft holds what was said."""

    RULE = "CM-5.8"
    answers_with = (ExchangeGoods,)

    def offers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        good = len(s.draft)
        goods = s.clans[seat].goods
        most = goods[WOOD] + goods[COINS] if good == FOOD else goods[COINS] - s.draft[FOOD]
        return [ExchangeGoods(good, amount) for amount in range(-goods[good], most + 1)]


VISIT_MARKET: Final = VisitMarket()
