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
        self._last = begins
        self._pending: Final[list[float]] = []

    def next(self) -> float:
        """Return when the next command is due, by the clock of *begins*."""
        self._last += self._rng.expovariate(1 / self._think)
        self._pending.append(self._last)
        return self._last

    def done(self, due: float) -> None:
        """Note that the command that was due then is answered, or that nobody wants it now."""
        self._pending.remove(due)

    def unanswered(self, now: float) -> list[float]:
        """Return when the commands were due that should have been sent by *now* and are not done.

        Most of them may not even have been asked for: the server has not answered the one before.
        """
        while self._last <= now:
            self.next()
        return [due for due in self._pending if due <= now]
