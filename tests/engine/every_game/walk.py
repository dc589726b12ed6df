"""The walks and laws of :mod:`taflhall_testing`, for the games of this suite by their names."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from taflhall_engine.kernel import COMPILED
from taflhall_engine.kernel.agenda import Command, Table, options
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.drafts import Answer, Draft, whole
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.snapshot import dump_table, load_table
from taflhall_testing import trials
from taflhall_testing.laws import Law
from taflhall_testing.trials import Position, choice, play_on, secret, some
from tests import exploring
from tests.engine.every_game import setups

__all__ = ["Position", "again", "choice", "hold", "play_on", "secret", "some", "walk"]

EFFORT = int(os.environ.get("TAFLHALL_EFFORT", "2" if COMPILED else "1"))
"""How many times the usual number of matches a law is checked in."""


def hold(name: str, law: Law | Callable[[Position], None], rounds: int = 1, every: int = 1) -> int:
    """Check *law* as :func:`taflhall_testing.trials.hold` does; a law knows how often."""
    if isinstance(law, Law):
        rounds, every = law.rounds, law.every
    trial = setups.trial(name)
    return trials.hold(trial, law, rounds=rounds * EFFORT, every=every, first=exploring.FIRST)


def walk(name: str, seed: int) -> Iterator[Position]:
    """Play the match number *seed* at random and yield it at each decision and at its end."""
    return trials.walk(setups.trial(name), seed, seed % exploring.STRETCH)


def whole_answer(s: Table, rng: Chance) -> tuple[int, Command[Any] | Answer]:
    """Return a seat that has to decide and one of its answers with all steps, by chance."""
    seat, command = choice(s, rng)
    draft = Draft(s, seat)
    while not draft.give(command):
        listed = options(draft.table, seat)
        command = listed[rng.below(len(listed))]
    return seat, whole(draft.steps)


def again(game: Game, s: Table, chance: Chance) -> Table:
    """Return the table of its snapshot, with other random numbers."""
    return load_table(game, dump_table(game, s), chance)
