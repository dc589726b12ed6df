"""The effects of Quay: they change the table, emit events, and decide nothing."""

from __future__ import annotations

from typing import Final, final

from quay.table import LOT, NONE, Quay
from taflhall_engine.kernel.agenda import Event


@final
class LotTurned(Event):
    """Goods were turned up to be auctioned."""

    def __init__(self, rule: str, goods: list[int]) -> None:
        self.rule: Final = rule
        self.goods: Final = goods


@final
class Revealed(Event):
    """The bids, seat by seat, and the seat that won: -1 if nobody bid."""

    def __init__(self, rule: str, bids: list[int], seat: int) -> None:
        self.rule: Final = rule
        self.bids: Final = bids
        self.seat: Final = seat


@final
class Paid(Event):
    """A seat paid coins, or got them if the number is negative."""

    def __init__(self, rule: str, seat: int, coins: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.coins: Final = coins


@final
class Took(Event):
    """A seat took a good from the lot."""

    def __init__(self, rule: str, seat: int, good: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.good: Final = good


@final
class Threw(Event):
    """A seat threw a good away, face down: only the seat knows which."""

    def __init__(self, rule: str, seat: int, good: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.good: Final = good

    def seen_by(self, seat: int) -> Event | None:
        return self if seat == self.seat else Threw(self.rule, self.seat, NONE)


def turn_up_lot(s: Quay, rule: str) -> None:
    drawn = s.chance.draw(s.bag, LOT)
    for good in range(len(drawn)):
        s.bag[good] -= drawn[good]
        s.lot[good] += drawn[good]
    if s.journal is not None:
        goods = [good for good in range(len(drawn)) for _ in range(drawn[good])]
        s.journal.append(LotTurned(rule, goods))


def reveal(s: Quay, rule: str, winner: int) -> None:
    if s.journal is not None:
        s.journal.append(Revealed(rule, [player.bid for player in s.players], winner))
    for player in s.players:
        player.bid = NONE


def pay(s: Quay, rule: str, seat: int, coins: int) -> None:
    s.players[seat].coins -= coins
    if s.journal is not None:
        s.journal.append(Paid(rule, seat, coins))


def take(s: Quay, rule: str, seat: int, good: int) -> None:
    s.lot[good] -= 1
    s.players[seat].hand[good] += 1
    if s.journal is not None:
        s.journal.append(Took(rule, seat, good))


def clear_lot(s: Quay) -> None:
    for good in range(len(s.lot)):
        s.sold[good] += s.lot[good]
        s.lot[good] = 0


def throw(s: Quay, rule: str, seat: int, good: int) -> None:
    player = s.players[seat]
    player.hand[good] -= 1
    player.thrown[good] += 1
    if s.journal is not None:
        s.journal.append(Threw(rule, seat, good))
