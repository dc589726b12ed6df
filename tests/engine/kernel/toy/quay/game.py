"""The game class of Quay: all that the rest of the world asks of a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, final

from quay import effects, rules, table, view
from quay.components import read_components
from quay.table import COINS, FAVOURS, HAND, NONE, Player, Quay
from taflhall_engine.kernel.agenda import Command, Step, advance, options
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.components import catalog, read_data
from taflhall_engine.kernel.game import Fault, Game, InvalidSetup, Result, View
from taflhall_engine.kernel.rulebook import read_rulebook
from taflhall_engine.kernel.value import Value
from taflhall_engine.kernel.vocabulary import types_of

MIN_SEATS: Final = 2
MAX_SEATS: Final = 4
MAX_ROUNDS: Final = 12

REVEALS: Final = ("LotTurned", "Revealed", "Sell")
"""Events and commands that show what was hidden."""


@final
class Setup(Value):
    """Q-1 How many play, and how many rounds."""

    def __init__(self, seats: int = 3, rounds: int = 5) -> None:
        self.seats: Final = seats
        self.rounds: Final = rounds


@final
class QuayGame(Game):
    """Quay with its box."""

    def __init__(self, data: Path | None = None) -> None:
        read = read_data("quay", data)
        self.components = read.components(read_components)
        self.id = "quay"
        self.title = "Quay"
        self.min_seats = MIN_SEATS
        self.max_seats = MAX_SEATS
        self.cooperative = False
        self.version = "1"
        self.setup_kind = Setup
        self.setup_ranges = {"seats": (2, 4), "rounds": (1, 12)}
        self.setup_rules = {"seats": "Q-1.1", "rounds": "Q-1.1"}
        self.types = types_of(table, effects, rules, view)
        self.reveals = frozenset([self.types[name] for name in REVEALS])
        self.labels = {"good": self.components.goods, "goods": self.components.goods}
        self.rulebook = read_rulebook("quay")
        self.catalog = catalog(read.tables)
        self.data_digest = read.digest

    def new(self, setup: Any, chance: Chance) -> Quay:
        """Q-1 Deal three goods to each seat, face down; give out coins and favours."""
        faults = faults_of(setup)
        if faults:
            raise InvalidSetup(self, faults)
        kinds = len(self.components.goods)
        bag = self.components.copies[:]
        players = []
        for _ in range(setup.seats):
            hand = chance.draw(bag, HAND)
            view.take_out(bag, hand)
            players.append(Player(COINS, FAVOURS, hand, [0] * kinds, NONE))
        seats = list(range(setup.seats))
        chance.shuffle(seats)
        agenda: list[Step[Any]] = [rules.Round()]
        s = Quay(
            self.components,
            chance,
            setup.rounds,
            0,
            seats[0],
            bag,
            [0] * kinds,
            [0] * kinds,
            players,
            agenda,
        )
        advance(s)
        return s

    def table(self, chance: Chance, fields: dict[str, Any]) -> Quay:
        return Quay(self.components, chance, **fields)

    def seats(self, s: Any) -> int:
        return len(s.players)

    def public(self, s: Any) -> Value:
        return view.public(s)

    def private(self, s: Any, seat: int) -> Value:
        return view.private(s, seat)

    def imagine(self, view_: View, chance: Chance) -> Quay:
        return view.imagine(self.components, view_, chance)

    def neutral(self, s: Any, seat: int) -> Command[Any]:
        return options(s, seat)[-1 if isinstance(s.agenda[-1], rules.SellPair) else 0]

    def result(self, s: Any) -> Result | None:
        """Q-3 Every coin and every kind of good held is a point; the most points win."""
        if s.agenda:
            return None
        scores = [p.coins + sum([1 for n in p.hand if n]) for p in s.players]
        places = [1 + sum([1 for other in scores if other > score]) for score in scores]
        reason = "last_round" if s.round == s.rounds else "bag_empty"
        return Result([place == 1 for place in places], places, scores, [reason])

    def faults(self, s: Any) -> list[str]:
        found = []
        for good, copies in enumerate(self.components.copies):
            held = sum([p.hand[good] + p.thrown[good] for p in s.players])
            if held + s.bag[good] + s.lot[good] + s.sold[good] != copies:
                found.append(f"Q-0 there should be {copies} of {self.components.goods[good]}")
        for seat, player in enumerate(s.players):
            if min([player.coins, player.favours, *player.hand, *player.thrown]) < 0:
                found.append(f"Q-0 seat {seat} holds less than nothing")
        return found


def faults_of(setup: Setup) -> list[Fault]:
    """Return everything that is wrong with *setup*."""
    faults = []
    if not MIN_SEATS <= setup.seats <= MAX_SEATS:
        faults.append(Fault("seats", "out_of_range"))
    if not 1 <= setup.rounds <= MAX_ROUNDS:
        faults.append(Fault("rounds", "out_of_range"))
    return faults
