"""A random rollout: the inner loop of random bots, searches and benchmarks."""

from __future__ import annotations

from taflhall_engine.kernel.agenda import Table, Waiting, play
from taflhall_engine.kernel.chance import Chance


def rollout(s: Table, rng: Chance, limit: int) -> int:
    """Play *s* on with uniformly random options until it is over or *limit* plies are made.

    Choices are drawn from *rng*, the rules use ``s.chance``. Return the plies.
    """
    plies = 0
    while s.agenda and plies < limit:
        top = s.agenda[-1]
        assert isinstance(top, Waiting)
        seat = top.first_seat(s)
        choices = s.legal if s.legal is not None else top.options(s, seat)
        play(s, top, seat, choices[rng.below(len(choices))])
        plies += 1
    return plies
