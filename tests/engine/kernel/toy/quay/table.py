"""What lies on the table of a match of Quay."""

from __future__ import annotations

from typing import Any, Final, final

from quay.components import Components
from taflhall_engine.kernel.agenda import Command, Event, Step, Table
from taflhall_engine.kernel.chance import Chance

NONE: Final = -1
COINS: Final = 5
FAVOURS: Final = 1
HAND: Final = 3
LOT: Final = 2
ROOM: Final = 3


@final
class Player:
    """A seat's things. ``hand`` and ``thrown`` count the goods of each kind."""

    def __init__(
        self, coins: int, favours: int, hand: list[int], thrown: list[int], bid: int
    ) -> None:
        self.coins = coins
        self.favours = favours
        self.hand = hand
        self.thrown = thrown
        self.bid = bid

    def copy(self) -> Player:
        return Player(self.coins, self.favours, self.hand[:], self.thrown[:], self.bid)


@final
class Quay(Table):
    """A match of Quay. Hidden: what is in the bag, the hands, what was thrown, open bids."""

    def __init__(
        self,
        components: Components,
        chance: Chance,
        rounds: int,
        round: int,
        bell: int,
        bag: list[int],
        lot: list[int],
        sold: list[int],
        players: list[Player],
        agenda: list[Step[Any]],
    ) -> None:
        self.components: Final = components
        self.chance = chance
        self.rounds: Final = rounds
        self.round = round
        self.bell = bell
        self.bag = bag
        self.lot = lot
        self.sold = sold
        self.players = players
        self.agenda = agenda
        self.journal: list[Event] | None = None
        self.legal: list[Command[Any]] | None = None

    def copy(self) -> Quay:
        twin = Quay(
            self.components,
            self.chance.copy(),
            self.rounds,
            self.round,
            self.bell,
            self.bag[:],
            self.lot[:],
            self.sold[:],
            [player.copy() for player in self.players],
            self.agenda[:],
        )
        twin.legal = self.legal
        return twin
