"""Random play with a law that is checked at every decision, and a report where it is broken."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any, NamedTuple

from taflhall_engine.kernel import COMPILED
from taflhall_engine.kernel.agenda import Command, Event, Table, apply, asked, options, waiting
from taflhall_engine.kernel.chance import Chance, FastChance, KeyedChance
from taflhall_engine.kernel.drafts import Answer, Draft, unfinished, whole
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.snapshot import dump_table, load_table
from tests import exploring
from tests.engine.every_game import setups


class Position(NamedTuple):
    """A match at rest on a decision, or over."""

    name: str
    game: Game
    setup: dict[str, Any]
    seed: int
    ply: int
    s: Table
    rng: Chance
    """For what a law chooses at random; the match does not hang on it."""
    events: list[Event]
    """What the last command told, to those who may know all."""

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


Law = Callable[[Position], None]

EFFORT = int(os.environ.get("TAFLHALL_EFFORT", "2" if COMPILED else "1"))
"""How many times the usual number of matches a law is checked in."""


def hold(name: str, law: Law, rounds: int = 1, every: int = 1) -> int:
    """Check *law* in *rounds* times the game's usual number of matches, from the usual setups on.

    In each match it is checked at every *every*-th decision, beginning with another one each
    time, and at the end. How many matches these are does not depend on the machine, and they are
    always the same ones, unless one explores. Return how often it was checked.
    """
    checked = 0
    first = exploring.FIRST
    for seed in range(first, first + setups.trial(name).matches * rounds * EFFORT):
        for position in walk(name, seed):
            if (position.ply + seed) % every and position.s.agenda:
                continue
            try:
                law(position)
            except BaseException as error:
                error.add_note(f"{name}, setup {position.setup}, seed {seed}, ply {position.ply}")
                raise
            checked += 1
    return checked


def walk(name: str, seed: int) -> Iterator[Position]:
    """Play the match number *seed* at random and yield it at each decision and at its end."""
    trial, game = setups.trial(name), setups.game(name)
    rng = FastChance(seed)
    number = seed % exploring.STRETCH
    setup = trial.usual[number] if number < len(trial.usual) else trial.other(rng)
    s = game.new(game.setup_kind(**setup), KeyedChance(secret(seed)))
    events: list[Event] = []
    for ply in range(trial.plies + 1):
        yield Position(name, game, setup, seed, ply, s, FastChance(seed * 65537 + ply), events)
        if not s.agenda:
            return
        events = s.journal = []
        apply(s, *choice(s, rng))
        s.journal = None
    raise AssertionError(f"{name} {setup} with seed {seed} is not over after {trial.plies} plies")


def choice(s: Table, rng: Chance) -> tuple[int, Command[Any]]:
    """Return a seat that has to decide and one of its options, by chance."""
    seats = asked(s)
    seat = seats[rng.below(len(seats))] if len(seats) > 1 else seats[0]
    listed = options(s, seat)
    return seat, listed[rng.below(len(listed))]


def whole_answer(s: Table, rng: Chance) -> tuple[int, Command[Any] | Answer]:
    """Return a seat that has to decide and one of its answers with all steps, by chance."""
    seat, command = choice(s, rng)
    draft = Draft(s, seat)
    while not draft.give(command):
        listed = options(draft.table, seat)
        command = listed[rng.below(len(listed))]
    return seat, whole(draft.steps)


def play_on(s: Table, rng: Chance, plies: int) -> list[tuple[int, Command[Any]]]:
    """Play *s* on at random for up to *plies*; return the moves."""
    moves: list[tuple[int, Command[Any]]] = []
    while s.agenda and len(moves) < plies:
        move = choice(s, rng)
        apply(s, *move)
        moves.append(move)
    return moves


def again(game: Game, s: Table, chance: Chance) -> Table:
    """Return the table as its snapshot tells it, with other luck."""
    return load_table(game, dump_table(game, s), chance)


def secret(seed: int) -> bytes:
    return sha256(f"every game {seed}".encode()).digest()


def some(listed: list[Any], n: int, rng: Chance) -> list[Any]:
    """Return up to *n* of *listed*, by chance."""
    if len(listed) <= n:
        return listed
    chosen = list(range(len(listed)))
    rng.shuffle(chosen)
    return [listed[i] for i in chosen[:n]]
