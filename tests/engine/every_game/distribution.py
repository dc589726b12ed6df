"""Whether what is imagined comes as often as it truly would, given all that a viewer has seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from typing import Any

from tests.benchmarks.champions_dice import chi_square, tail

DRAWS = 20_000
LEAST = 1e-4
"""A true law is refuted by fixed seeds once in ten thousand cases."""


def holds(draw: Callable[[], Hashable], truth: Mapping[Any, float], draws: int = DRAWS) -> None:
    """Draw often, and compare with the *truth*: the probability of each outcome.

    Nothing may come that the viewer can exclude; outcomes expected fewer than five times are
    counted together.
    """
    assert abs(sum(truth.values()) - 1) < 1e-9
    found = Counter(draw() for _ in range(draws))
    assert set(found) <= {outcome for outcome, chance in truth.items() if chance}, "excluded"
    expected, seen, rare, few = [], [], 0.0, 0
    for outcome, chance in truth.items():
        if chance * draws >= 5:
            expected.append(chance * draws)
            seen.append(found[outcome])
        else:
            rare += chance * draws
            few += found[outcome]
    if rare >= 5:
        expected.append(rare)
        seen.append(few)
    if len(expected) > 1:
        assert tail(chi_square(seen, expected), len(expected) - 1) > LEAST, (seen, expected)
