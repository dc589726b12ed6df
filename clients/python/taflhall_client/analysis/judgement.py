"""The judgement of one answer: what its seat could expect before it and after it.

The decision is searched from the seat's own view. The best answer that the search found and the
answer that was given are then tried at the same imagined tables; only these trials count, since the
search's own averages favour what it happened to like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from math import sqrt
from statistics import mean, stdev
from typing import Final

from taflhall_client.bot import Decision
from taflhall_client.bots.knowledge import Knowledge, Option
from taflhall_client.bots.search import Search
from taflhall_engine.kernel.agenda import options, waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game, View

CERTAIN: Final = 2.0
"""Standard errors by which a loss has to exceed 0 before it counts as a mistake."""


class Grade(IntEnum):
    """How bad an answer was; the value is the least loss, in percent of a win."""

    SOUND = 0
    INACCURACY = 5
    MISTAKE = 10
    BLUNDER = 15


@dataclass(frozen=True, slots=True)
class Judgement:
    """Expected results run from 0 (lost) to 1 (won alone)."""

    best: tuple[Option, ...]
    """The best answer found: its steps, as far as the search knows them."""
    before: float
    """What the seat could expect with the best answer."""
    after: float
    """What it could expect with its own."""
    error: float
    """The standard error of the difference."""

    @property
    def loss(self) -> float:
        """What the answer gave away."""
        return self.before - self.after

    @property
    def grade(self) -> Grade:
        """How bad it was; sound as long as that is in doubt."""
        if self.loss <= CERTAIN * self.error:
            return Grade.SOUND
        return max(grade for grade in Grade if 100 * self.loss >= grade)


def judge(
    game: Game,
    knowledge: Knowledge,
    view: View,
    answer: Sequence[Option],
    *,
    iterations: int,
    trials: int,
    seed: int,
) -> Judgement:
    """Judge *answer*, the steps that the seat of *view* gave.

    The search takes *iterations*, and each of the two answers is tried *trials* times.
    """
    seat = view.seat
    s = game.imagine(view, FastChance(seed))
    top = waiting(s)
    assert top is not None
    decision = Decision.of(seat, top, options(s, seat))
    search = Search(game, seed, iterations=iterations, knowledge=knowledge)
    search.search(view, decision)
    best = search.line(seat, decision.options)
    if list(answer[: len(best)]) == best:
        [got] = search.compare(view, seat, [answer], trials)
        return Judgement(tuple(answer), mean(got), mean(got), 0.0)
    hoped, got = search.compare(view, seat, [best, answer], trials)
    gains = [one - other for one, other in zip(hoped, got, strict=True)]
    if mean(gains) <= 0:
        return Judgement(tuple(answer), mean(got), mean(got), 0.0)
    error = stdev(gains) / sqrt(trials) if trials > 1 else 1.0
    return Judgement(tuple(best), mean(hoped), mean(got), error)
