"""The kinds of commands that several rules share, and their refusals.

A refusal stands beside the rule that gives it. Every ``refuse`` checks in the order of CM-17.4,
so the first reason that applies is reported; the codes are those of the specification.
"""

from __future__ import annotations

from typing import Final

from taflhall_engine.champions.ids import NONE
from taflhall_engine.champions.table import ChampionsTable
from taflhall_engine.kernel.agenda import Command, Refusal

BAD_ARGUMENT: Final = Refusal("CM-17.4", "bad_argument")
WRONG_TOTAL: Final = Refusal("CM-17.2", "bad_argument")
SPACE_NOT_IN_PLAY: Final = Refusal("CM-5.4", "space_not_in_play")
SPACE_OCCUPIED: Final = Refusal("CM-5.3", "space_occupied")
CANNOT_PAY: Final = Refusal("CM-5.4", "cannot_pay")


class Placing(Command[ChampionsTable]):
    """CM-5.2 Place a worker; the effect is resolved at once, costs before gains."""

    RULE = "CM-5.2"


def taken(s: ChampionsTable, location: int) -> bool:
    """CM-5.3 Return whether the worker space at *location* holds a worker."""
    return s.workers[location] != NONE


class FreeRune(Command[ChampionsTable]):
    """CM-14.2 Use a free rune; the pending decision stays pending."""

    RULE = "CM-14.2"


class AfterRoll(Command[ChampionsTable]):
    """CM-8.3 An answer after which the window stays open."""

    RULE = "CM-8.3"
