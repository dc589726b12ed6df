"""Porcupine accepts a linear history and finds each kind of history that is not."""

from __future__ import annotations

import pytest

from tests.faults.checkers.linearizable import available, linearizable
from tests.faults.history import History

pytestmark = pytest.mark.skipif(not available(), reason="Go is not installed")


class Calls:
    """Writes calls of one match into a history, each with its sending and its answer."""

    def __init__(self) -> None:
        self.history = History()

    def send(self, request: str, answers: int = 1) -> int:
        return self.history.invoke(
            "p", method="Submit", match="m", scope=0, request=request, answers=answers
        )

    def answer(self, op: int, revision: int, applied: int = 1) -> None:
        self.history.end(op, "ok", "p", revision=revision, applied=applied)

    def submit(self, request: str, revision: int, applied: int = 1) -> None:
        self.answer(self.send(request, applied), revision, applied)

    def read(self, revision: int) -> None:
        op = self.history.invoke("p", method="Get", match="m")
        self.history.end(op, "ok", "p", revision=revision)


@pytest.fixture
def calls() -> Calls:
    return Calls()


def test_overlapping_calls_and_a_lost_answer_are_linear(calls):
    first, second = calls.send("a"), calls.send("b")
    calls.read(1)
    calls.answer(second, 1)
    calls.answer(first, 2)
    calls.history.end(calls.send("lost", answers=3), "unknown", "p")
    calls.read(2)
    calls.read(4)
    calls.submit("c", 5)
    assert linearizable(calls.history) == []


def test_a_read_that_goes_back_is_found(calls):
    calls.submit("a", 1)
    calls.read(0)
    assert linearizable(calls.history) == ["m illegal"]


def test_two_submits_with_one_revision_are_found(calls):
    calls.submit("a", 1)
    calls.submit("b", 1)
    assert linearizable(calls.history) == ["m illegal"]


def test_a_refused_submit_that_took_effect_is_found(calls):
    calls.history.end(calls.send("a"), "fail", "p", reason="STALE_DECISION")
    calls.read(1)
    assert linearizable(calls.history) == ["m illegal"]


def test_an_answer_lost_after_it_was_read_is_found(calls):
    calls.history.end(calls.send("lost"), "unknown", "p")
    calls.read(1)
    calls.submit("b", 1)
    assert linearizable(calls.history) == ["m illegal"]
