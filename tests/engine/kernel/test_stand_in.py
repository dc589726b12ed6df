"""What a stand-in makes of the ends that it tries out, on a game whose ends are written down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from taflhall_engine.kernel import COMPILED
from taflhall_engine.kernel.agenda import Command, Decision, Step, asked, options
from taflhall_engine.kernel.chance import FastChance, ScriptedChance
from taflhall_engine.kernel.game import Result, View
from taflhall_engine.kernel.stand_in import PLIES, TRIED, choose, choose_answer, random_answer
from tests.engine.toy import QUAY, Setup

needs_plain = pytest.mark.skipif(COMPILED, reason="compiled code takes no stand-in of a game")


class Pick(Command[Any]):
    RULE = "T-1"

    def __init__(self, number: int) -> None:
        self.number = number

    def perform(self, s: Any, seat: int) -> None:
        s.picked.append(self.number)


class Choice(Decision[Any]):
    RULE = "T-1"

    def offers(self, s: Any, seat: int) -> list[Command[Any]]:
        return [Pick(0), Pick(1)]


class Line:
    """A table at which the same seat decides a number of times."""

    def __init__(self, turns: int) -> None:
        self.agenda: list[Step[Any]] = [Choice(0)] * turns
        self.picked: list[int] = []
        self.journal = None
        self.legal = None


class Scripted:
    """A game whose first answer decides how it ends: each option has its ends, one after another.

    The neutral answer is *neutral*.
    """

    def __init__(self, ends: Sequence[list[Result]], neutral: int = 0, turns: int = 1) -> None:
        self.legal: list[Any] = [Pick(number) for number in range(len(ends))]
        self.tables = 0
        self._ends = [list(of_option) for of_option in ends]
        self._neutral = Pick(neutral)
        self._turns = turns

    def imagine(self, view: View, rng: Any) -> Line:
        self.tables += 1
        return Line(self._turns)

    def result(self, table: Line) -> Result | None:
        if table.agenda:
            return None
        ends = self._ends[table.picked[0]]
        return ends.pop(0) if len(ends) > 1 else ends[0]

    def neutral(self, table: Line, seat: int) -> Pick:
        return self._neutral

    def chosen(self, plies: int, order: list[int] | None = None) -> int:
        """Return the number of the option that a stand-in takes, which tries them in *order*."""
        game: Any = self
        view = View(0, Pick(0), Pick(0))
        unshuffled = ScriptedChance([0] * 100, [], [order] if order else [])
        command: Any = choose(game, view, self.legal, unshuffled, plies)
        return int(command.number)


def lost(score: int | None = None, place: int = 2, seats: int = 2) -> Result:
    """Return an end in which seat 0 has lost; without a *score* the game has none."""
    scores = [] if score is None else [score, *[0] * (seats - 1)]
    return Result([False] * seats, [place, *[1] * (seats - 1)], scores, [])


def won(score: int | None = None, place: int = 1) -> Result:
    scores = [] if score is None else [score, 0]
    return Result([True, False], [place, 2], scores, [])


BARE = Result([False, True], [], [], [])
"""An end without places and scores."""


def better(first: Result, second: Result) -> bool:
    """Return whether *second* is better; of two that are worth the same the first is taken."""
    return Scripted([[first], [second]]).chosen(2) == 1


@needs_plain
@pytest.mark.parametrize(
    ("worse", "than"),
    [
        (lost(), won()),
        (lost(99, place=1), won(0, place=2)),
        (lost(0), lost(1)),
        (lost(98), lost(99)),
        (lost(), lost(place=1)),
        (BARE, lost(1)),
        (lost(49), lost(0, place=1)),
        (won(0), won(1)),
    ],
)
def test_a_win_counts_most_then_places_and_scores(worse, than):
    assert better(worse, than)
    assert not better(than, worse)


@needs_plain
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lost(50), lost(0, place=1)),
        (lost(66, place=3, seats=3), lost(0, place=1, seats=3)),
        (lost(99), lost(500)),
        (lost(0), lost(-7)),
        (lost(0, place=1), lost(-7, place=1)),
        (lost(), BARE),
    ],
)
def test_the_places_of_the_others_are_worth_a_hundred_together(one, other):
    assert not better(one, other)
    assert not better(other, one)


@needs_plain
def test_a_win_is_worth_a_thousand():
    """One in twenty is worth as much as fifty points each time."""
    rarely = [won(place=2), *[lost()] * 19]
    assert Scripted([[lost(50)], rarely]).chosen(40) == 0
    assert Scripted([rarely, [lost(50)]]).chosen(40) == 0
    assert Scripted([[lost(49)], rarely]).chosen(40) == 1


@needs_plain
@pytest.mark.parametrize(
    ("first", "second", "plies", "chosen"),
    [
        ([lost(30)], [lost(50)], 3, 1),
        ([lost(30)], [lost(30)], 3, 0),
        ([lost(30), lost(29)], [lost(30)], 3, 1),
        ([lost(40)], [lost(40)], 4, 0),
    ],
)
def test_an_option_is_judged_by_the_mean_of_its_matches(first, second, plies, chosen):
    assert Scripted([first, second], neutral=1 - chosen).chosen(plies) == chosen


@needs_plain
def test_if_an_option_could_not_be_tried_out_the_answer_is_neutral():
    assert Scripted([[BARE], [won()]]).chosen(2) == 1
    assert Scripted([[won()], [BARE]], neutral=1).chosen(1) == 1
    assert Scripted([[BARE], [won()]]).chosen(0) == 0
    assert Scripted([[BARE], [won()]], neutral=7).chosen(1) == 0


@needs_plain
def test_a_match_that_did_not_end_counts_for_nothing():
    """The second option has one ply left, and needs two."""
    assert Scripted([[BARE], [won()]], neutral=1, turns=2).chosen(3) == 1
    assert Scripted([[BARE], [won()]], turns=2).chosen(3) == 0
    assert Scripted([[BARE], [won()]], turns=2).chosen(4) == 1
    assert Scripted([[BARE], [won()]], turns=3).chosen(7) == 1


@needs_plain
def test_a_limited_number_of_options_is_tried_out():
    ends = [[BARE] for _ in range(TRIED + 1)]
    ends[-1] = [won()]
    assert Scripted(ends).chosen(100) == 0
    ends[-1], ends[-2] = ends[-2], ends[-1]
    assert Scripted(ends).chosen(100) == TRIED - 1


@needs_plain
def test_which_options_are_tried_out_is_chosen_at_random():
    ends = [*[[BARE] for _ in range(TRIED)], [won()]]
    assert Scripted(ends).chosen(100, [*range(TRIED, -1, -1)]) == TRIED


@needs_plain
def test_the_only_option_is_taken_without_work():
    game = Scripted([[BARE]])
    assert game.chosen(100) == 0
    assert game.tables == 0


def test_an_answer_is_given_by_the_numbers_of_its_options():
    s = QUAY.new(Setup(2, 1), FastChance(1))
    seat = asked(s)[0]
    taken = choose_answer(QUAY, s, seat, FastChance(2), 60)
    legal = options(s, seat)
    expected = choose(QUAY, QUAY.view(s, seat), legal, FastChance(2), 60)
    assert [legal[number] for number in taken] == [expected]
    with pytest.raises(ValueError, match="seat 5 has nothing to decide"):
        choose_answer(QUAY, s, 5, FastChance(2), PLIES)


def test_a_random_answer_takes_any_option():
    s = QUAY.new(Setup(2, 1), FastChance(1))
    seat = asked(s)[0]
    for number in range(len(options(s, seat))):
        assert random_answer(s, seat, ScriptedChance([number], [], [])) == [number]
    with pytest.raises(ValueError, match="seat 5 has nothing to decide"):
        random_answer(s, 5, FastChance(2))
