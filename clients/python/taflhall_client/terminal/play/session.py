"""A match as a screen plays it: what it reports, and what a player may do there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from taflhall_client.bot import Decision, UnknownOption
from taflhall_client.clocks import SeatClock
from taflhall_client.results import PastView, Proposal, Reaction, SeatPresence, SeatReaction
from taflhall_engine.kernel.agenda import Command, Event, Refusal
from taflhall_engine.kernel.game import Game, Result, View

Choice = Command[Any] | UnknownOption


@dataclass(frozen=True, slots=True)
class TableInfo:
    """What is known about a match apart from its table."""

    names: list[str]
    """The name of each seat's player; empty for a free seat."""
    result: Result | None = None
    over: bool = False
    proposal: Proposal | None = None
    secret_digest: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """Something that happened, or the match as it is."""

    revision: int
    events: list[Event] = field(default_factory=list)
    decisions: list[Decision] | None = None
    """The pending decisions, with options where they are ours; ``None``: as before."""
    view: View | None = None
    """The view of the seat that decides next, or of ours; ``None``: as before."""
    info: TableInfo | None = None
    """``None``: as before."""
    clocks: list[SeatClock] = field(default_factory=list)
    presence: list[SeatPresence] = field(default_factory=list)
    reaction: SeatReaction | None = None
    rewound: bool = False
    """What was reported after :attr:`revision`, or half an answer, did not happen."""


class Impossible(Exception):
    """The wish cannot be carried out; the message says why, in the player's language."""


class Session(Protocol):
    """A match, hosted or in process.

    Each method raises :exc:`Impossible` if its wish cannot be carried out.
    """

    @property
    def game(self) -> Game:
        """The engine's game."""
        ...

    @property
    def seats(self) -> Sequence[int]:
        """The seats that are played from this screen; empty for spectators."""
        ...

    @property
    def shared(self) -> bool:
        """Whether several people with secrets look at this screen in turn."""
        ...

    @property
    def wishes(self) -> frozenset[str]:
        """What may be wished for here: ``undo``, ``abandon``, ``bot``, ``save`` and so on."""
        ...

    def reports(self) -> AsyncIterator[Report]:
        """Yield what happens until the match is over."""
        ...

    async def answer(self, decision: Decision, choice: Choice, request_id: str) -> None:
        """Answer *decision* once, however often it is called with *request_id*.

        Raise :exc:`~taflhall_client.errors.TaflhallError`: an ``Uncertain`` one may be repeated.
        """
        ...

    async def explain(
        self, view: View, decision: Decision, command: Command[Any]
    ) -> Refusal | None:
        """Return why *command* does not answer *decision*; ``None`` if it does."""
        ...

    async def past(self, revision: int) -> PastView:
        """Return what our seat could know at *revision*."""
        ...

    async def resign(self, seat: int) -> None:
        """Resign *seat*."""
        ...

    async def undo(self, seat: int) -> bool:
        """Take back the latest answer of *seat*; return whether the others are asked first."""
        ...

    async def again(self, decision: Decision) -> None:
        """Drop the steps that were given of an answer: its first decision is reported again."""
        ...

    async def abandon(self, seat: int) -> bool:
        """End the match without a winner; return whether the others are asked first."""
        ...

    async def respond(self, agree: bool, proposal: Proposal) -> None:
        """Agree to a proposal, or refuse it."""
        ...

    async def react(self, reaction: Reaction) -> None:
        """Show a reaction to the others."""
        ...

    async def let_bot_play(self, seat: int, name: str) -> None:
        """Let a bot play *seat* until :meth:`take_back`; an empty name is the strongest."""
        ...

    async def take_back(self) -> None:
        """Take our seats back from bots and stand-ins."""
        ...

    async def save(self, name: str) -> Path:
        """Write the match, or its record once it is over, to a file; return which."""
        ...

    def leave(self) -> None:
        """Leave the table."""
        ...
