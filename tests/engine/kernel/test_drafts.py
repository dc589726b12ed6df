"""An answer of several steps, on a table whose decisions follow each other."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall_engine.kernel import COMPILED
from taflhall_engine.kernel.agenda import NOT_OFFERED, Command, Decision, IllegalCommand, Step
from taflhall_engine.kernel.chance import ScriptedChance
from taflhall_engine.kernel.drafts import (
    ANSWER_ENDED,
    ANSWER_UNFINISHED,
    Answer,
    Draft,
    check_answer,
    steps_of,
    unfinished,
    whole,
)
from taflhall_engine.kernel.meta_commands import (
    NO_WITHDRAWALS,
    TIMEOUT,
    apply_move,
    neutral_answer,
)
from taflhall_engine.kernel.stand_in import random_answer

pytestmark = pytest.mark.skipif(COMPILED, reason="compiled code takes no stand-in of a table")


class Pick(Command[Any]):
    RULE = "T-1"

    def __init__(self, number: int) -> None:
        self.number = number

    def perform(self, s: Any, seat: int) -> None:
        s.picked.append(self.number)


class First(Decision[Any]):
    RULE = "T-1"

    def offers(self, s: Any, seat: int) -> list[Command[Any]]:
        return [Pick(0), Pick(1)]


class Further(First):
    continues_answer = True


class Line:
    """A table at which seat 0 answers in two steps, and then again."""

    def __init__(self, agenda: list[Step[Any]] | None = None) -> None:
        self.agenda: list[Step[Any]] = [First(0), Further(0), First(0)]
        if agenda is not None:
            self.agenda = agenda
        self.picked: list[int] = []
        self.journal = None
        self.legal = None

    def copy(self) -> Line:
        return Line(self.agenda[:])


def table(agenda: list[Step[Any]] | None = None) -> Any:
    return Line(agenda)


def test_a_table_rests_in_the_middle_of_an_answer_only_before_a_further_step():
    assert not unfinished(table())
    assert unfinished(table([Further(0)]))
    assert not unfinished(table([]))


def test_a_draft_is_complete_with_its_last_step_and_leaves_the_table_as_it_is():
    s = table()
    draft = Draft(s, 0)
    assert not draft.give(Pick(1))
    assert draft.give(Pick(0))
    held: Any = draft.table
    assert (held.picked, s.picked, len(s.agenda)) == ([1, 0], [], 3)
    assert draft.steps == [Pick(1), Pick(0)]


def test_an_illegal_step_is_refused_and_changes_nothing():
    draft = Draft(table(), 0)
    with pytest.raises(IllegalCommand):
        draft.give(Pick(7))
    held: Any = draft.table
    assert (held.picked, draft.steps) == ([], [])


def test_one_step_is_the_command_itself_and_several_are_an_answer():
    assert whole([Pick(1)]) == Pick(1)
    assert whole([Pick(1), Pick(0)]) == Answer([Pick(1), Pick(0)])
    for steps in ([Pick(1)], [Pick(1), Pick(0)]):
        assert steps_of(whole([*steps])) == steps


@pytest.mark.parametrize(
    ("numbers", "refusal"),
    [
        ([1, 0], None),
        ([1], ANSWER_UNFINISHED),
        ([], ANSWER_UNFINISHED),
        ([1, 0, 1], ANSWER_ENDED),
        ([7, 0], NOT_OFFERED),
        ([1, 7], NOT_OFFERED),
    ],
)
def test_a_whole_answer_has_all_its_steps_and_no_more(numbers, refusal):
    steps: list[Command[Any]] = [Pick(number) for number in numbers]
    if refusal is None:
        check_answer(table(), 0, steps)
        return
    with pytest.raises(IllegalCommand) as raised:
        check_answer(table(), 0, steps)
    assert raised.value.refusal == refusal


class Neutral:
    """A game whose neutral answer always picks 1."""

    def neutral(self, _table: Any, _seat: int) -> Pick:
        return Pick(1)


def test_a_neutral_answer_is_given_with_all_its_steps():
    game: Any = Neutral()
    s = table()
    assert neutral_answer(game, s, 0) == Answer([Pick(1), Pick(1)])
    apply_move(game, s, 0, TIMEOUT, NO_WITHDRAWALS)
    held: Any = s
    assert (held.picked, len(s.agenda)) == ([1, 1], 1)


class Longer(Further):
    """It is asked until 0 is picked."""

    def resolve(self, s: Any, seat: int, command: Command[Any]) -> None:
        if command == Pick(1):
            s.agenda.append(Longer(seat))


@pytest.mark.parametrize("numbers", [[0], [1, 0], [1, 1, 0]])
def test_every_step_of_a_random_answer_is_the_one_that_was_drawn(numbers):
    s = table([Longer(0)])
    assert random_answer(s, 0, ScriptedChance([*numbers], [], [])) == numbers
