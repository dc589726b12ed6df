"""The rules of Quay, in the rulebook's order."""

from __future__ import annotations

from typing import Any, Final, final

from quay.components import GOODS
from quay.effects import clear_lot, pay, reveal, take, throw, turn_up_lot
from quay.table import LOT, NONE, ROOM, Quay
from taflhall_engine.kernel.agenda import Command, Decision, Refusal, Step, Together, schedule

MAX_BID: Final = 9

TOO_DEAR: Final = Refusal("Q-2.2", "too_dear")
NO_COIN: Final = Refusal("Q-2.4", "no_coin")
NO_FAVOUR: Final = Refusal("Q-2.4", "no_favour")
NO_PAIR: Final = Refusal("Q-2.5", "no_pair")
NOT_IN_LOT: Final = Refusal("Q-2.3", "not_in_lot")
NOT_HELD: Final = Refusal("Q-2.6", "not_held")


@final
class Round(Step[Quay]):
    """Q-2.1 Turn up two goods and auction them, until the last round or an empty bag."""

    RULE = "Q-2.1"

    def run(self, s: Quay) -> None:
        if s.round == s.rounds or sum(s.bag) < LOT:
            return
        s.round += 1
        turn_up_lot(s, self.RULE)
        everybody = (1 << len(s.players)) - 1
        schedule(s, [SealedBids(everybody), Reveal(), Unload(s.bell), PassBell(), Round()])


@final
class Bid(Command[Quay]):
    """Q-2.2 Bid any number of your coins."""

    RULE = "Q-2.2"

    def __init__(self, coins: int) -> None:
        self.coins: Final = coins

    def refuse(self, s: Quay, seat: int) -> Refusal | None:
        return TOO_DEAR if self.coins > s.players[seat].coins else None

    def perform(self, s: Quay, seat: int) -> None:
        s.players[seat].bid = self.coins


BIDS: Final[list[Command[Quay]]] = [Bid(coins) for coins in range(MAX_BID + 1)]


@final
class SealedBids(Together[Quay]):
    """Q-2.2 Everybody bids in secret, at the same time."""

    RULE = "Q-2.2"

    def offers(self, s: Quay, seat: int) -> list[Command[Quay]]:
        return BIDS

    def remaining(self, waiting: int) -> Step[Quay]:
        return SealedBids(waiting)


@final
class Reveal(Step[Quay]):
    """Q-2.3 The highest bid pays and takes a good of the lot; a die decides between equals."""

    RULE = "Q-2.3"

    def run(self, s: Quay) -> None:
        highest = max([player.bid for player in s.players])
        tied = [seat for seat in range(len(s.players)) if s.players[seat].bid == highest]
        if highest == 0:
            reveal(s, self.RULE, NONE)
            return
        winner = tied[0] if len(tied) == 1 else tied[s.chance.below(len(tied))]
        reveal(s, self.RULE, winner)
        pay(s, self.RULE, winner, highest)
        schedule(s, [ChooseGood(winner), TakeRest(s.bell), SellPair(winner)])


@final
class TakeGood(Command[Quay]):
    """Q-2.3 Take one good of the lot."""

    RULE = "Q-2.3"

    def __init__(self, good: int) -> None:
        self.good: Final = good

    def refuse(self, s: Quay, seat: int) -> Refusal | None:
        return None if s.lot[self.good] else NOT_IN_LOT

    def perform(self, s: Quay, seat: int) -> None:
        take(s, self.RULE, seat, self.good)


TAKE_GOOD: Final[list[Command[Quay]]] = [TakeGood(good) for good in range(GOODS)]


@final
class ChooseGood(Decision[Quay]):
    """Q-2.3 The winner chooses one good of the lot."""

    RULE = "Q-2.3"

    def offers(self, s: Quay, seat: int) -> list[Command[Quay]]:
        return TAKE_GOOD


@final
class PayCoin(Command[Quay]):
    """Q-2.4 Take the other good for a coin."""

    RULE = "Q-2.4"

    def refuse(self, s: Quay, seat: int) -> Refusal | None:
        return None if s.players[seat].coins else NO_COIN

    def perform(self, s: Quay, seat: int) -> None:
        pay(s, self.RULE, seat, 1)
        take(s, self.RULE, seat, rest_of(s))


@final
class PayFavour(Command[Quay]):
    """Q-2.4 Take the other good for a favour."""

    RULE = "Q-2.4"

    def refuse(self, s: Quay, seat: int) -> Refusal | None:
        return None if s.players[seat].favours else NO_FAVOUR

    def perform(self, s: Quay, seat: int) -> None:
        s.players[seat].favours -= 1
        take(s, self.RULE, seat, rest_of(s))


PAY_COIN: Final = PayCoin()
PAY_FAVOUR: Final = PayFavour()


@final
class TakeRest(Decision[Quay]):
    """Q-2.4 The seat with the bell takes the other good, for a coin or a favour if it can."""

    RULE = "Q-2.4"

    def offers(self, s: Quay, seat: int) -> list[Command[Quay]]:
        return [PAY_COIN, PAY_FAVOUR]


@final
class Sell(Command[Quay]):
    """Q-2.5 Sell two goods of a kind for their price."""

    RULE = "Q-2.5"

    def __init__(self, good: int) -> None:
        self.good: Final = good

    def refuse(self, s: Quay, seat: int) -> Refusal | None:
        return None if s.players[seat].hand[self.good] > 1 else NO_PAIR

    def perform(self, s: Quay, seat: int) -> None:
        s.players[seat].hand[self.good] -= 2
        s.sold[self.good] += 2
        pay(s, self.RULE, seat, -s.components.prices[self.good])


@final
class Keep(Command[Quay]):
    """Q-2.5 Sell nothing."""

    RULE = "Q-2.5"

    def perform(self, s: Quay, seat: int) -> None:
        pass


SELL_OR_KEEP: Final[list[Command[Quay]]] = [*[Sell(good) for good in range(GOODS)], Keep()]


@final
class SellPair(Decision[Quay]):
    """Q-2.5 The winner may sell a pair. It is always asked: skipping it would show the hand."""

    RULE = "Q-2.5"

    def offers(self, s: Quay, seat: int) -> list[Command[Quay]]:
        return SELL_OR_KEEP

    def forced(self, s: Quay, legal: list[Command[Quay]]) -> bool:
        return False


@final
class Unload(Step[Quay]):
    """Q-2.6 From the bell on, each seat with more than three goods throws some away."""

    RULE = "Q-2.6"

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, s: Quay) -> None:
        crowded: list[Step[Any]] = []
        for i in range(len(s.players)):
            seat = (self.seat + i) % len(s.players)
            crowded.extend([ThrowOne(seat)] * (sum(s.players[seat].hand) - ROOM))
        schedule(s, crowded)


@final
class Throw(Command[Quay]):
    """Q-2.6 Throw one good away, face down."""

    RULE = "Q-2.6"

    def __init__(self, good: int) -> None:
        self.good: Final = good

    def refuse(self, s: Quay, seat: int) -> Refusal | None:
        return None if s.players[seat].hand[self.good] else NOT_HELD

    def perform(self, s: Quay, seat: int) -> None:
        throw(s, self.RULE, seat, self.good)


THROW: Final[list[Command[Quay]]] = [Throw(good) for good in range(GOODS)]


@final
class ThrowOne(Decision[Quay]):
    """Q-2.6 Choose the good to throw away. It stays secret, and is always asked."""

    RULE = "Q-2.6"

    def offers(self, s: Quay, seat: int) -> list[Command[Quay]]:
        return THROW

    def forced(self, s: Quay, legal: list[Command[Quay]]) -> bool:
        return False

    def secret(self, s: Quay) -> bool:
        return True


@final
class PassBell(Step[Quay]):
    """Q-2.7 What is left of the lot is gone; the bell goes to the next seat."""

    RULE = "Q-2.7"

    def run(self, s: Quay) -> None:
        clear_lot(s)
        s.bell = (s.bell + 1) % len(s.players)


def rest_of(s: Quay) -> int:
    """Return the kind of the good that is left in the lot."""
    for good in range(len(s.lot)):
        if s.lot[good]:
            return good
    raise AssertionError("the lot is empty")
