"""The comparison keeps its error rates although it may stop after every block."""

from __future__ import annotations

import numpy as np
import pytest

from taflhall_client.rating.sequential import HORIZON, Comparison, Verdict, stakes
from tests.clients.python.rating.simulation import ALPHA, coins, pairs, simulate


@pytest.mark.parametrize("draw", [coins, pairs])
def test_equal_bots_are_called_different_in_at_most_alpha_of_10_000_runs(draw):
    found = simulate(draw, 0.0)
    assert found.better + found.worse <= ALPHA
    assert found.better + found.worse > 0.002  # one that never errs could not decide either


@pytest.mark.parametrize(("draw", "mean"), [(coins, 0.25), (pairs, 0.12)])
def test_a_better_bot_is_found_in_most_of_10_000_runs_and_hardly_ever_the_other(draw, mean):
    found = simulate(draw, mean)
    assert found.better > 0.9
    assert found.worse < 0.001
    assert np.median(found.blocks) < 200


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
