"""Replays the decision at which a bot failed, with the same bot, seed, position and limits.

The match is played again from its record: all others do what they did, and the bot is asked every
decision up to its fault, so that it remembers what it remembered then.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from taflhall_client.bot import Decision, Resign
from taflhall_client.errors import BotFailed
from taflhall_client.local import LocalMatch
from taflhall_client.tournament import results
from taflhall_client.tournament.description import Tournament
from taflhall_client.tournament.referee import BotFault, Seat, seat_bot
from taflhall_client.tournament.results import Fault, MatchResult
from taflhall_client.tournament.schedule import Pairing, secret
from taflhall_client.tournament.time_limit import interrupting
from taflhall_engine.kernel import notation, setups
from taflhall_engine.kernel.agenda import Command
from taflhall_engine.kernel.drafts import steps_of
from taflhall_engine.kernel.game import View
from taflhall_engine.kernel.meta_commands import MetaCommand, Move
from taflhall_engine.kernel.replay import replay


@dataclass(slots=True)
class PostMortem:
    """What the bot did when it was asked again."""

    fault: Fault
    """The fault in the tournament."""
    kind: str = ""
    """The fault now; empty if it answered."""
    text: str = ""
    """What it did now, in words."""
    decision: str = ""
    options: list[str] = field(default_factory=list)
    asked: int = 0
    """How often it was asked before, in the same match."""
    other_answers: int = 0
    """How many of those times it answered otherwise than in the tournament."""
    stderr_tail: str = ""

    @property
    def same(self) -> bool:
        """Whether it failed in the same way."""
        same_text = self.kind != results.CRASH or self.text == self.fault.text
        return self.kind == self.fault.kind and same_text


class NoRecord(Exception):
    """The match has no record: its process had to be killed."""


class _Reached(Exception):
    """The bot has been asked the decision at which it failed."""


@dataclass(slots=True)
class _Past:
    """A seat that does what it did."""

    moves: deque[Command[Any] | None]

    def choose(self, view: View, decision: Decision) -> Command[Any]:
        if not self.moves:
            raise _Reached
        done = self.moves.popleft()
        if done is None:
            raise Resign
        return done


@dataclass(slots=True)
class _Patient:
    """The seat of the bot that failed: it is asked everything, and does what it did."""

    past: _Past
    seat: Seat
    found: PostMortem
    labels: dict[str, list[str]]

    def choose(self, view: View, decision: Decision) -> Command[Any]:
        before = self.past.moves[0]
        if self.found.text and decision.step is not None and not decision.step.continues_answer:
            raise _Reached
        try:
            answer: object = self.seat.choose(view, decision)
        except (BotFault, Resign) as error:
            answer = error
        if before is not None:
            self.found.asked += 1
            self.found.other_answers += answer != before
            return self.past.choose(view, decision)
        self._note(decision, answer)
        if isinstance(answer, Command) and not self.found.kind:
            return answer  # the fault may be in a later step of this answer
        raise _Reached

    def _note(self, decision: Decision, answer: object) -> None:
        found = self.found
        if decision.step is not None:
            found.decision = notation.write(decision.step, self.labels)
        found.options = [notation.write(option, self.labels) for option in decision.options]
        if isinstance(answer, BotFault):
            found.kind, found.text = answer.kind, str(answer)
        elif isinstance(answer, Resign):
            found.text = "it resigned"
        elif isinstance(answer, Command):
            found.text = f"it answered {notation.write(answer, self.labels)}"


def post_mortem(tournament: Tournament, result: MatchResult, seat: int, out: Path) -> PostMortem:
    """Ask the bot at *seat* of a match again what it failed at; its record is below *out*.

    Only the main thread of a process may call this. Raise ``ValueError`` if the seat has no fault,
    and :exc:`NoRecord`.
    """
    fault = next((fault for fault in result.faults if fault.seat == seat), None)
    if fault is None:
        raise ValueError(f"seat {seat} of match {result.match_id} has no fault")
    if not result.record:
        raise NoRecord(f"match {result.match_id} has no record: {fault.text}")
    game = tournament.make_game()
    moves = replay(game, json.loads((out / result.record).read_text("utf-8"))).moves
    pairing = Pairing(
        result.match_id,
        int(result.match_id.partition(".")[0]),
        result.entrants,
        result.scenario,
    )
    found = PostMortem(fault)
    with interrupting(), ExitStack() as stack:
        asked = seat_bot(tournament, game, pairing, seat, stack)
        bots: list[Any] = [_Past(_of_seat(moves, at)) for at in range(len(result.entrants))]
        bots[seat] = _Patient(bots[seat], asked, found, game.labels)
        setup = setups.from_data(game, tournament.words(pairing.scenario))
        match = LocalMatch(game, setup, secret(tournament, pairing.block))
        try:
            match.play(bots, on_failure="raise", limit=tournament.limits.commands)
        except BotFailed as end:  # whatever raised _Reached, or a past that fits no more
            if not isinstance(end.__cause__, _Reached) and not found.text:
                raise
        if asked.program is not None:
            found.stderr_tail = asked.program.stderr_tail
    return found


def _of_seat(moves: Sequence[Move], seat: int) -> deque[Command[Any] | None]:
    """Return what a seat did, step by step; ``None`` for a resignation."""
    steps: deque[Command[Any] | None] = deque()
    for mover, action in moves:
        if mover == seat and isinstance(action, MetaCommand):
            steps.append(None)
        elif mover == seat and not isinstance(action, MetaCommand):
            steps.extend(steps_of(action))
    return steps
