"""How a match ends that seats leave, and what of it can be taken back, as values."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall_engine.kernel import COMPILED
from taflhall_engine.kernel.agenda import GAME_OVER, Abandoned, TimedOut, asked, options, refusal
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Result
from taflhall_engine.kernel.mainline import NOT_BEGUN, Mainline, MainlineEnd, UndoableAnswer
from taflhall_engine.kernel.meta_commands import (
    ABANDON,
    FORFEIT,
    MAX_BACK,
    NO_WITHDRAWALS,
    RESIGN,
    TIMEOUT,
    Withdrawals,
    apply_move,
    neutral_answer,
    read_meta_command,
    result,
    undo,
    write_meta_command,
)
from tests.engine.toy import QUAY, Setup, rules

needs_plain = pytest.mark.skipif(COMPILED, reason="compiled code takes no stand-in of a game")


class Ending:
    """As much of a game as its end needs; *played* is what its own rules say."""

    def __init__(self, seats: int, played: Result | None = None, cooperative: bool = False) -> None:
        self.cooperative = cooperative
        self.count = seats
        self.played = played

    def seats(self, _table: Any) -> int:
        return self.count

    def result(self, _table: Any) -> Result | None:
        return self.played

    def npc_alone(self, _table: Any) -> Any:
        return None


def end(withdrawn: Withdrawals, *how: Any) -> Result | None:
    game: Any = Ending(*how)
    table: Any = None
    return result(game, table, withdrawn)


def facts(found: Result | None) -> Any:
    assert found is not None
    return found.won, found.places, found.scores, found.reasons


PLAYED = Result([False, True, False, False], [2, 1, 3, 3], [7, 9, 5, 5], ["last_round"])


@needs_plain
def test_without_withdrawals_the_rules_decide():
    assert end(NO_WITHDRAWALS, 4, PLAYED) is PLAYED
    assert end(NO_WITHDRAWALS, 4) is None
    assert end(NO_WITHDRAWALS, 1) is None


@needs_plain
def test_nobody_wins_an_abandoned_match():
    for gone in ((), (0,)):
        found = end(Withdrawals(gone, (), True), 2, PLAYED)
        assert facts(found) == ([False, False], [], [], ["abandoned"])


@pytest.mark.parametrize(
    ("withdrawn", "reasons"),
    [
        (Withdrawals((1,)), ["resigned"]),
        (Withdrawals((1,), (1,)), ["forfeited"]),
        (Withdrawals((0, 1), (0,)), ["resigned", "forfeited"]),
    ],
)
@needs_plain
def test_one_withdrawal_loses_a_cooperative_match_for_all(withdrawn, reasons):
    found = end(withdrawn, 3, PLAYED, True)
    assert facts(found) == ([False] * 3, [2, 2, 2], [], reasons)


@pytest.mark.parametrize(
    ("seats", "gone", "won", "places"),
    [
        (2, (1,), [True, False], [1, 2]),
        (2, (0,), [False, True], [2, 1]),
        (2, (0, 1), [False, False], [2, 2]),
        (1, (0,), [False], [2]),
        (3, (2, 0), [False, True, False], [2, 1, 3]),
        (4, (1, 3, 0), [False, False, True, False], [2, 4, 1, 3]),
    ],
)
@needs_plain
def test_the_last_seat_wins_and_the_first_to_go_is_last(seats, gone, won, places):
    found = end(Withdrawals(gone), seats, PLAYED)
    assert facts(found) == (won, places, [], ["resigned"])


@needs_plain
def test_while_two_seats_are_left_they_play_on():
    assert end(Withdrawals((2,)), 3) is None
    assert end(Withdrawals((2, 1)), 4) is None
    assert end(Withdrawals((2, 1)), 3) is not None


@pytest.mark.parametrize(
    ("gone", "won", "places"),
    [
        ((1,), [True, False, False, False], [1, 4, 2, 2]),  # the winner by points had gone
        ((3,), [False, True, False, False], [2, 1, 3, 4]),
        ((0, 1), [False, False, True, True], [4, 3, 1, 1]),
        ((3, 2), [False, True, False, False], [2, 1, 3, 4]),
    ],
)
@needs_plain
def test_those_who_stayed_move_up_and_the_best_of_them_wins(gone, won, places):
    found = end(Withdrawals(gone, gone[:1]), 4, PLAYED)
    reasons = ["last_round", *(["resigned"] if len(gone) > 1 else []), "forfeited"]
    assert facts(found) == (won, places, [7, 9, 5, 5], reasons)


def test_meta_commands_are_read_as_they_are_written_and_nothing_else_is():
    for action in (RESIGN, TIMEOUT, FORFEIT, ABANDON, undo(1), undo(2), undo(MAX_BACK)):
        assert read_meta_command(write_meta_command(action)) == action
    assert (write_meta_command(RESIGN), write_meta_command(undo(7))) == ("resign", "undo 7")
    for text in ("", "undo", "undo 0", f"undo {MAX_BACK + 1}", "undo 01", "resign 0", "Resign"):
        assert read_meta_command(text) is None
    assert MAX_BACK == 64


def pushed(end_: MainlineEnd, *moves: tuple[int, bool]) -> MainlineEnd:
    """Push one move after the other: an answer of a seat, and whether it revealed something."""
    answer: Any = object()
    for seat, revealed in moves:
        end_ = end_.pushed(end_.last + 1, seat, answer, revealed)
    return end_


def test_answers_can_be_taken_back_until_one_reveals_something():
    found = pushed(NOT_BEGUN, (0, False), (1, False))
    assert found == MainlineEnd(2, 2, (UndoableAnswer(0, 0), UndoableAnswer(1, 1)), 0)
    shown = pushed(found, (2, True))
    assert shown == MainlineEnd(3, 3, (), 0b111)
    assert pushed(shown, (0, False)).undoable == (UndoableAnswer(3, 0),)


def test_a_meta_command_ends_what_can_be_taken_back_and_is_no_answer():
    found = pushed(NOT_BEGUN, (0, False)).pushed(2, 3, RESIGN, False)
    assert found == MainlineEnd(2, 2, (), 0b0001)
    assert found.has_answered(0)
    assert not found.has_answered(3)


def test_only_the_last_64_answers_can_be_taken_back():
    full = pushed(NOT_BEGUN, (2, False), *[(0, False)] * (MAX_BACK - 1))
    assert (len(full.undoable), full.settled) == (MAX_BACK, 0)
    more = pushed(full, (1, False))
    assert len(more.undoable) == MAX_BACK
    assert more.undoable[0] == UndoableAnswer(1, 0)
    assert more.undoable[-1] == UndoableAnswer(MAX_BACK, 1)
    assert more.settled == 0b100
    assert [more.has_answered(seat) for seat in range(4)] == [True, True, True, False]


@pytest.mark.parametrize(
    ("back", "left"),
    [
        (1, MainlineEnd(2, 2, (UndoableAnswer(0, 0), UndoableAnswer(1, 1)), 0)),
        (2, MainlineEnd(1, 1, (UndoableAnswer(0, 0),), 0)),
        (3, MainlineEnd(0, 0, (), 0)),
    ],
)
def test_what_is_taken_back_is_no_longer_on_the_mainline(back, left):
    found = pushed(NOT_BEGUN, (0, False), (1, False), (2, False)).undone(back)
    assert found == left
    assert not found.has_answered(2)
    assert found.has_answered(0) == (back < 3)


# ---------------------------------------------------------------- what a seat may not do


def laid_out() -> Mainline:
    """Three seats bid at the same time, and seat 1 has done so."""
    line = Mainline(QUAY, Setup(3, 2), bytes(range(32)))
    line.push(1, rules.Bid(0))
    return line


@pytest.mark.parametrize(
    ("seat", "action", "reason"),
    [
        (0, RESIGN, ""),
        (1, RESIGN, ""),
        (0, TIMEOUT, ""),
        (2, FORFEIT, ""),
        (1, TIMEOUT, "seat 1 had nothing to decide"),
        (1, FORFEIT, "seat 1 had nothing to decide"),
        (2, undo(1), ""),
        (2, undo(2), "only 1 answers could be taken back"),
        (-1, ABANDON, ""),
        (-1, RESIGN, "this is for a seat to do"),
        (-1, undo(1), "this is for a seat to do"),
    ],
)
def test_a_meta_command_is_refused_for_a_reason(seat, action, reason):
    assert laid_out().why_not(seat, action) == reason


def test_a_withdrawn_seat_can_do_nothing_and_after_the_end_no_seat_can():
    line = laid_out()
    line.push(2, RESIGN)
    assert line.why_not(2, RESIGN) == "seat 2 has withdrawn before"
    assert line.why_not(0, RESIGN) == ""
    line.push(-1, ABANDON)
    assert line.why_not(0, RESIGN) == "the match was over before"


def test_answers_are_taken_back_one_by_one_and_can_be_given_again():
    line = laid_out()
    before = [line.end]
    line.push(0, rules.Bid(0))
    assert (line.revision, line.undoable) == (2, 2)
    line.push(0, undo(1))
    assert (line.revision, line.end) == (3, before[0])
    line.push(1, undo(1))
    assert (line.revision, line.undoable, line.end) == (4, 0, NOT_BEGUN)
    assert asked(line.table) == [0, 1, 2]
    for back in (0, 1):
        with pytest.raises(ValueError, match=f"no {back} answers"):
            line.push(0, undo(back))


def test_where_nothing_is_asked_nothing_is_offered():
    line = laid_out()
    assert options(line.table, 1) == []
    line.table.agenda.clear()
    assert asked(line.table) == options(line.table, 0) == []
    assert refusal(line.table, 0, rules.Bid(0)) == GAME_OVER
    assert QUAY.score_lines(line.table) == []


# ---------------------------------------------------------------- what is done for a seat


def begun() -> Any:
    """Return a table of three seats that bid at the same time, with nothing told yet."""
    s = QUAY.new(Setup(3, 2), FastChance(1))
    s.journal = []
    return s


def test_the_neutral_answer_of_one_step_is_the_rules_own():
    s = begun()
    assert neutral_answer(QUAY, s, 1) == QUAY.neutral(s, 1)
    assert asked(s) == [0, 1, 2]


def test_a_timeout_and_a_forfeit_are_events_before_what_follows():
    for action, forfeited in ((TIMEOUT, ()), (FORFEIT, (1,))):
        s = begun()
        withdrawn = apply_move(QUAY, s, 1, action, NO_WITHDRAWALS)
        assert [type(event).__name__ for event in s.journal] == ["TimedOut", "Answered"]
        assert s.journal[0] == TimedOut("", 1)
        assert asked(s) == [0, 2]
        assert (withdrawn.seats, withdrawn.forfeited) == (forfeited, forfeited)


def test_abandoning_a_match_is_an_event_and_answers_for_nobody():
    s = begun()
    assert apply_move(QUAY, s, 2, ABANDON, NO_WITHDRAWALS).abandoned
    assert s.journal == [Abandoned("", 2)]
    assert asked(s) == [0, 1, 2]


def test_without_a_journal_no_event_is_emitted():
    for action in (TIMEOUT, FORFEIT, ABANDON):
        s = QUAY.new(Setup(3, 2), FastChance(1))
        apply_move(QUAY, s, 1, action, NO_WITHDRAWALS)
        assert s.journal is None


def test_after_a_timeout_those_who_have_withdrawn_are_answered_for():
    s = begun()
    withdrawn = apply_move(QUAY, s, 2, RESIGN, NO_WITHDRAWALS)
    timeouts = 0
    while asked(s):
        assert 2 not in asked(s)
        withdrawn = apply_move(QUAY, s, asked(s)[0], TIMEOUT, withdrawn)
        timeouts += 1
    assert withdrawn.seats == (2,)
    assert timeouts >= 4


def test_an_undo_is_not_for_a_single_table():
    with pytest.raises(ValueError, match="undo 1 is not for a single table"):
        apply_move(QUAY, begun(), 0, undo(1), NO_WITHDRAWALS)
