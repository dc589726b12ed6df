"""Why a decision refuses a command, and how the kernel answers where nothing is asked."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall_engine.kernel import COMPILED
from taflhall_engine.kernel.agenda import (
    MALFORMED_COMMAND,
    NOT_OFFERED,
    WRONG_COMMAND,
    Answered,
    Command,
    Decision,
    Refusal,
    advance,
    apply,
    refusal,
)

pytestmark = pytest.mark.skipif(COMPILED, reason="compiled code takes no stand-in of a table")

NO_MONEY = Refusal("T-2", "no_money")
COUNTERFEIT = Refusal("T-3", "counterfeit")


class Pay(Command[Any]):
    """Pay coins, of which the purse has two."""

    RULE = "T-1"

    def __init__(self, coins: int) -> None:
        self.coins = coins

    def malformed(self) -> bool:
        return self.coins < 0

    def refuse(self, s: Any, seat: int) -> Refusal | None:
        return NO_MONEY if self.coins > 2 else None

    def perform(self, s: Any, seat: int) -> None:
        s.paid.append(self.coins)


class Slip(Pay):
    """Pay in secret."""

    SECRET = True


class Keep(Command[Any]):
    """Pay nothing."""


class Toll(Decision[Any]):
    answers_with = (Pay,)

    def offers(self, s: Any, seat: int) -> list[Command[Any]]:
        return [Pay(1), Pay(2), Slip(1), Pay(3)]


class Usual(Toll):
    """The first option is what everybody answers."""

    def forced(self, s: Any, legal: list[Command[Any]]) -> bool:
        return True


class Customs(Toll):
    MALFORMED = COUNTERFEIT
    WRONG_KIND = NO_MONEY


class Road:
    """A table with one decision of seat 0."""

    def __init__(self, decision: Decision[Any]) -> None:
        self.agenda = [decision]
        self.journal: list[Any] = []
        self.legal = None
        self.paid: list[int] = []


def road(decision: Decision[Any]) -> Any:
    return Road(decision)


def test_a_command_is_refused_for_the_first_reason_that_applies():
    for decision, command, reason in (
        (Toll(0), Pay(-1), MALFORMED_COMMAND),
        (Toll(0), Keep(), WRONG_COMMAND),
        (Toll(0), Pay(4), NOT_OFFERED),
        (Toll(0), Pay(3), NO_MONEY),
        (Toll(0), Pay(2), None),
        (Customs(0), Pay(-1), COUNTERFEIT),
        (Customs(0), Keep(), NO_MONEY),
    ):
        assert refusal(road(decision), 0, command) == reason


def test_the_kernel_gives_the_first_option_where_it_answers():
    s = road(Usual(0))
    advance(s)
    assert s.journal == [Answered("T-1", 0, Pay(1), True, False)]
    assert (s.paid, s.agenda) == ([1], [])


def test_a_command_that_stays_with_its_seat_is_secret_at_an_open_decision():
    s = road(Toll(0))
    apply(s, 0, Slip(1))
    assert s.journal == [Answered("T-1", 0, Slip(1), False, True)]
    assert s.paid == [1]
