"""The mainline of a match: what its moves tell, and what may be taken back of them."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall_engine.kernel.agenda import Answered, Command, Undone, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.mainline import Mainline, draws_of, reveals_hidden
from taflhall_engine.kernel.meta_commands import undo
from taflhall_engine.kernel.snapshot import digest
from tests.engine.kernel.test_record import played
from tests.engine.toy import QUAY, QuayGame, Setup, effects, rules

SECRET = bytes(range(32))


def begun(game: QuayGame = QUAY) -> Mainline:
    return Mainline(game, Setup(3, 5), SECRET)


def bid(line: Mainline, *coins: int) -> None:
    for seat, bids in enumerate(coins):
        line.push(seat, rules.Bid(bids))


def test_a_move_returns_its_events_and_the_table_keeps_none():
    line = begun()
    assert line.push(1, rules.Bid(2)) == [Answered("Q-2.2", 1, rules.Bid(2), False, True)]
    assert line.push(0, undo(1)) == [Undone("", 0, 1)]
    assert line.table.journal is None
    line.push(1, rules.Bid(2))
    assert line.table.journal is None


@pytest.mark.parametrize("undo", [True, False])
def test_checked_moves_lead_to_the_same_table_as_legal_ones(undo):
    trusted, checked = begun(), Mainline(QUAY, Setup(3, 5), SECRET, undo)
    for seat, action in played():
        trusted.push(seat, action)
        checked.push_checked(seat, action)
        assert checked.revision == trusted.revision
    assert digest(QUAY, checked.table) == digest(QUAY, trusted.table)


def test_what_shows_something_hidden_is_not_taken_back():
    line = begun()
    bid(line, 0, 0)
    drawn = draws_of(line.table)
    assert line.undoable == 2
    line.push(2, rules.Bid(1))  # the bids are shown, and no die decides
    assert (draws_of(line.table), line.undoable) == (drawn, 0)


def test_what_has_drawn_a_random_number_is_not_taken_back_even_if_it_shows_nothing():
    game = QuayGame()
    game.reveals = frozenset()
    line = begun(game)
    bid(line, 1, 0)
    drawn = draws_of(line.table)
    assert line.undoable == 2
    line.push(2, rules.Bid(1))  # a die decides between equals
    assert (draws_of(line.table) > drawn, line.undoable) == (True, 0)


@pytest.mark.parametrize(
    ("happened", "reveals"),
    [
        ([], False),
        ([effects.Paid("Q-2.3", 0, 3)], False),
        ([effects.Paid("Q-2.3", 0, 3), effects.LotTurned("Q-2.1", [0, 0, 2, 0])], True),
        ([Answered("Q-2.5", 0, rules.Sell(1), False, False)], True),
        ([Answered("Q-2.5", 0, rules.Keep(), False, False)], False),
        ([Answered("", 0, None, False, True)], False),
    ],
)
def test_events_and_open_commands_reveal_what_is_hidden(happened: list[Any], reveals: bool):
    assert reveals_hidden(QUAY, happened) is reveals


def test_after_undos_the_table_is_that_of_the_moves_that_are_left():
    rng, line, undone = FastChance(5), begun(), 0
    kept: list[tuple[int, Command[Any]]] = []
    while line.table.agenda:
        if line.undoable and not rng.below(3):
            back = 1 + rng.below(line.undoable)
            line.push(0, undo(back))
            del kept[-back:]
            undone += 1
        else:
            seat = min(s for s in range(3) if options(line.table, s))
            choices = options(line.table, seat)
            kept.append((seat, choices[rng.below(len(choices))]))
            line.push(*kept[-1])
        again = begun()
        for seat, command in kept:
            again.push(seat, command)
        assert digest(QUAY, line.table) == digest(QUAY, again.table)
        assert (line.end.length, line.undoable) == (len(kept), again.undoable)
    assert undone > 5
