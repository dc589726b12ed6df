"""Ratings that change after each match."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taflhall_client.rating.live import LiveRatings
from taflhall_client.rating.outcome import Outcome

PLAYERS = ("a", "b", "c", "d")


def after(*outcomes: Outcome) -> LiveRatings:
    ratings = LiveRatings()
    for outcome in outcomes:
        ratings.add(outcome)
    return ratings


HISTORIES = st.lists(
    st.permutations(PLAYERS).map(lambda order: Outcome(tuple((p,) for p in order))), max_size=5
)


@given(HISTORIES, st.permutations(PLAYERS), st.integers(1, 3))
@settings(max_examples=100, deadline=None)
def test_a_better_place_never_moves_a_player_less_up(history, order, index):
    player = order[index]
    higher = [*order[: index - 1], player, order[index - 1], *order[index + 1 :]]
    low = after(*history, Outcome(tuple((p,) for p in order))).rating(player)
    high = after(*history, Outcome(tuple((p,) for p in higher))).rating(player)
    assert high.mu >= low.mu - 1e-9


@given(st.integers(2, 4))
def test_equal_ratings_and_places_move_equally(count):
    ratings = after(Outcome((PLAYERS[:count],)))
    moved = [ratings.rating(player) for player in PLAYERS[:count]]
    assert [r.mu for r in moved] == pytest.approx([moved[0].mu] * count)
    assert [r.sigma for r in moved] == pytest.approx([moved[0].sigma] * count)


def test_two_new_players_move_as_weng_and_lin_published():
    """Algorithm 4 of Weng and Lin (2011); before a match skill drifts by a 300th of the start."""
    sigma, beta = math.hypot(25 / 3, 25 / 300), 25 / 6
    c = math.sqrt(2 * (sigma**2 + beta**2))
    moved = sigma**2 / c * 0.5
    left = sigma**2 * (1 - sigma / c * (sigma / c) ** 2 * 0.25)
    ratings = after(Outcome((("a",), ("b",))))
    for player, mu in (("a", 25 + moved), ("b", 25 - moved)):
        assert ratings.rating(player).mu == pytest.approx(mu, abs=1e-6)
        assert ratings.rating(player).sigma == pytest.approx(math.sqrt(left), abs=1e-4)


def test_a_match_of_one_player_changes_nothing():
    assert after(Outcome((("a",),))).standings() == []


def test_standings_order_by_what_is_almost_sure():
    ratings = after(*[Outcome((("a",), ("b",), ("c",)))] * 5)
    assert [player for player, _ in ratings.standings()] == ["a", "b", "c"]
