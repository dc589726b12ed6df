"""The positions of a game that a bot is asked in, met in matches that are played for them."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from taflhall_client.bot import Decision
from taflhall_engine.kernel import setups
from taflhall_engine.kernel.agenda import Command, Table, apply, asked, options, waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game, InvalidSetup, View
from taflhall_engine.kernel.notation import snake
from taflhall_engine.kernel.vocabulary import decisions_of

MATCHES: Final = 24
"""How many matches of each setup are searched for decisions."""
PLIES: Final = 2_000
"""No match is followed further than this."""


@dataclass(frozen=True, slots=True)
class Position:
    """A decision that waits for a seat."""

    setup: Any
    table: Table
    seat: int

    @property
    def kind(self) -> str:
        """The kind of decision, as the line protocol names it."""
        return snake(type(waiting(self.table)).__name__)

    @property
    def size(self) -> int:
        """The number of options."""
        return len(options(self.table, self.seat))

    def view(self, game: Game) -> View:
        """Return what the seat may know."""
        return game.view(self.table, self.seat)

    def decision(self) -> Decision:
        """Return the decision, with options of its own."""
        step = waiting(self.table)
        assert step is not None
        return Decision.of(self.seat, step, list(options(self.table, self.seat)))


@dataclass(slots=True)
class Positions:
    """Positions of one game."""

    game: Game
    setups: list[Any]
    """The usual setup with each number of seats, fewest first."""
    longest: Position
    """The position with the most options."""
    last: Position
    """The last position of a match."""
    kinds: dict[str, Position] = field(default_factory=dict)
    """A position of each kind of decision that was met."""
    split: dict[str, Position] = field(default_factory=dict)
    """By the kind of its second step, where an answer begins that is given in several steps."""

    @property
    def missing(self) -> list[str]:
        """The kinds of decision that were not met."""
        kinds = (snake(name) for name in decisions_of(self.game.types))
        return sorted(kind for kind in kinds if kind not in self.kinds)


def positions(game: Game, seed: int = 0) -> Positions:
    """Return positions of *game*: the same ones for the same *seed*."""
    usual = usual_setups(game)
    first = _first(game, usual[0], seed)
    found = Positions(game, usual, first, first)
    tried: Counter[Command[Any]] = Counter()
    searched = [*found.setups, *unusual_setups(game)]
    for number in range(MATCHES):
        for setup in searched:
            if number == 0 or found.missing:
                _search(found, setup, seed + number, tried)
    return found


def usual_setups(game: Game) -> list[Any]:
    """Return the usual setup with each number of seats that makes a match, fewest first."""
    if "seats" not in setups.defaults(game):
        return [setups.from_data(game, {})]
    found = []
    for seats in range(max(game.min_seats, 1), game.max_seats + 1):
        setup = setups.from_data(game, {"seats": seats})
        with suppress(InvalidSetup):
            game.new(setup, FastChance(0))
            found.append(setup)
    return found


def unusual_setups(game: Game) -> list[Any]:
    """Return setups with one field exchanged, so that other parts of the rules are reached."""
    found = []
    for name, usual in setups.defaults(game).items():
        if name == "seats":
            continue
        if isinstance(usual, bool):
            value: Any = not usual
        elif isinstance(usual, int) and name in game.setup_ranges:
            value = game.setup_ranges[name][1]
        else:
            continue
        setup = setups.from_data(game, {"seats": game.max_seats, name: value})
        with suppress(InvalidSetup):
            game.new(setup, FastChance(0))
            found.append(setup)
    return found


def _first(game: Game, setup: Any, seed: int) -> Position:
    """Return the first position of a match."""
    s = game.new(setup, FastChance(seed))
    return Position(setup, s, asked(s)[0])


def _search(found: Positions, setup: Any, seed: int, tried: Counter[Command[Any]]) -> None:
    """Play a match, and keep what has not been met before.

    Every other choice is random, the rest fall on what has been *tried* least, so that rare
    decisions are met too.
    """
    rng = FastChance(seed + 1)
    s = found.game.new(setup, FastChance(seed))
    begun = found.last
    for _ in range(PLIES):
        step = waiting(s)
        if step is None:
            break
        seats = asked(s)
        seat = seats[rng.below(len(seats))]
        legal = options(s, seat)
        here = Position(setup, s.copy(), seat)
        found.kinds.setdefault(here.kind, here)
        if len(legal) > found.longest.size:
            found.longest = here
        if not step.continues_answer:
            begun = here
        else:
            found.split.setdefault(here.kind, begun)
        choice = legal[rng.below(len(legal))]
        if rng.below(2):
            choice = min(legal, key=tried.__getitem__)
        tried[choice] += 1
        apply(s, seat, choice)
    found.last = begun
