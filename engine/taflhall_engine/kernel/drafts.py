"""Answers that are given in several steps.

A rule whose answer has too many forms to be listed asks for it in steps: the decisions after the
first say so (:attr:`Waiting.continues_answer`). A half-given answer is a *draft*. It belongs to its
seat alone: the table of the match stays where the answer began, and the seat sees and answers a
copy of it on which its steps have been carried out. With the last step the draft becomes an
:class:`Answer`, one move of the match; until then it may be dropped without a trace.

No rule may draw a random number or let another seat decide between the steps of one answer.
"""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.kernel.agenda import (
    Command,
    IllegalCommand,
    Refusal,
    Table,
    apply,
    check,
    options,
    waiting,
)
from taflhall_engine.kernel.value import Value

ANSWER_ENDED: Final = Refusal("", "answer_ended")
ANSWER_UNFINISHED: Final = Refusal("", "answer_unfinished")


@final
class Answer(Value):
    """A whole answer that was given in several steps."""

    def __init__(self, steps: list[Command[Any]]) -> None:
        self.steps: Final = steps


def unfinished(s: Table) -> bool:
    """Return whether *s* rests in the middle of an answer."""
    top = waiting(s)
    return top is not None and top.continues_answer


@final
class Draft:
    """The steps that a seat has given of one answer, and the table as this seat sees it."""

    def __init__(self, s: Table, seat: int) -> None:
        self.seat: Final = seat
        self.steps: Final[list[Command[Any]]] = []
        self.table: Final = s.copy()
        """A copy of the table, on which the steps have been carried out."""

    def give(self, command: Command[Any]) -> bool:
        """Give the next step; return whether the answer is complete.

        Raise :exc:`IllegalCommand`, and change nothing, if *command* is refused.
        """
        check(self.table, self.seat, command)
        apply(self.table, self.seat, command)
        self.steps.append(command)
        return not unfinished(self.table)


def whole(steps: list[Command[Any]]) -> Command[Any] | Answer:
    """Return the answer that consists of *steps*."""
    return steps[0] if len(steps) == 1 else Answer(steps)


def steps_of(given: Command[Any] | Answer) -> list[Command[Any]]:
    """Return the steps of an answer, which may be just one."""
    return given.steps if isinstance(given, Answer) else [given]


def check_answer(s: Table, seat: int, steps: list[Command[Any]]) -> None:
    """Raise :exc:`IllegalCommand` unless *steps* are one whole answer of *seat* at *s*."""
    apply_checked(s.copy(), seat, steps)


def apply_checked(s: Table, seat: int, steps: list[Command[Any]]) -> None:
    """Answer for *seat* with *steps*, for a caller that does not know whether they are legal.

    Raise :exc:`IllegalCommand` unless they are one whole answer; then some of them may have been
    carried out.
    """
    complete = False
    for step in steps:
        if complete:
            raise IllegalCommand(ANSWER_ENDED)
        if s.legal is None or step not in options(s, seat):
            check(s, seat, step)
        apply(s, seat, step)
        complete = not unfinished(s)
    if not complete:
        raise IllegalCommand(ANSWER_UNFINISHED)
