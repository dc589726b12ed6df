"""What a seat may know, and the tables that agree with it."""

from __future__ import annotations

from typing import Any, Final, final

from quay.components import Components
from quay.rules import MAX_BID
from quay.table import NONE, Player, Quay
from taflhall_engine.kernel.agenda import Step
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.game import View
from taflhall_engine.kernel.value import Value


@final
class Rival(Value):
    """A player as everybody sees them: how much they hold, not what."""

    def __init__(self, coins: int, favours: int, held: int, thrown: int, has_bid: bool) -> None:
        self.coins: Final = coins
        self.favours: Final = favours
        self.held: Final = held
        self.thrown: Final = thrown
        self.has_bid: Final = has_bid


@final
class PublicView(Value):
    """What everybody may know."""

    def __init__(
        self,
        rounds: int,
        round: int,
        bell: int,
        lot: list[int],
        sold: list[int],
        players: list[Rival],
        agenda: list[Step[Any]],
    ) -> None:
        self.rounds: Final = rounds
        self.round: Final = round
        self.bell: Final = bell
        self.lot: Final = lot
        self.sold: Final = sold
        self.players: Final = players
        self.agenda: Final = agenda


@final
class PrivateView(Value):
    """What only one seat may know: its goods and its bid (-1 without one)."""

    def __init__(self, hand: list[int], thrown: list[int], bid: int) -> None:
        self.hand: Final = hand
        self.thrown: Final = thrown
        self.bid: Final = bid


def public(s: Quay) -> PublicView:
    players = [
        Rival(p.coins, p.favours, sum(p.hand), sum(p.thrown), p.bid != NONE) for p in s.players
    ]
    return PublicView(s.rounds, s.round, s.bell, s.lot[:], s.sold[:], players, s.agenda[:])


def private(s: Quay, seat: int) -> PrivateView:
    if seat < 0:
        return PrivateView([], [], NONE)
    player = s.players[seat]
    return PrivateView(player.hand[:], player.thrown[:], player.bid)


def imagine(components: Components, view: View, chance: Chance) -> Quay:
    """Return a table, chosen at random, that *view* could be of."""
    seen, own = view.public, view.private
    assert isinstance(seen, PublicView)
    assert isinstance(own, PrivateView)
    unseen = components.copies[:]
    players: list[Player] = []
    take_out(unseen, seen.lot)
    take_out(unseen, seen.sold)
    take_out(unseen, own.hand)
    take_out(unseen, own.thrown)
    for seat in range(len(seen.players)):
        rival = seen.players[seat]
        if seat == view.seat:
            hand, thrown, bid = own.hand[:], own.thrown[:], own.bid
        else:
            hand = chance.draw(unseen, rival.held)
            take_out(unseen, hand)
            thrown = chance.draw(unseen, rival.thrown)
            take_out(unseen, thrown)
            bid = chance.below(min(rival.coins, MAX_BID) + 1) if rival.has_bid else NONE
        players.append(Player(rival.coins, rival.favours, hand, thrown, bid))
    return Quay(
        components,
        chance,
        seen.rounds,
        seen.round,
        seen.bell,
        unseen,
        seen.lot[:],
        seen.sold[:],
        players,
        seen.agenda[:],
    )


def take_out(bag: list[int], counts: list[int]) -> None:
    for good in range(len(counts)):
        bag[good] -= counts[good]
