"""The comparison keeps its error rates although it may stop after every block."""

from __future__ import annotations

import numpy as np
import pytest

from taflhall_client.rating import Comparison, Verdict
from taflhall_client.rating.sequential import HORIZON, stakes

RUNS = 10_000
BLOCKS = 400
ALPHA = 0.05


def stopped(draw, mean: float, runs: int = RUNS, blocks: int = BLOCKS) -> tuple[float, float]:
    """Return how many of the runs ever call the first bot better, and how many worse.

    All runs at once, with the stakes of the product, against the hypothesis that the mean is 0.
    """
    rng = np.random.default_rng(7)
    up, down = np.zeros(runs), np.zeros(runs)
    total, squares = np.zeros(runs), np.ones(runs)
    better, worse = np.zeros(runs, dtype=bool), np.zeros(runs, dtype=bool)
    zero = np.zeros(1)
    for block in range(blocks):
        found = np.clip(draw(rng, runs, mean), -1, 1)
        bets = stakes(zero, squares / (block + 1), ALPHA, HORIZON)
        up += np.log1p(bets[0] * found)
        down += np.log1p(-bets[1] * found)
        total += found
        squares += (found - total / (block + 2)) ** 2
        better |= ~worse & (up + np.log(0.5) >= np.log(1 / ALPHA))
        worse |= ~better & (down + np.log(0.5) >= np.log(1 / ALPHA))
    return better.mean(), worse.mean()


def coins(rng, runs, mean):
    return np.where(rng.random(runs) < (1 + mean) / 2, 1.0, -1.0)


def pairs(rng, runs, mean):
    """Two matches on swapped seats: mostly one win each, since the seat decides."""
    swing = rng.random(runs) < 0.3
    return np.where(swing, coins(rng, runs, mean / 0.3), 0.0)


@pytest.mark.parametrize("draw", [coins, pairs])
def test_equal_bots_are_called_different_in_at_most_alpha_of_10_000_runs(draw):
    better, worse = stopped(draw, 0.0)
    assert better + worse <= ALPHA
    assert better + worse > 0.002  # a test that never errs could not decide anything either


@pytest.mark.parametrize(("draw", "mean"), [(coins, 0.25), (pairs, 0.12)])
def test_a_better_bot_is_found_in_most_of_10_000_runs_and_hardly_ever_the_other(draw, mean):
    better, worse = stopped(draw, mean)
    assert better > 0.9
    assert worse < 0.001


def test_the_vectorised_runs_of_this_file_decide_as_the_product_does():
    rng = np.random.default_rng(5)
    comparison, up, total, squares = Comparison(ALPHA), 0.0, 0.0, 1.0
    zero = np.zeros(1)
    for block in range(60):
        found = float(coins(rng, 1, 0.6)[0])
        up += float(np.log1p(stakes(zero, squares / (block + 1), ALPHA, HORIZON)[0] * found)[0])
        total += found
        squares += (found - total / (block + 2)) ** 2
        comparison.add(found)
        assert (comparison.verdict is Verdict.BETTER) == (up + np.log(0.5) >= np.log(1 / ALPHA))
        if comparison.verdict is Verdict.BETTER:
            return
    pytest.fail("the better bot was not found")


@pytest.mark.parametrize("mean", [-0.6, 0.0, 0.3])
def test_the_interval_covers_the_mean_at_all_times_at_once(mean):
    rng = np.random.default_rng(11)
    missed = 0
    for _ in range(200):
        comparison = Comparison(ALPHA)
        for found in coins(rng, 100, mean):
            comparison.add(float(found))
        low, high = comparison.interval
        missed += not low <= mean <= high
    assert missed / 200 <= ALPHA + 0.03


def test_the_interval_narrows():
    rng = np.random.default_rng(13)
    comparison, widths = Comparison(), []
    for count in (20, 200, 1000):
        while comparison.blocks < count:
            comparison.add(float(coins(rng, 1, 0.2)[0]))
        low, high = comparison.interval
        widths.append(high - low)
    assert widths[0] > widths[1] > widths[2]
    assert widths[2] < 0.3


def test_a_difference_out_of_range_is_refused():
    with pytest.raises(ValueError, match="between -1 and 1"):
        Comparison().add(1.5)
