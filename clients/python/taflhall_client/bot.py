"""What a bot is: one method, which answers one decision at a time.

The same bot plays in process against the engine (:mod:`taflhall_client.local`) or over the
wire (:mod:`taflhall_client.runner`): it sees views and options, never a table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from taflhall_engine.kernel.agenda import Command, Waiting
from taflhall_engine.kernel.game import View


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that waits for the bot."""

    seat: int
    """The seat that decides."""
    step: Waiting[Any]
    """What is asked, as the engine's step; its class is the kind of decision."""
    options: list[Command[Any]]
    """Every legal command, in the rulebook's order."""

    @property
    def rule(self) -> str:
        """The number of the rule that asks."""
        return self.step.RULE


class Resign(Exception):
    """Raised by a bot that gives the match up for the seat that decides."""


class TakeBack(Exception):
    """Raised by who plays in process and wants the latest answer of his seat back.

    If something has come to light since, *refused* is called. He is asked anew in any case.
    """

    def __init__(self, refused: Callable[[], None]) -> None:
        super().__init__()
        self.refused: Final = refused


class Bot(Protocol):
    """A program that plays."""

    def choose(self, view: View, decision: Decision) -> Command[Any]:
        """Return one of ``decision.options``, or raise :exc:`Resign`."""
        ...
