"""Many matches side by side: every step asks all of them at once, and takes arrays.

For training, where one call of a network for a thousand positions costs little more than for one.
A match that is over is replaced at once; its returns are among those of the step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from taflhall_client.adapters.encoding import Encoder, Floats, returns_of
from taflhall_client.bot import Decision
from taflhall_engine.kernel.agenda import Table, apply, options, waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Batch:
    """The decisions that wait, one of each match."""

    decisions: list[Decision]
    seats: Ints
    """By match, the seat that decides."""
    counts: Ints
    """By match, how many options there are."""
    matches: Ints
    """By match, its number: a new one follows on one that is over."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A match that is over."""

    match: int
    returns: list[float]
    """By seat, -1 to 1."""
    plies: int


class Vectorised:
    """*count* matches of *game*; match *i* has the random numbers of ``seed + i``."""

    def __init__(self, game: Game, setup: Any, count: int, seed: int = 0) -> None:
        self.game: Final = game
        self._setup: Final = setup
        self._seed: Final = seed
        self._next = 0
        self._numbers: Final = [0] * count
        self._plies: Final = [0] * count
        self._tables: Final[list[Table]] = []
        for at in range(count):
            self._tables.append(self._begin(at))

    @property
    def seats(self) -> int:
        """The number of seats of each match."""
        return self.game.seats(self._tables[0])

    def batch(self) -> Batch:
        """Return what all matches ask."""
        found = []
        for table in self._tables:
            step = waiting(table)
            assert step is not None
            seat = step.seats(table)[0]
            found.append(Decision.of(seat, step, list(options(table, seat))))
        return Batch(
            found,
            np.array([decision.seat for decision in found]),
            np.array([len(decision.options) for decision in found]),
            np.array(self._numbers),
        )

    def views(self, encoder: Encoder, batch: Batch) -> Floats:
        """Return what the deciding seats may know: shape ``(count, encoder.view_size)``."""
        pairs = zip(self._tables, batch.decisions, strict=True)
        return np.stack([encoder.view(self.game.view(s, d.seat)) for s, d in pairs])

    def step(self, batch: Batch, actions: Sequence[int] | Ints) -> list[Ended]:
        """Take in each match the option with that index; return the matches that are over."""
        ended = []
        for at, (decision, action) in enumerate(zip(batch.decisions, actions, strict=True)):
            table = self._tables[at]
            apply(table, decision.seat, decision.options[action])
            self._plies[at] += 1
            end = self.game.result(table)
            if end is not None:
                gained = returns_of(end.places, end.won, cooperative=self.game.cooperative)
                ended.append(Ended(self._numbers[at], gained, self._plies[at]))
                self._tables[at] = self._begin(at)
        return ended

    def _begin(self, at: int) -> Table:
        self._numbers[at], self._plies[at] = self._next, 0
        self._next += 1
        return self.game.new(self._setup, FastChance(self._seed + self._numbers[at]))
