"""How many matches a worker of a tournament is given ahead, and how long results are gathered."""

from __future__ import annotations

import pytest

from taflhall_client.tournament.workers import AHEAD, GATHER_SECONDS, MOST_AHEAD, Pace


def test_nothing_is_gathered_before_a_match_has_been_played():
    pace = Pace()
    assert (pace.ahead, pace.gather_seconds) == (AHEAD, 0.0)


@pytest.mark.parametrize(
    ("seconds", "ahead", "gather_seconds"),
    [
        (0.0, MOST_AHEAD, 0.0),
        (0.03, MOST_AHEAD, 0.24),
        (0.1, 10, GATHER_SECONDS),
        (0.15, 7, GATHER_SECONDS),
        (30.0, AHEAD, GATHER_SECONDS),
    ],
)
def test_a_worker_has_matches_for_twice_as_long_as_results_are_gathered(
    seconds: float, ahead: int, gather_seconds: float
):
    pace = Pace()
    for _ in range(3):
        pace.add(seconds)
    assert pace.ahead == ahead
    assert pace.gather_seconds == pytest.approx(gather_seconds)
    assert pace.ahead * seconds >= 2 * pace.gather_seconds - 1e-9


def test_the_length_of_a_match_is_the_mean_of_all():
    pace = Pace()
    for seconds in (0.05, 0.15):
        pace.add(seconds)
    assert (pace.ahead, pace.gather_seconds) == (10, GATHER_SECONDS)
