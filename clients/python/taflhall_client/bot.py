"""The interface of a bot: one method, which answers one decision at a time.

The same bot plays in process against the engine (:mod:`taflhall_client.local`) or over the
wire (:mod:`taflhall_client.runner`): it sees views and options, never a table. The types of
:mod:`taflhall_client.games` describe their contents to editors and type checkers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Generic, Protocol

from typing_extensions import TypeVar

from taflhall_engine.kernel.agenda import Command, Event, Waiting

C = TypeVar("C", bound=Command[Any], default=Command[Any])


@dataclass(frozen=True, slots=True)
class UnknownOption:
    """An option that this client is too old to know; its index is an answer all the same."""

    index: int
    """Its place among all options of the decision, as the server lists them."""
    rule: str = ""
    """The number of the rule that allows it."""
    text: str = ""
    """Its meaning as text, if texts were requested."""


@dataclass(frozen=True, slots=True)
class Decision(Generic[C]):
    """A decision that waits for a seat, in process or at a hosted table."""

    seat: int
    """The seat that decides."""
    step: Waiting[Any] | None
    """The decision as the engine's step; its class is the kind of decision. ``None`` if this
    client is too old to know it."""
    options: list[C]
    """Every legal command, in the rulebook's order; empty if another seat decides."""
    rule: str = ""
    """The number of the rule that asks."""
    decision_id: str = ""
    """Identifies the decision at a hosted table; an answer carries it."""
    deadline: datetime | None = None
    """When the seat's time runs out, by the server's clock; ``None`` without a time control."""
    time_left: float | None = None
    """How many seconds the seat had left when it was asked, by the server's clock."""
    unknown_options: list[UnknownOption] = field(default_factory=list)
    """Legal options that this client is too old to know."""
    events: list[Event] = field(default_factory=list)
    """What has happened since the bot was asked before; empty unless events were requested."""

    @classmethod
    def of(cls, seat: int, step: Waiting[Any], options: list[C]) -> Decision[C]:
        """Return the decision in which *step* waits for *seat*."""
        return cls(seat, step, options, step.RULE)

    def index(self, option: Command[Any]) -> int:
        """Return the index that answers with *option*, or raise ``ValueError``.

        It counts the unknown options too.
        """
        at = self.options.index(option)  # type: ignore[arg-type]
        for unknown in self.unknown_options:
            at += unknown.index <= at
        return at


class Resign(Exception):
    """Raised by a bot that resigns the seat that decides."""


class Abandon(Exception):
    """Raised by a player in process who ends the match without a result."""


class TakeBack(Exception):
    """Raised by a player in process who takes back the seat's latest answer.

    *refused* is called if that is impossible. The player is asked again in any case.
    """

    def __init__(self, refused: Callable[[], None]) -> None:
        super().__init__()
        self.refused: Final = refused


class Bot(Protocol):
    """A program that plays.

    *view* is a :class:`~taflhall_engine.kernel.game.View` and *decision* a :class:`Decision`; a
    bot for one game may declare the types of that game.
    """

    def choose(self, view: Any, decision: Any) -> Command[Any]:
        """Return one of ``decision.options``, or raise :exc:`Resign`."""
        ...
