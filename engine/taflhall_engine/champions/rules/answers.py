"""The kinds of commands that several rules share."""

from __future__ import annotations

from taflhall_engine.champions.ids import NONE
from taflhall_engine.champions.table import ChampionsTable
from taflhall_engine.kernel.agenda import Command


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
