"""The fit finds the published answers, and obeys the laws of a rating."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taflhall_client.rating.outcome import Outcome
from taflhall_client.rating.strengths import ELO, NoMaximum, bootstrap, fit, stages
from taflhall_client.rating.teams import Challenge, fit_teams

TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
BASEBALL = (
    (0, 7, 9, 7, 7, 9, 11),
    (6, 0, 7, 5, 11, 9, 9),
    (4, 6, 0, 7, 7, 8, 12),
    (6, 8, 6, 0, 6, 7, 10),
    (6, 2, 6, 7, 0, 7, 12),
    (4, 4, 5, 6, 6, 0, 6),
    (2, 4, 1, 3, 1, 7, 0),
)
"""Wins of the row against the column, American League of 1987 (Agresti 2002, 10.6)."""

PUBLISHED = (1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0)
"""Log-strengths relative to Baltimore, as published for these data."""


JOURNALS = ("Biometrika", "Communications in Statistics", "JASA", "JRSS-B")
CITATIONS = (
    (714, 730, 498, 221),
    (33, 425, 68, 17),
    (320, 813, 1072, 142),
    (284, 276, 325, 188),
)
"""Citations of the row's journal in the column's, 1987 to 1989 (Stigler 1994)."""

CITED = {
    "Communications in Statistics": (-2.9491, 0.1026),
    "JASA": (-0.4796, 0.0606),
    "JRSS-B": (0.2690, 0.0708),
}
"""Log-strengths relative to Biometrika, with standard errors (Turner and Firth 2012)."""


def duels(*results: tuple[str, str]) -> list[Outcome]:
    return [Outcome(((winner,), (loser,)), block) for block, (winner, loser) in enumerate(results)]


def test_bradley_terry_gives_the_published_strengths_of_baseball_teams():
    fitted = fit(wins_of(TEAMS, BASEBALL), prior=0)
    for team, expected in zip(TEAMS, PUBLISHED, strict=True):
        found = (fitted.points(team) - fitted.points("Baltimore")) / ELO
        assert found == pytest.approx(expected, abs=1e-4)


def wins_of(names: Sequence[str], table: Sequence[Sequence[int]]) -> list[Outcome]:
    return [
        Outcome(((winner,), (loser,)))
        for winner, row in zip(names, table, strict=True)
        for loser, wins in zip(names, row, strict=True)
        for _ in range(wins if winner != loser else 0)
    ]


def test_bradley_terry_gives_the_published_strengths_and_errors_of_statistical_journals():
    outcomes = wins_of(JOURNALS, CITATIONS)
    fitted = fit(outcomes, prior=0)
    for journal, (strength, error) in CITED.items():
        found = (fitted.points(journal) - fitted.points("Biometrika")) / ELO
        assert found == pytest.approx(strength, abs=1e-4)
        assert fitted.error(journal, "Biometrika") / ELO == pytest.approx(error, abs=1e-4)


def test_plackett_luce_recovers_strengths_from_races_of_four():
    rng = np.random.default_rng(1)
    true = {"a": 0.0, "b": 0.5, "c": 1.0, "d": 2.0}
    outcomes = []
    for block in range(4000):  # adding Gumbel noise and sorting draws from Plackett-Luce
        drawn = sorted(true, key=lambda p: -(true[p] + rng.gumbel()))
        outcomes.append(Outcome(tuple((p,) for p in drawn), block))
    fitted = fit(outcomes, prior=0)
    for player, strength in true.items():
        found = (fitted.points(player) - fitted.points("a")) / ELO
        assert found == pytest.approx(strength, abs=0.1)


def test_the_likelihood_is_that_of_the_definition():
    outcome = Outcome((("a",), ("b",), ("c",)))
    fitted = fit([outcome, *duels(("b", "a"), ("c", "a"), ("a", "c"), ("c", "b"))], prior=0)
    strength = {p: math.exp(fitted.points(p) / ELO) for p in "abc"}
    a, b, c = strength["a"], strength["b"], strength["c"]
    chance = a / (a + b + c) * b / (b + c) * b / (a + b) * c / (a + c) * a / (a + c) * c / (b + c)
    assert fitted.log_likelihood == pytest.approx(math.log(chance))


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_tie_counts_as_the_mean_of_all_orders(size):
    tied, last = tuple(range(size)), (size,)
    found: dict[tuple[int, frozenset[int]], float] = {}
    for (takers, rest), weight in stages([tied, last]):
        for taker in takers:
            key = (taker, frozenset(takers + rest))
            found[key] = found.get(key, 0.0) + weight / len(takers)
    expected: dict[tuple[int, frozenset[int]], float] = {}
    orders = list(permutations(tied))
    for order in orders:
        for index, taker in enumerate(order):
            key = (taker, frozenset((*order[index:], *last)))
            expected[key] = expected.get(key, 0.0) + 1 / len(orders)
    assert found == pytest.approx(expected)


def test_without_a_prior_a_player_who_never_lost_is_named():
    with pytest.raises(NoMaximum) as error:
        fit(duels(("a", "b"), ("b", "c"), ("c", "b")), prior=0)
    assert error.value.ahead == ("a",)
    assert fit(duels(("a", "b"), ("b", "c"), ("c", "b"))).points("a") > 0


def test_intervals_cover_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(2)
    covered = 0
    for _ in range(300):
        wins = rng.random(60) < 1 / (1 + math.exp(-1.0))
        outcomes = duels(*[("a", "b") if won else ("b", "a") for won in wins])
        estimate = fit(outcomes, prior=0).estimates[0]
        truth = ELO / 2 if estimate.player == "a" else -ELO / 2
        covered += estimate.low <= truth <= estimate.high
    assert 0.91 < covered / 300 < 0.985


def test_bootstrap_intervals_are_those_of_the_likelihood_for_independent_blocks():
    rng = np.random.default_rng(3)
    wins = rng.random(400) < 0.65
    outcomes = duels(*[("a", "b") if won else ("b", "a") for won in wins])
    one, other = fit(outcomes).estimates[0], bootstrap(outcomes, rng, draws=400).estimates[0]
    assert other.points == one.points
    assert other.high - other.low == pytest.approx(one.high - one.low, rel=0.2)


def test_matches_of_one_block_are_drawn_together():
    copies = [
        Outcome(((w,), (loser,)), block)
        for block, (w, loser) in enumerate([("a", "b"), ("b", "a"), ("a", "b")] * 10)
        for _ in range(8)
    ]
    apart = [Outcome(o.tiers, block) for block, o in enumerate(copies)]
    rng = np.random.default_rng(4)
    wide = bootstrap(copies, rng).estimates[0]
    narrow = bootstrap(apart, rng).estimates[0]
    assert wide.high - wide.low > 1.8 * (narrow.high - narrow.low)


PLAYERS = "abcd"
RANKINGS = st.permutations(PLAYERS).flatmap(
    lambda order: st.lists(st.booleans(), min_size=3, max_size=3).map(
        lambda ties: _tiers(order, ties)
    )
)


def _tiers(order: list[str], ties: list[bool]) -> tuple[tuple[str, ...], ...]:
    tiers = [[order[0]]]
    for player, tied in zip(order[1:], ties, strict=True):
        if tied:
            tiers[-1].append(player)
        else:
            tiers.append([player])
    return tuple(tuple(tier) for tier in tiers)


@given(st.lists(RANKINGS, min_size=1, max_size=6), st.data())
@settings(max_examples=150, deadline=None)
def test_a_better_place_never_makes_a_player_weaker(rankings, data):
    chosen = data.draw(st.integers(0, len(rankings) - 1))
    tiers = rankings[chosen]
    index = data.draw(st.integers(0, len(tiers) - 1))
    player = data.draw(st.sampled_from(tiers[index]))
    rest = [tuple(p for p in tier if p != player) for tier in tiers]
    target = data.draw(st.integers(0, index))
    better = [tier for tier in [*rest[:target], (player,), *rest[target:]] if tier]
    before = fit([Outcome(r) for r in rankings])
    after = fit([Outcome(tuple(better) if i == chosen else r) for i, r in enumerate(rankings)])
    assert after.points(player) >= before.points(player) - 1e-6


@given(RANKINGS)
@settings(max_examples=60, deadline=None)
def test_equal_places_give_equal_strengths(tiers):
    fitted = fit([Outcome(tiers)])
    for tier in tiers:
        points = [fitted.points(player) for player in tier]
        assert points == pytest.approx([points[0]] * len(points), abs=1e-6)


def test_teams_that_met_different_scenarios_are_compared_on_one_scale():
    challenges = (
        [Challenge("ann", "easy", won=n % 10 < 8) for n in range(40)]
        + [Challenge("bob", "easy", won=n % 10 < 5) for n in range(40)]
        + [Challenge("bob", "hard", won=n % 10 < 2) for n in range(40)]
    )
    teams, scenarios = fit_teams(challenges)
    assert teams.points("ann") > teams.points("bob")
    assert scenarios.points("hard") > scenarios.points("easy")
