"""Outcomes, cross tables and results by seat."""

from __future__ import annotations

import pytest

from taflhall_client.rating.outcome import Outcome
from taflhall_client.rating.tables import cross_table, seat_table


def test_places_become_tiers_and_a_bot_with_two_seats_has_the_better_place():
    outcome = Outcome.of_places(["x", "y", "x", "z"], [3, 2, 1, 3])
    assert outcome.tiers == (("x",), ("y",), ("z",))
    assert [outcome.place(p) for p in "xyz"] == [1, 2, 3]


def test_a_score_is_the_share_of_opponents_beaten():
    outcome = Outcome((("a",), ("b", "c"), ("d",)))
    assert [outcome.score(p) for p in "abcd"] == [1.0, 0.5, 0.5, 0.0]


def test_the_cross_table_reconciles():
    outcomes = [Outcome((("a",), ("b", "c"))), Outcome((("b",), ("a",)))]
    table = cross_table(outcomes)
    assert (table["a", "b"].wins, table["a", "b"].losses, table["a", "b"].ties) == (1, 1, 0)
    assert table["b", "c"].ties == table["c", "b"].ties == 1
    for (one, other), cell in table.items():
        assert cell.wins == table[other, one].losses
        assert cell.score + table[other, one].score == pytest.approx(1)


def test_results_by_seat():
    table = seat_table(
        [Outcome.of_places(["a", "b"], [1, 2]), Outcome.of_places(["b", "a"], [1, 2])]
    )
    assert table["a", 0].wins == 1
    assert table["a", 1].matches == 1
    assert table["b", 0].score == 1.0


@pytest.mark.parametrize("tiers", [(), ((),), (("a",), ("a",))])
def test_an_outcome_without_players_or_with_one_twice_is_refused(tiers):
    with pytest.raises(ValueError, match="player"):
        Outcome(tiers)
