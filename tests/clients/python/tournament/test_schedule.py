"""What each format asks for, given results."""

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from taflhall_client.tournament.description import Entrant, Scenario, Tournament
from taflhall_client.tournament.results import MatchResult
from taflhall_client.tournament.schedule import Pairing, Schedule, known, pending, secret
from taflhall_client.tournament.standings import standings, team_standings


def cup(form: str, entrants: int, seats: int = 2, rounds: int = 1, **more: Any) -> Tournament:
    names = tuple(Entrant(chr(97 + k), "random") for k in range(entrants))
    game = "yggdrasil" if form == "cooperative" else "champions"
    return Tournament("cup", game, form, seats, rounds, 5, names, **more)


def won_by_the_first_name(pairing: Pairing) -> MatchResult:
    """The earlier letter wins."""
    order = sorted(pairing.entrants)
    places = tuple(1 + order.index(name) for name in pairing.entrants)
    seats = len(places)
    return MatchResult(
        pairing.match_id,
        pairing.entrants,
        places,
        tuple(place == 1 for place in places),
        (),
        (),
        9,
        (0.0,) * seats,
        (4,) * seats,
        scenario=pairing.scenario,
    )


def played_out(tournament: Tournament, shuffle: int = 0) -> dict[str, MatchResult]:
    """Play everything that is asked for; results come in an order drawn by *shuffle*."""
    results: dict[str, MatchResult] = {}
    rng = random.Random(shuffle)
    while todo := pending(tournament, results):
        rng.shuffle(todo)
        for pairing in todo[: 1 + rng.randrange(len(todo))]:
            assert pairing.match_id not in results
            results[pairing.match_id] = won_by_the_first_name(pairing)
        assert len(results) < 10_000
    return results


ALL = [
    cup("round_robin", 5),
    cup("round_robin", 5, 3),
    cup("free_for_all", 7, 4, 6),
    cup("gauntlet", 5, 2, 3),
    cup("swiss", 9, 2, 4),
    cup("swiss", 8, 4, 3),
    cup("knockout", 8),
    cup("knockout", 11, 2, 2),
    cup("knockout", 9, 4),
    cup("ladder", 6, 2, 25),
    cup("cooperative", 3, 2, 4, scenarios=(Scenario("one"), Scenario("two"))),
]


@pytest.mark.parametrize("tournament", ALL, ids=lambda t: f"{t.format}-{len(t.entrants)}-{t.seats}")
def test_the_schedule_is_the_same_in_whatever_order_results_come(tournament):
    first, second = played_out(tournament, 1), played_out(tournament, 2)
    assert first == second
    assert standings(tournament, first.values()) == standings(tournament, second.values())
    assert [p.match_id for p in known(tournament, first)] == sorted(
        first, key=lambda key: tuple(map(int, key.split(".")))
    )


@pytest.mark.parametrize(
    "tournament", ALL[:-1], ids=lambda t: f"{t.format}-{len(t.entrants)}-{t.seats}"
)
def test_a_block_shares_its_deal_and_puts_everybody_at_every_seat_once(tournament):
    blocks: dict[int, list[Pairing]] = {}
    for pairing in known(tournament, played_out(tournament)):
        blocks.setdefault(pairing.block, []).append(pairing)
    for block in blocks.values():
        assert len(block) == tournament.seats
        for seat in range(tournament.seats):
            assert {pairing.entrants[seat] for pairing in block} == set(block[0].entrants)
    assert len({secret(tournament, number) for number in blocks}) == len(blocks)


def test_in_a_round_robin_every_pair_meets_in_every_round():
    met = Counter(frozenset(p.entrants) for p in known(cup("round_robin", 5, 2, 3), {}))
    assert met == {frozenset(pair): 6 for pair in combinations("abcde", 2)}


def test_in_a_gauntlet_the_first_plays_everybody_and_nobody_else_meets():
    met = Counter(frozenset(p.entrants) for p in known(cup("gauntlet", 4), {}))
    assert met == {frozenset("ab"): 2, frozenset("ac"): 2, frozenset("ad"): 2}


def test_in_a_free_for_all_nobody_plays_two_blocks_more_than_another():
    tournament = cup("free_for_all", 7, 4, 6)
    blocks = Counter(
        name for p in known(tournament, {}) if p.match_id.endswith(".0") for name in p.entrants
    )
    assert set(blocks) == set("abcdefg")
    assert max(blocks.values()) - min(blocks.values()) <= 1


def test_in_a_swiss_nobody_meets_twice_or_rests_twice_while_it_can_be_avoided():
    tournament = cup("swiss", 9, 2, 4)
    pairings = known(tournament, played_out(tournament))
    met = Counter(frozenset(p.entrants) for p in pairings)
    assert set(met.values()) == {2}
    matches = Counter(name for p in pairings for name in p.entrants)
    assert sorted(matches.values()) == [6] * 4 + [8] * 5


def test_a_bye_in_a_swiss_counts_as_its_matches_won():
    tournament = cup("swiss", 3, 2, 3)
    lines = standings(tournament, played_out(tournament).values())
    assert [(line.name, line.matches, line.wins, line.points) for line in lines] == [
        ("a", 4, 4, 6.0),
        ("b", 4, 2, 4.0),
        ("c", 4, 0, 2.0),
    ]


@pytest.mark.parametrize(("entrants", "rounds"), [(4, 3), (5, 3), (6, 4), (8, 5)])
def test_in_a_swiss_nobody_meets_twice_though_the_nearest_would(entrants, rounds):
    tournament = cup("swiss", entrants, 2, rounds)
    pairings = known(tournament, played_out(tournament))
    met = Counter(frozenset(p.entrants) for p in pairings)
    assert set(met.values()) == {2}


def test_in_a_swiss_of_more_rounds_than_opponents_meetings_are_spread():
    tournament = cup("swiss", 4, 2, 6)
    pairings = known(tournament, played_out(tournament))
    met = Counter(frozenset(p.entrants) for p in pairings)
    assert set(met.values()) == {4}


def reached(tournament: Tournament, results: dict[str, MatchResult]) -> dict[str, int]:
    schedule = Schedule(tournament, results)
    schedule.more()
    return schedule.reached


def test_in_a_knockout_the_best_survives_and_comes_first():
    tournament = cup("knockout", 8)
    results = played_out(tournament)
    assert reached(tournament, results) == {"a": 3, "b": 2, "c": 1, "d": 1}
    places = {line.name: line.place for line in standings(tournament, results.values())}
    assert (places["a"], places["b"]) == (1, 2)


def test_a_knockout_pairs_the_last_of_the_list_with_the_first():
    first = known(cup("knockout", 8), {})
    assert [set(p.entrants) for p in first[::2]] == [set("ae"), set("bf"), set("cg"), set("dh")]


def test_a_tie_in_a_knockout_goes_on_for_its_rounds_and_then_to_the_higher_seed():
    tournament = cup("knockout", 2, 2, 3)
    results: dict[str, MatchResult] = {}
    while todo := pending(tournament, results):
        for pairing in todo:  # seat 0 always wins, so every block is a tie
            result = won_by_the_first_name(pairing)
            fields = result.to_data() | {"places": (1, 2), "won": (True, False)}
            results[pairing.match_id] = MatchResult.from_data(fields)
    assert len(results) == 6
    assert reached(tournament, results) == {"a": 1}


def test_a_ladder_lets_everybody_play_about_as_often():
    tournament = cup("ladder", 6, 2, 30)
    blocks = Counter(
        name
        for p in known(tournament, played_out(tournament))
        if p.match_id.endswith(".0")
        for name in p.entrants
    )
    assert min(blocks.values()) >= 8


def test_a_ladder_without_end_continues():
    tournament = cup("ladder", 6, 2, 0)
    results: dict[str, MatchResult] = {}
    schedule = Schedule(tournament, results)
    for _ in range(40):
        fresh = schedule.more()
        assert len(fresh) == 6
        results.update({p.match_id: won_by_the_first_name(p) for p in fresh})
    assert not schedule.over


def test_entrants_of_one_team_never_meet_and_their_team_has_their_points():
    names = "abcdef"
    entrants = tuple(Entrant(n, "random", team="red" if n < "d" else "blue") for n in names)
    tournament = Tournament("cup", "champions", "round_robin", 2, 1, 5, entrants)
    results = played_out(tournament)
    assert len(results) == 18
    assert all(len({name < "d" for name in r.entrants}) == 2 for r in results.values())
    teams = team_standings(tournament, standings(tournament, results.values()))
    assert [(team.place, team.name, team.points) for team in teams] == [
        (1, "red", 18.0),
        (2, "blue", 0.0),
    ]


def test_every_team_meets_every_scenario_with_the_same_deals():
    tournament = cup("cooperative", 3, 2, 4, scenarios=(Scenario("one"), Scenario("two")))
    pairings = known(tournament, {})
    assert len(pairings) == 3 * 2 * 4
    for block in range(8):
        teams = {p.entrants for p in pairings if p.block == block}
        assert teams == {("a", "a"), ("b", "b"), ("c", "c")}
