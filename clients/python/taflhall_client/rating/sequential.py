"""Whether one bot is better than another, decided as soon as the matches allow it.

The observations are blocks: the two bots play one deal on swapped seats, and the difference of
their scores, between -1 and 1, is the observation. Blocks are independent, and they count in the
order of the schedule, never in the order in which they end, so short matches have no advantage.

The test is a betting martingale (Waudby-Smith and Ramdas 2023): a gambler bets against "the mean is
m" with stakes that depend on earlier blocks only. Under that hypothesis the capital is a
supermartingale, so it ever reaches 1/alpha with a chance of at most alpha (Ville's inequality). One
may look after every block, stop whenever one likes, and the error rates hold without any assumption
about the distribution. The hypotheses that have not been ruined form a confidence interval for the
mean that is valid at all times at once.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

GRID: Final = 401
"""Hypotheses about the mean: from -1 to 1 in steps of 0.005."""

HORIZON: Final = 200
"""The number of blocks that the stakes are tuned for; errors stay bounded with any other too."""

BOLD: Final = 0.5
"""The largest stake, as a share of what would ruin the gambler."""


class Verdict(Enum):
    """The verdict after the blocks so far."""

    BETTER = "better"
    WORSE = "worse"
    OPEN = "open"


class Comparison:
    """The confidence interval of a mean score difference, valid at every time.

    *alpha* is the chance that the interval ever misses the true mean. The interval is shortest
    after about *horizon* blocks.
    """

    def __init__(self, alpha: float = 0.05, horizon: int = HORIZON) -> None:
        self.alpha: Final = alpha
        self.horizon: Final = horizon
        self.blocks = 0
        self._means: Final = np.linspace(-1.0, 1.0, GRID)
        self._log_up: Floats = np.zeros(GRID)
        self._log_down: Floats = np.zeros(GRID)
        self._alive = np.ones(GRID, dtype=np.bool_)
        self._sum = 0.0
        self._squares = 1.0

    def add(self, difference: float) -> None:
        """Take in the score difference of the next block of the schedule, -1 to 1."""
        if not -1.0 <= difference <= 1.0:
            raise ValueError(f"a score difference is between -1 and 1, not {difference}")
        variance = self._squares / (self.blocks + 1)
        up, down = stakes(self._means, variance, self.alpha, self.horizon)
        excess = difference - self._means
        self._log_up += np.log1p(up * excess)
        self._log_down += np.log1p(-down * excess)
        self.blocks += 1
        self._sum += difference
        mean = self._sum / (self.blocks + 1)
        self._squares += (difference - mean) ** 2
        capital = np.maximum(self._log_up, self._log_down) + np.log(0.5)
        self._alive &= capital < np.log(1 / self.alpha)

    @property
    def mean(self) -> float:
        """The mean difference so far; 0 before the first block."""
        return self._sum / self.blocks if self.blocks else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of the mean difference."""
        alive = self._means[self._alive]
        if not alive.size:
            return self.mean, self.mean
        step = 2.0 / (GRID - 1)
        return max(-1.0, float(alive[0]) - step), min(1.0, float(alive[-1]) + step)

    @property
    def verdict(self) -> Verdict:
        """Whether the first bot is better or worse, or it is still open."""
        at_zero = self._means[self._alive]
        if not at_zero.size or at_zero[0] <= 0.0 <= at_zero[-1]:
            return Verdict.OPEN
        return Verdict.BETTER if at_zero[0] > 0.0 else Verdict.WORSE


def stakes(
    means: Floats, variance: Floats | float, alpha: float, horizon: int
) -> tuple[Floats, Floats]:
    """Return how much to bet on "above" and on "below" each of *means* for the next block.

    *variance* is that of the blocks before. The stake is the best one for *horizon* blocks of that
    variance, and never risks more than :data:`BOLD` of what would ruin the gambler.
    """
    stake = np.sqrt(2 * np.log(2 / alpha) / (variance * horizon))
    room = 1e-9
    return (
        np.minimum(stake, BOLD / (1 + means + room)),
        np.minimum(stake, BOLD / (1 - means + room)),
    )
