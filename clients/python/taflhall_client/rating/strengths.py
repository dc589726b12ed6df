"""Strengths by maximum likelihood: Bradley-Terry for two players, Plackett-Luce for more.

In a match the best place is drawn first, each player with a chance proportional to the exponential
of its strength, then the next place among the rest, and so on (Luce 1959, Plackett 1975). The fit
maximises the likelihood of all outcomes at once, by Newton's method; the likelihood is concave in
the logarithms. Strengths are shown on the scale of Elo, with their mean at 0: 400 points are odds
of ten to one.

A maximum exists only if no group of players won all its comparisons with the others (Ford 1957).
A *prior*, a number of tied games of each player against an average one, ensures that it exists.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from taflhall_client.rating.outcome import Outcome, rated

ELO: Final = 400 / math.log(10)
"""Points of Elo for one unit of log-strength."""

PRIOR: Final = 0.5
ROUNDS: Final = 100
PRECISION: Final = 1e-9

Floats = NDArray[np.float64]
Stage = tuple[tuple[int, ...], tuple[int, ...]]
"""One tied place: the players who may have taken it, and the others still in the game."""


class NoMaximum(ValueError):
    """The likelihood has no maximum: *ahead* won every comparison with the others, or met none."""

    def __init__(self, ahead: Sequence[str]) -> None:
        super().__init__(
            f"{', '.join(ahead)} never lost to any of the others: use a prior, or play more matches"
        )
        self.ahead = tuple(ahead)


@dataclass(frozen=True, slots=True)
class Estimate:
    """The strength of one player, in points of Elo relative to the mean of all."""

    player: str
    points: float
    low: float
    high: float
    matches: int


@dataclass(frozen=True, slots=True)
class Strengths:
    """Estimates of all players, strongest first."""

    estimates: tuple[Estimate, ...]
    log_likelihood: float
    covariance: Mapping[tuple[str, str], float] = field(default_factory=dict, repr=False)
    """Of the points of each two players, by the likelihood; empty for a :func:`bootstrap`."""

    def points(self, player: str) -> float:
        """Return the strength of *player* in points of Elo."""
        return next(e.points for e in self.estimates if e.player == player)

    def error(self, player: str, opponent: str) -> float:
        """Return the standard error of the difference of two players' points."""
        c = self.covariance
        spread = c[player, player] + c[opponent, opponent] - 2 * c[player, opponent]
        return math.sqrt(max(0.0, spread))

    def chance(self, player: str, opponent: str) -> float:
        """Return the chance that *player* comes before *opponent*."""
        return 1 / (1 + math.exp((self.points(opponent) - self.points(player)) / ELO))


def fit(outcomes: Iterable[Outcome], prior: float = PRIOR, level: float = 0.95) -> Strengths:
    """Return the strengths that make *outcomes* most likely, with intervals from the likelihood.

    *level* is the coverage of the intervals. Raise :exc:`NoMaximum` without a prior if there is no
    maximum, ``ValueError`` if no outcome compares anybody.
    """
    model = _Model(rated(outcomes))
    weights = model.weights(np.ones(len(model.blocks)))
    if prior == 0:
        model.demand_connected()
    theta, covariance, likelihood = model.maximum(weights, prior)
    deviation = ELO * np.sqrt(np.diag(covariance))
    reach = NormalDist().inv_cdf((1 + level) / 2) * deviation
    points = ELO * theta
    fitted = model.strengths(points, points - reach, points + reach, likelihood)
    found = {
        (one, other): ELO**2 * float(covariance[i, j])
        for i, one in enumerate(model.players)
        for j, other in enumerate(model.players)
    }
    return replace(fitted, covariance=found)


def bootstrap(
    outcomes: Iterable[Outcome],
    rng: np.random.Generator,
    draws: int = 200,
    prior: float = PRIOR,
    level: float = 0.95,
) -> Strengths:
    """Return :func:`fit` with intervals from *draws* samples of whole blocks.

    A block shares its deal, so its matches are drawn together. The intervals are percentiles.
    """
    model = _Model(rated(outcomes))
    blocks = len(model.blocks)
    theta, _, likelihood = model.maximum(model.weights(np.ones(blocks)), prior)
    samples = np.empty((draws, len(model.players)))
    for draw in range(draws):
        counts = rng.multinomial(blocks, np.full(blocks, 1 / blocks)).astype(np.float64)
        samples[draw] = model.maximum(model.weights(counts), max(prior, PRECISION))[0]
    tail = 100 * (1 - level) / 2
    low, high = np.percentile(ELO * samples, [tail, 100 - tail], axis=0)
    return model.strengths(ELO * theta, low, high, likelihood)


class _Model:
    """The outcomes as stages: which place was drawn among whom, how often in which block."""

    def __init__(self, outcomes: Sequence[Outcome]) -> None:
        if not outcomes:
            raise ValueError("no outcome compares two players")
        self.players: Final = sorted({p for o in outcomes for p in o.players})
        self.blocks: Final = sorted({o.block for o in outcomes})
        self._matches = Counter(p for o in outcomes for p in o.players)
        number = {player: index for index, player in enumerate(self.players)}
        block = {name: index for index, name in enumerate(self.blocks)}
        counted: Counter[tuple[int, Stage]] = Counter()
        for outcome in outcomes:
            tiers = [tuple(sorted(number[p] for p in tier)) for tier in outcome.tiers]
            for stage, weight in stages(tiers):
                counted[block[outcome.block], stage] += weight  # type: ignore[assignment]
        found = sorted({stage for _, stage in counted})
        row = {stage: index for index, stage in enumerate(found)}
        self._stages: Final = found
        self._block_of = np.array([b for b, _ in counted])
        self._stage_of = np.array([row[stage] for _, stage in counted])
        self._weight_of = np.array(list(counted.values()), dtype=np.float64)
        width = max(len(takers) + len(rest) for takers, rest in found)
        nobody = len(self.players)
        self._members = np.full((len(found), width), nobody)
        self._share = np.zeros((len(found), width))
        for index, (takers, rest) in enumerate(found):
            self._members[index, : len(takers) + len(rest)] = takers + rest
            self._share[index, : len(takers)] = 1 / len(takers)

    def weights(self, blocks: Floats) -> Floats:
        """Return how often each stage occurred if block *b* was played ``blocks[b]`` times."""
        counts = self._weight_of * blocks[self._block_of]
        return tally(self._stage_of, counts, len(self._stages))

    def maximum(self, weights: Floats, prior: float) -> tuple[Floats, Floats, float]:
        """Return log-strengths with mean 0, their covariance, and the log-likelihood."""
        players = len(self.players)
        members = self._members
        wins = tally(members, weights[:, None] * self._share, players)
        rows = np.repeat(members, members.shape[1], axis=1).ravel()
        columns = np.tile(members, members.shape[1]).ravel()
        theta = np.zeros(players)
        inverse: Floats = np.zeros((players, players))
        for _ in range(ROUNDS):
            strength = np.append(np.exp(theta), 0.0)[members]
            total = strength.sum(axis=1, keepdims=True)
            chance = strength / total
            expected = tally(members, weights[:, None] * chance, players)
            gradient = wins - expected
            outer = weights[:, None, None] * chance[:, :, None] * chance[:, None, :]
            shared = np.zeros((players + 1, players + 1))
            np.add.at(shared, (rows, columns), outer.ravel())
            curvature = np.diag(expected) - shared[:players, :players]
            against_average = 1 / (1 + np.exp(-theta))
            gradient += prior * (1 - 2 * against_average)
            curvature += np.diag(2 * prior * against_average * (1 - against_average))
            found = np.linalg.pinv(curvature, rcond=1e-12, hermitian=True)
            inverse = np.asarray(found, dtype=np.float64)
            step = inverse @ gradient
            longest = float(np.abs(step).max())
            theta += step * min(1.0, 1.0 / longest if longest else 1.0)
            theta -= theta.mean() if prior == 0 else 0.0
            if longest < PRECISION:
                break
        centre = np.eye(players) - 1 / players
        log_total = np.log(np.append(np.exp(theta), 0.0)[members].sum(axis=1))
        likelihood = float(wins @ theta - weights @ log_total)
        return theta - theta.mean(), centre @ inverse @ centre, likelihood

    def demand_connected(self) -> None:
        """Raise :exc:`NoMaximum` unless everybody lost, through others, to everybody."""
        players = len(self.players)
        beats: list[set[int]] = [set() for _ in range(players)]
        for takers, rest in self._stages:
            for taker in takers:
                beats[taker].update(other for other in takers + rest if other != taker)
        beaten_by: list[set[int]] = [set() for _ in range(players)]
        for winner, losers in enumerate(beats):
            for loser in losers:
                beaten_by[loser].add(winner)
        for edges in (beats, beaten_by):
            reached, todo = {0}, [0]
            while todo:
                for other in edges[todo.pop()] - reached:
                    reached.add(other)
                    todo.append(other)
            if len(reached) < players:
                outside = set(range(players)) - reached
                ahead = outside if edges is beats else reached
                raise NoMaximum([self.players[index] for index in sorted(ahead)])

    def strengths(self, points: Floats, low: Floats, high: Floats, likelihood: float) -> Strengths:
        """Return the estimates of all players, strongest first."""
        estimates = [
            Estimate(p, float(points[i]), float(low[i]), float(high[i]), self._matches[p])
            for i, p in enumerate(self.players)
        ]
        estimates.sort(key=lambda e: (-e.points, e.player))
        return Strengths(tuple(estimates), likelihood)


def tally(where: NDArray[np.int64], what: Floats, size: int) -> Floats:
    """Return for each number below *size* the sum of *what* at the places that hold it."""
    return np.bincount(where.ravel(), what.ravel(), minlength=size).astype(np.float64)[:size]


def stages(tiers: Sequence[tuple[int, ...]]) -> Iterator[tuple[Stage, float]]:
    """Yield the places that were drawn, each with its weight; a tie is the mean of its orders.

    In a random order of *k* tied players each set of them is what is left at some place with the
    same chance, and each of the set takes that place with the same chance.
    """
    below = tuple(player for tier in tiers for player in tier)
    for tier in tiers:
        below = below[len(tier) :]
        for size in range(len(tier), 0, -1):
            if size + len(below) < 2:
                continue
            left = list(combinations(tier, size))
            for takers in left:
                yield (takers, tuple(sorted(below))), 1 / len(left)
