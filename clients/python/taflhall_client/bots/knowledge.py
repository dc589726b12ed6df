"""What a search knows about a game: an order among options, a way to play on, and a value.

A game offers it as ``taflhall_client.bots.<game>_knowledge:Knowledge``, made from the game. A
game without such a module is searched with :class:`NoKnowledge`.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from math import exp
from typing import Any, Final, Protocol

from taflhall_engine.kernel.agenda import Command, Table, Waiting
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.game import Game, Result

Option = Command[Any]


class Knowledge(Protocol):
    """Knowledge of one game; every method reads the table and leaves it as it is."""

    trusted: bool
    """Whether :meth:`play` answers so well that a search begins with its answer."""
    exploration: float
    """The weight of the prior against what a search finds: small where values differ little."""
    certainty: float
    """Standard errors by which an option has to be better than the answer of :meth:`play`, or a
    search gives that answer; 0 where a search answers by its own findings alone."""

    def searches(self, step: Waiting[Any]) -> bool:
        """Return whether a search is worth its time at *step*; else :meth:`play` answers."""
        ...

    def prior(self, s: Any, seat: int, legal: Sequence[Option]) -> list[float]:
        """Return a weight above 0 for each option: how likely a good player takes it."""
        ...

    def play(self, s: Any, seat: int, legal: Sequence[Option], rng: Chance) -> Option:
        """Return a reasonable option, fast: rollouts ask for it."""
        ...

    def rests(self, s: Any, since: Waiting[Any], plies: int) -> bool:
        """Return whether a rollout may end here, *plies* commands after the decision *since*."""
        ...

    def values(self, s: Any) -> list[float]:
        """Return for each seat what it may expect, from 0 (lost) to 1 (won alone)."""
        ...


class NoKnowledge:
    """Knows the rules alone: rollouts are random and go to the end."""

    trusted = False
    exploration = 0.6
    certainty = 0.0

    def __init__(self, game: Game, plies: int = 2000) -> None:
        self._game: Final = game
        self._plies: Final = plies
        """A rollout that is longer than this counts as a draw."""

    def searches(self, step: Waiting[Any]) -> bool:
        return True

    def prior(self, s: Table, seat: int, legal: Sequence[Option]) -> list[float]:
        return [1.0] * len(legal)

    def play(self, s: Table, seat: int, legal: Sequence[Option], rng: Chance) -> Option:
        return legal[rng.below(len(legal))]

    def rests(self, s: Table, since: Waiting[Any], plies: int) -> bool:
        return plies >= self._plies

    def values(self, s: Table) -> list[float]:
        return values_of(self._game.result(s), self._game.seats(s))


def knowledge_of(game: Game) -> Knowledge:
    """Return what is known of *game*, :class:`NoKnowledge` if nothing is."""
    module = f"taflhall_client.bots.{game.id}_knowledge"
    try:
        found: Knowledge = import_module(module).Knowledge(game)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        return NoKnowledge(game)
    return found


def values_of(result: Result | None, seats: int) -> list[float]:
    """Return what an end is worth to each seat: mostly winning, a little the place.

    Seats that win together share nothing in a team and the win otherwise.
    """
    if result is None:
        return [0.5 / seats] * seats
    if len(set(result.places)) == 1:
        return [float(won) for won in result.won]
    winners = max(1, sum(result.won))
    last = max(2, seats)
    return [
        (0.9 / winners if won else 0.0) + 0.1 * (last - place) / (last - 1)
        for won, place in zip(result.won, result.places, strict=True)
    ]


def shares(potentials: Sequence[float], scale: float) -> list[float]:
    """Return the chance of each seat to end first, given its expected score.

    *scale* is the score by which a seat has to lead to be e times as likely first.
    """
    most = max(potentials)
    weights = [exp((potential - most) / scale) for potential in potentials]
    total = sum(weights)
    return [weight / total for weight in weights]


def preferred(legal: Sequence[Option], choice: Option, share: float) -> list[float]:
    """Return weights of which *choice* gets *share* and the others the rest equally."""
    rest = (1.0 - share) / max(1, len(legal) - 1)
    return [share if option == choice else rest for option in legal]
