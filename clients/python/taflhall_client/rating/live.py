"""Ratings that change after each match, for ladders: Plackett-Luce by openskill.

The method is that of Weng and Lin (2011).
A rating is a normal distribution of a player's skill: *mu* and *sigma*. Standings order by
``mu - 3 * sigma``, so a new player starts low and rises with certainty.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from openskill.models import PlackettLuce

from taflhall_client.rating.outcome import Outcome


class Rating(NamedTuple):
    """A player's skill: mean and standard deviation."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """The sort key of standings: the skill that the player has almost surely."""
        return self.mu - 3 * self.sigma


class LiveRatings:
    """The ratings of all players, changed by :meth:`add`."""

    def __init__(self) -> None:
        self._model: Final = PlackettLuce()
        self._ratings: dict[str, Rating] = {}

    def rating(self, player: str) -> Rating:
        """Return the rating of *player*; of a new one that which everybody starts with."""
        start = self._model.rating()
        return self._ratings.get(player, Rating(start.mu, start.sigma))

    def add(self, outcome: Outcome) -> None:
        """Take one outcome in; one with a single player changes nothing."""
        if not outcome.rated:
            return
        before = [self.rating(player) for player in outcome.players]
        teams = [[self._model.rating(mu=mu, sigma=sigma)] for mu, sigma in before]
        ranks = [float(outcome.place(player)) for player in outcome.players]
        for player, (after,) in zip(
            outcome.players, self._model.rate(teams, ranks=ranks), strict=True
        ):
            self._ratings[player] = Rating(after.mu, after.sigma)

    def standings(self) -> list[tuple[str, Rating]]:
        """Return all rated players, best first."""
        return sorted(self._ratings.items(), key=lambda item: (-item[1].ordinal, item[0]))
