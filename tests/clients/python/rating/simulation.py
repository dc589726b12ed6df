"""Many comparisons of two bots at once, with the stakes of the product."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from taflhall_client.rating.sequential import HORIZON, Floats, stakes

ALPHA: Final = 0.05
BLOCKS: Final = 400
RUNS: Final = 10_000

Draw = Callable[[np.random.Generator, int, float], Floats]
"""Draws the difference of one block in each of a number of runs, with a mean."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How the comparisons of a simulation ended."""

    better: float
    """The share of runs that ever called the first bot better."""
    worse: float
    """The share that ever called it worse, before that."""
    blocks: NDArray[np.int64]
    """By run, the block after which it was decided, and the last one if it was not."""


def simulate(
    draw: Draw, mean: float, runs: int = RUNS, blocks: int = BLOCKS, seed: int = 7
) -> Outcomes:
    """Compare two bots in *runs* runs, each until it is decided, but for *blocks* at most."""
    rng = np.random.default_rng(seed)
    up, down = np.zeros(runs), np.zeros(runs)
    total, squares = np.zeros(runs), np.ones(runs)
    better, worse = np.zeros(runs, dtype=bool), np.zeros(runs, dtype=bool)
    ended = np.full(runs, blocks)
    zero = np.zeros(1)
    for block in range(blocks):
        found = np.clip(draw(rng, runs, mean), -1, 1)
        bets = stakes(zero, squares / (block + 1), ALPHA, HORIZON)
        up += np.log1p(bets[0] * found)
        down += np.log1p(-bets[1] * found)
        total += found
        squares += (found - total / (block + 2)) ** 2
        before = better | worse
        better |= ~worse & (up + np.log(0.5) >= np.log(1 / ALPHA))
        worse |= ~better & (down + np.log(0.5) >= np.log(1 / ALPHA))
        ended[(better | worse) & ~before] = block + 1
    return Outcomes(float(better.mean()), float(worse.mean()), ended)


def coins(rng: np.random.Generator, runs: int, mean: float) -> Floats:
    """One bot wins everything in each block."""
    return np.where(rng.random(runs) < (1 + mean) / 2, 1.0, -1.0)


def pairs(rng: np.random.Generator, runs: int, mean: float) -> Floats:
    """Two matches on swapped seats: mostly one win each, since the seat decides."""
    swing = rng.random(runs) < 0.3
    return np.where(swing, coins(rng, runs, mean / 0.3), 0.0)
