"""When commands are due."""

from __future__ import annotations

import random
from typing import Final


class Pace:
    """The due times of the commands of one match after another: one think time after another.

    A think time is drawn from an exponential distribution with the mean *think*. The times do not
    depend on when the server answers: if it was slow, to an answer or to open the next match, the
    next commands are due already.
    """

    def __init__(self, rng: random.Random, think: float, begins: float) -> None:
        self._rng: Final = rng
        self._think: Final = think
        self._due = begins

    def next(self) -> float:
        """Return when the next command is due, by the clock of *begins*."""
        self._due += self._rng.expovariate(1 / self._think)
        return self._due
