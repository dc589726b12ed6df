"""The small form of tests.faults.tournaments."""

from pathlib import Path

import pytest

from tests.faults.tournaments import hostile, killed


@pytest.mark.slow
def test_hostile_bots_hold_nobody_up_and_all_totals_reconcile(tmp_path: Path):
    text, broken = hostile(tmp_path, rounds=1, bots=8, seconds=3.0)
    assert not broken
    assert "0 lost" in text


@pytest.mark.slow
def test_a_tournament_that_is_killed_ends_with_the_same_standings(tmp_path: Path):
    text, broken = killed(tmp_path, 3, bots=6)
    assert not broken
    assert "killed 3 times" in text
