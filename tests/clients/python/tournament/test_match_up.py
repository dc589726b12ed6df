"""Two bots until one is better."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import pytest

from taflhall_client import cli
from taflhall_client.tournament.description import Entrant, Tournament
from taflhall_client.tournament.match_up import (
    FIRST,
    SECOND,
    MatchUp,
    block,
    difference,
    match_up,
)
from taflhall_client.tournament.results import CRASH, Fault, MatchResult
from taflhall_client.tournament.schedule import Pairing


def result(entrants: tuple[str, ...], places: tuple[int, ...], *faults: Fault) -> MatchResult:
    won = tuple(place == 1 for place in places)
    seats = len(places)
    nothing = (0.0,) * seats
    return MatchResult("0.0", entrants, places, won, (), (), 5, nothing, (3,) * seats, faults)


def test_in_a_block_the_first_takes_every_seat_once():
    assert [p.entrants for p in block(3, 3, cooperative=False)] == [
        ("first", "second", "second"),
        ("second", "first", "second"),
        ("second", "second", "first"),
    ]
    assert [p.entrants for p in block(3, 2, cooperative=True)] == [
        ("first", "first"),
        ("second", "second"),
    ]


def test_equal_bots_differ_by_nothing_and_extremes_by_one():
    rotations = [p.entrants for p in block(0, 4, cooperative=False)]
    seat_0_wins = [result(entrants, (1, 2, 3, 4)) for entrants in rotations]
    assert difference(seat_0_wins, cooperative=False) == pytest.approx(0)
    first_wins = [
        result(entrants, tuple(1 if name == "first" else 2 for name in entrants))
        for entrants in rotations
    ]
    assert difference(first_wins, cooperative=False) == pytest.approx(1)
    all_tied = [result(entrants, (1, 1, 1, 1)) for entrants in rotations]
    assert difference(all_tied, cooperative=False) == pytest.approx(0)


def test_a_fault_loses_in_a_match_up_too():
    fault = Fault(0, "first", CRASH, "")
    lost = result(("first", "second"), (1, 2), fault)
    assert difference([lost], cooperative=False) == -1
    team = [result(("first", "first"), (1, 1), fault), result(("second", "second"), (1, 1))]
    assert difference(team, cooperative=True) == -1


class Played:
    """Matches of which the first bot wins those of even blocks, which end before the others."""

    def __init__(self, ends_first: int) -> None:
        self.ends_first = ends_first
        self.waiting: list[Pairing] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.waiting.clear()

    @property
    def busy(self) -> bool:
        return bool(self.waiting)

    def submit(self, pairings: Iterable[Pairing]) -> None:
        self.waiting += pairings
        self.waiting.sort(key=lambda pairing: pairing.block % 2 != self.ends_first)

    def collect(self) -> list[MatchResult]:
        pairing = self.waiting.pop(0)
        best = FIRST if pairing.block % 2 == 0 else SECOND
        places = tuple(1 if name == best else 2 for name in pairing.entrants)
        return [replace(result(pairing.entrants, places), match_id=pairing.match_id)]


def test_blocks_count_in_the_order_of_the_schedule_and_short_matches_have_no_advantage(tmp_path):
    entrants = (Entrant(FIRST, "random"), Entrant(SECOND, "random"))
    tournament = Tournament("duel", "champions", "match_up", 2, 60, 7, entrants, {"seats": 2})

    def steps(ends_first: int, out: Path) -> list[MatchUp]:
        seen: list[MatchUp] = []
        found = match_up(
            tournament, out, Played(ends_first), cooperative=False, progress=seen.append
        )
        assert found.blocks == 60
        return seen

    seen: list[Any] = [steps(number, tmp_path / str(number)) for number in (0, 1)]
    assert seen[0] == seen[1]
    assert [step.difference for step in seen[0][:4]] == pytest.approx([1.0, 0.0, 1 / 3, 0.0])


def test_the_planner_is_soon_better_than_chance(capsys):
    words = ["match-up", "yggdrasil", "heuristic", "random", "--seats", "2", "--jobs", "2"]
    words += ["--until", "95", "--blocks", "60", "--seed", "4"]
    assert cli.run(words) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("heuristic (first) is better: +")


def test_an_argument_of_a_bot_has_a_name():
    assert cli.run(["match-up", "champions", "search", "random", "--first", "60"]) == 2


@pytest.mark.parametrize(
    ("bots", "words"),
    [
        (["serch", "random"], "a bot is random, heuristic, search or module:Class, not 'serch'"),
        (["random", "nowhere:Bot"], "No module named 'nowhere'"),
        (["search", "random", "--first", "iteration=60"], "argument 'iteration'"),
    ],
)
def test_a_bot_that_cannot_be_made_plays_no_deal(bots, words, capsys):
    assert cli.run(["match-up", "champions", *bots, "--jobs", "1"]) == 2
    output = capsys.readouterr()
    assert words in output.err
    assert output.out == ""


def test_in_a_solo_match_each_plays_the_deal_alone(capsys):
    solo = ["--setup", "seats=1", "--setup", "solo_level=1", "--blocks", "1", "--jobs", "1"]
    assert cli.run(["match-up", "ice_garden", "heuristic", "random", *solo]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1 deals, 2 matches, 0 faults"
    assert lines[1].startswith("undecided: ")
