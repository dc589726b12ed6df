"""Who meets whom, as a function of the results so far."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from msgspec.structs import replace

from taflhall_service.app.model.clocks import TimeControl
from taflhall_service.app.tournaments.model import (
    FREE_FOR_ALL,
    GAUNTLET,
    KNOCKOUT,
    PLAYING,
    ROUND_ROBIN,
    SWISS,
    Entrant,
    MatchResult,
    Progress,
    Tournament,
)
from taflhall_service.app.tournaments.schedule import Pairing, match_count, schedule, shares
from taflhall_service.app.tournaments.standings import standings


def tournament(
    entrants: int, seats: int = 2, rounds: int = 1, kind: int = ROUND_ROBIN, game: str = "champions"
) -> Tournament:
    return Tournament(
        "cup",
        b"",
        "Cup",
        game,
        None,
        seats,
        kind,
        rounds,
        1,
        TimeControl(60_000),
        64,
        "host",
        0,
        PLAYING,
        tuple(Entrant(f"a{n}", f"A{n}", 2) for n in range(entrants)),
    )


def result(pairing: Pairing) -> MatchResult:
    """Return how it ends if the account with the lower number is always better."""
    ordered = sorted(set(pairing.accounts), key=lambda account: int(account[1:]))
    places = tuple(ordered.index(account) + 1 for account in pairing.accounts)
    return MatchResult("m", places, tuple(place == 1 for place in places), ())


def played(cup: Tournament) -> tuple[list[Pairing], dict[int, MatchResult]]:
    """Play a tournament to its end."""
    results: dict[int, MatchResult] = {}
    progress = Progress(results, {})
    while left := [p for p in schedule(cup, progress).pairings if p.index not in results]:
        results[left[0].index] = result(left[0])
    return schedule(cup, progress).pairings, results


@pytest.mark.parametrize(("entrants", "seats", "rounds"), [(2, 2, 1), (5, 2, 3), (4, 3, 2)])
def test_in_a_round_robin_every_group_meets_and_everybody_has_every_seat_once(
    entrants, seats, rounds
):
    cup = tournament(entrants, seats, rounds)
    pairings, _ = played(cup)
    assert len(pairings) == match_count(cup)
    groups = Counter(frozenset(p.accounts) for p in pairings)
    accounts = [f"a{n}" for n in range(entrants)]
    assert groups == {frozenset(g): seats * rounds for g in combinations(accounts, seats)}
    at = Counter((account, seat) for p in pairings for seat, account in enumerate(p.accounts))
    assert len(set(at.values())) == 1


@pytest.mark.parametrize("entrants", [4, 5, 8, 9])
def test_in_a_swiss_tournament_no_two_meet_twice_and_nobody_has_two_byes(entrants):
    cup = tournament(entrants, 2, 3, SWISS)
    pairings, results = played(cup)
    assert len(pairings) == match_count(cup)
    met = Counter(frozenset(p.accounts) for p in pairings)
    assert set(met.values()) == {2}
    byes = schedule(cup, Progress(results, {})).byes
    assert sum(byes.values()) == 3 * (entrants % 2)
    assert max(byes.values(), default=0) <= 1


def test_a_swiss_round_waits_for_the_results_of_the_one_before():
    cup = tournament(4, 2, 2, SWISS)
    first = schedule(cup, Progress({}, {})).pairings
    assert {p.round for p in first} == {1}
    results = {p.index: result(p) for p in first[:-1]}
    assert schedule(cup, Progress(results, {})).pairings == first
    results[first[-1].index] = result(first[-1])
    assert {p.round for p in schedule(cup, Progress(results, {})).pairings} == {1, 2}


def test_the_winners_of_a_swiss_round_meet_in_the_next():
    cup = tournament(8, 2, 2, SWISS)
    pairings, results = played(cup)
    winners = {p.accounts[results[p.index].places.index(1)] for p in pairings if p.round == 1}
    second = [p for p in pairings if p.round == 2]
    assert sum(set(p.accounts) <= winners for p in second) == 4


@pytest.mark.parametrize("entrants", [7, 9])
@pytest.mark.parametrize("name", [f"cup {number}" for number in range(9)])
def test_the_leader_of_a_swiss_tournament_is_first_in_the_next_round(entrants, name):
    """Also when some have had a bye, which is a round won."""
    cup = replace(tournament(entrants, 2, 5, SWISS), id=name)
    results: dict[int, MatchResult] = {}
    for number in range(1, 6):
        now = Progress(results, {})
        found = [p for p in schedule(cup, now).pairings if p.round == number]
        points = {line.account: line.points for line in standings(cup, now)}
        assert points[found[0].accounts[0]] == max(points.values()) or number == 1
        results.update({p.index: result(p) for p in found})


def won_alone(pairing: Pairing, *winners: str) -> MatchResult:
    """Return how a match of a cooperative game ends, which only *winners* win."""
    won = pairing.accounts[0] in winners
    return MatchResult("m", (1, 1), (won, won), ())


def test_in_a_cooperative_game_those_who_have_won_play_first_in_the_next_round():
    cup = tournament(3, 2, 2, SWISS, game="yggdrasil")
    for account in ("a0", "a1", "a2"):
        first = schedule(cup, Progress({}, {})).pairings
        results = {p.index: won_alone(p, account) for p in first}
        assert schedule(cup, Progress(results, {})).pairings[3].accounts[0] == account


def test_in_a_cooperative_game_a_point_is_a_match_that_was_won():
    cup = tournament(3, 2, 2, game="yggdrasil")
    found = schedule(cup, Progress({}, {})).pairings
    results = {p.index: won_alone(p, "a1", *["a0"][: p.round - 1]) for p in found}
    lines = standings(cup, Progress(results, {}))
    assert [(s.place, s.account, s.points, s.matches, s.wins) for s in lines] == [
        (1, "a1", 2.0, 2, 2),
        (2, "a0", 1.0, 2, 1),
        (3, "a2", 0.0, 2, 0),
    ]


def test_in_a_cooperative_game_every_entrant_plays_alone_at_all_seats():
    cup = tournament(3, 2, 2, game="yggdrasil")
    pairings, _ = played(cup)
    assert [p.accounts for p in pairings] == [(f"a{n}",) * 2 for n in (0, 1, 2)] * 2


@pytest.mark.parametrize(("entrants", "seats", "rounds"), [(8, 2, 1), (5, 2, 2), (9, 4, 1)])
def test_a_knockout_is_played_to_one_winner_who_comes_first(entrants, seats, rounds):
    cup = tournament(entrants, seats, rounds, KNOCKOUT)
    pairings, results = played(cup)
    assert len(pairings) <= match_count(cup)
    lines = standings(cup, Progress(results, {}))
    assert [line.place for line in lines].count(1) == 1
    assert lines[0].account == "a0"


def test_a_knockout_that_is_played_on_after_a_tie_has_its_matches_in_order():
    cup = tournament(4, 2, 2, KNOCKOUT)
    first = schedule(cup, Progress({}, {})).pairings
    drawn = {p.index: MatchResult("m", (1, 1), (False, False), ()) for p in first}
    found = [p.index for p in schedule(cup, Progress(drawn, {})).pairings]
    assert found == list(range(8))


def test_an_entrant_who_advances_by_a_bye_is_before_those_who_do_not():
    """Of three, a0 has the bye and loses the last match to a1, who has won against a2."""
    cup, better = tournament(3, 2, 1, KNOCKOUT), ["a1", "a0", "a2"]
    results: dict[int, MatchResult] = {}
    while left := [
        p for p in schedule(cup, Progress(results, {})).pairings if p.index not in results
    ]:
        first = min(left[0].accounts, key=better.index)
        won = tuple(account == first for account in left[0].accounts)
        results[left[0].index] = MatchResult("m", tuple(1 if w else 2 for w in won), won, ())
    lines = standings(cup, Progress(results, {}))
    assert [(line.place, line.account) for line in lines] == [(1, "a1"), (2, "a0"), (3, "a2")]


def test_in_a_gauntlet_only_the_first_entrant_meets_everybody():
    pairings, _ = played(tournament(4, 2, 1, GAUNTLET))
    assert Counter(frozenset(p.accounts) for p in pairings) == {
        frozenset(("a0", f"a{n}")): 2 for n in (1, 2, 3)
    }


def test_in_a_free_for_all_everybody_plays_in_every_round():
    cup = tournament(7, 4, 6, FREE_FOR_ALL)
    pairings, _ = played(cup)
    assert len(pairings) == match_count(cup)
    for number in range(1, 7):
        here = {account for p in pairings if p.round == number for account in p.accounts}
        assert here == {f"a{n}" for n in range(7)}


def test_a_match_that_was_set_aside_is_another_try_of_the_same_pairing():
    cup = tournament(2)
    first, second = schedule(cup, Progress({}, {1: 2})).pairings
    assert (first.tries, second.tries) == (0, 2)


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 2), [1.0, 0.0]),
        ((1, 1), [0.5, 0.5]),
        ((2, 1, 3), [0.5, 1.0, 0.0]),
        ((1, 2, 2, 4), [1.0, 0.5, 0.5, 0.0]),
    ],
)
def test_points_are_the_share_of_opponents_that_came_behind(places, points):
    assert shares(places) == pytest.approx(points)


def test_standings_are_by_points_and_equal_ones_share_a_place():
    cup = tournament(3)
    _, results = played(cup)
    lines = standings(cup, Progress(results, {}))
    assert [(s.place, s.account, s.points, s.matches, s.wins) for s in lines] == [
        (1, "a0", 4.0, 4, 4),
        (2, "a1", 2.0, 4, 2),
        (3, "a2", 0.0, 4, 0),
    ]
    assert {s.place for s in standings(cup, Progress({}, {}))} == {1}


def test_equal_points_share_a_place_that_is_not_the_first():
    cup = tournament(3)
    pairings = schedule(cup, Progress({}, {})).pairings
    drawn = MatchResult("m", (1, 1), (False, False), ())
    results = {p.index: result(p) if "a0" in p.accounts else drawn for p in pairings}
    lines = standings(cup, Progress(results, {}))
    assert [(line.place, line.account) for line in lines] == [(1, "a0"), (2, "a1"), (2, "a2")]


def test_a_match_without_a_result_counts_for_nobody():
    cup = tournament(2)
    nothing = MatchResult("m", (), (), ())
    lines = standings(cup, Progress({0: nothing, 1: nothing}, {}))
    assert [(s.points, s.matches) for s in lines] == [(0.0, 0)] * 2


def test_a_bye_counts_as_if_all_matches_of_the_round_had_been_won():
    cup = tournament(3, 2, 1, SWISS)
    _, results = played(cup)
    (rested,) = schedule(cup, Progress(results, {})).byes
    (line,) = [s for s in standings(cup, Progress(results, {})) if s.account == rested]
    assert (line.points, line.matches) == (2.0, 0)
