"""Random play of a game, in which a law is checked at every decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from taflhall_engine.kernel.agenda import Command, Event, Table, apply, asked, options, waiting
from taflhall_engine.kernel.chance import Chance, FastChance, KeyedChance
from taflhall_engine.kernel.drafts import unfinished
from taflhall_engine.kernel.game import Game


def usual_again(rng: Chance) -> dict[str, Any]:
    """The default of :attr:`Trial.again`: no setups but the usual ones."""
    raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Trial:
    """How a game is tried."""

    game: Game
    usual: list[dict[str, Any]]
    """Setups, in words, that together reach every part of the rules; each law tries them all."""
    matches: int = 20
    """In how many matches each law is checked at least; all usual setups come first."""
    other: Callable[[Chance], dict[str, Any]] = usual_again
    """Any setup at all, by chance; without it the usual ones are tried again."""
    plies: int = 10_000
    """No match is longer than this."""

    def setup(self, number: int, rng: Chance) -> dict[str, Any]:
        """Return the setup of match *number*."""
        if number < len(self.usual) or self.other is usual_again:
            return self.usual[number % len(self.usual)]
        return self.other(rng)


class Position(NamedTuple):
    """A match at rest on a decision, or over."""

    trial: Trial
    setup: dict[str, Any]
    seed: int
    ply: int
    s: Table
    rng: Chance
    """For what a law chooses at random; the match does not depend on it."""
    events: list[Event]
    """The events of the last command, hidden parts and all."""

    @property
    def game(self) -> Game:
        """The game."""
        return self.trial.game

    @property
    def name(self) -> str:
        """The id of the game."""
        return self.trial.game.id

    @property
    def top(self) -> Any:
        """The step that waits; ``None`` if the match is over."""
        return waiting(self.s)

    @property
    def viewers(self) -> list[int]:
        """Every seat and a spectator; in the middle of an answer its seat alone."""
        if unfinished(self.s):
            return asked(self.s)
        return [*range(self.game.seats(self.s)), -1]


def walk(trial: Trial, seed: int, number: int) -> Iterator[Position]:
    """Play the match of *seed* with setup *number* at random.

    Yield it at each decision and at its end; raise ``AssertionError`` if it has none.
    """
    game = trial.game
    rng = FastChance(seed)
    setup = trial.setup(number, rng)
    s = game.new(game.setup_kind(**setup), KeyedChance(secret(seed)))
    events: list[Event] = []
    for ply in range(trial.plies + 1):
        yield Position(trial, setup, seed, ply, s, FastChance(seed * 65537 + ply), events)
        if not s.agenda:
            return
        events = s.journal = []
        apply(s, *choice(s, rng))
        s.journal = None
    raise AssertionError(f"{game.id} {setup}, seed {seed}: not over after {trial.plies} plies")


def hold(
    trial: Trial,
    law: Callable[[Position], None],
    *,
    rounds: int = 1,
    every: int = 1,
    first: int = 0,
) -> int:
    """Check *law* in *rounds* times the trial's number of matches, from seed *first* on.

    In each match it is checked at every *every*-th decision, beginning with another one each
    time, and at the end. The matches are always the same. Return how often it was checked; the
    error of a law that is broken names setup, seed and ply.
    """
    checked = 0
    for number in range(trial.matches * rounds):
        seed = first + number
        for position in walk(trial, seed, number):
            if (position.ply + seed) % every and position.s.agenda:
                continue
            try:
                law(position)
            except BaseException as error:
                place = f"setup {position.setup}, seed {seed}, ply {position.ply}"
                error.add_note(f"{position.name}, {place}")
                raise
            checked += 1
    return checked


def choice(s: Table, rng: Chance) -> tuple[int, Command[Any]]:
    """Return a seat that has to decide and one of its options, by chance."""
    seats = asked(s)
    seat = seats[rng.below(len(seats))] if len(seats) > 1 else seats[0]
    listed = options(s, seat)
    return seat, listed[rng.below(len(listed))]


def play_on(s: Table, rng: Chance, plies: int) -> list[tuple[int, Command[Any]]]:
    """Play *s* on at random for up to *plies*; return the moves."""
    moves: list[tuple[int, Command[Any]]] = []
    while s.agenda and len(moves) < plies:
        move = choice(s, rng)
        apply(s, *move)
        moves.append(move)
    return moves


def some(listed: list[Any], n: int, rng: Chance) -> list[Any]:
    """Return up to *n* of *listed*, by chance."""
    if len(listed) <= n:
        return listed
    chosen = list(range(len(listed)))
    rng.shuffle(chosen)
    return [listed[i] for i in chosen[:n]]


def secret(seed: int) -> bytes:
    """Return the secret of the match of *seed*."""
    return sha256(f"every game {seed}".encode()).digest()
