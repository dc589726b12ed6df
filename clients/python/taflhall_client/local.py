"""Matches in process: the engine at the table, bots around it.

::

    played = play(registry.game("yggdrasil"), [Random(game, seed=s) for s in range(2)], setup)
    print(played.result)

Bots see views and options, never the table, just as over the wire.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from taflhall_client.bot import Abandon, Bot, Decision, TakeBack
from taflhall_client.bot_calls import OnFailure, ask, report
from taflhall_client.errors import BotFailed
from taflhall_client.results import PastView
from taflhall_engine.kernel import record, replay
from taflhall_engine.kernel.agenda import Command, Event, Table, options, waiting
from taflhall_engine.kernel.chance import SECRET_BYTES
from taflhall_engine.kernel.drafts import Draft, whole
from taflhall_engine.kernel.game import Game, Result, View
from taflhall_engine.kernel.mainline import Mainline
from taflhall_engine.kernel.meta_commands import (
    ABANDON,
    RESIGN,
    UNDO,
    Action,
    MetaCommand,
    Move,
    apply_move,
    neutral_answer,
    pending,
    result,
    undo,
)

EventListener = Callable[[list[Event]], None]


class TooLong(Exception):
    """A match took more commands than allowed."""


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that is over."""

    game: Game
    setup: Any
    secret: bytes
    moves: list[Move]
    """The actions in order: answers and resignations."""
    result: Result
    failures: list[tuple[int, BotFailed]]
    """Seats whose bots failed, each time that they did."""
    table: Table
    """The table at the end."""

    def brief_record(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the record with the digest of the last table alone, which takes no replay."""
        return record.brief(
            self.game, self.setup, names, self.secret, self.moves, self.table, self.result
        )

    def record(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the record of the match, with the *names* of who sat at each seat."""
        return record.write(self.game, self.setup, names, self.secret, self.moves)


class LocalMatch:
    """A match in process, under way or not begun.

    All random numbers come from *secret* (32 bytes; random ones if it is left out); *moves* are
    those that were made before. Raise :exc:`InvalidSetup`.
    """

    def __init__(
        self, game: Game, setup: Any, secret: bytes | None = None, moves: Sequence[Move] = ()
    ) -> None:
        self.game: Final = game
        self.setup: Final = setup
        self.secret: Final = secret or secrets.token_bytes(SECRET_BYTES)
        self.moves: Final = list(moves)
        """The actions in order; the list grows while the match is played."""
        line = _line(game, setup, self.secret, self.moves)
        self._table = line.table
        self._withdrawn = line.withdrawn
        self._failures: list[tuple[int, BotFailed]] = []

    @classmethod
    def resume(cls, game: Game, saved: Any) -> LocalMatch:
        """Return the match that :meth:`save` returned, or raise ``RecordError``."""
        return cls(game, *replay.resume(game, saved))

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self.game.seats(self._table)

    def view(self, seat: int) -> View:
        """Return what *seat*, or a spectator, may know now."""
        return self.game.view(self._table, seat)

    def past(self, revision: int, seat: int) -> PastView:
        """Return what *seat*, or a spectator, could know after *revision* actions."""
        moves = self.moves[:revision]
        line = _line(self.game, self.setup, self.secret, moves[:-1])
        events = line.push(*moves[-1]) if moves else []
        seen = [event.seen_by(seat) for event in events]
        known = [event for event in seen if event is not None]
        return PastView(revision, self.game.view(line.table, seat), [], known)

    def save(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the match as plain data; *names* are those of the seats."""
        return record.save(self.game, self.setup, names, self.secret, self.moves)

    def play(
        self,
        bots: Sequence[Bot],
        *,
        on_failure: OnFailure = "raise",
        listen: EventListener | None = None,
        limit: int = 100_000,
        report: Callable[[BotFailed, str], None] = report,
    ) -> FinishedMatch:
        """Play to the end with *bots*, one for each seat in order; see :func:`play`.

        *report* logs a failure that does not end the run, with its consequence.
        """
        game = self.game
        if len(bots) != self.seats:
            raise ValueError(f"{len(bots)} bots for {self.seats} seats")
        draft: Draft | None = None
        while True:
            end = result(game, self._table, self._withdrawn)
            if end is not None:
                return FinishedMatch(
                    game, self.setup, self.secret, self.moves, end, self._failures, self._table
                )
            if len(self.moves) >= limit:
                raise TooLong(f"the match is not over after {limit} commands")
            draft = draft or Draft(self._table, pending(game, self._table, self._withdrawn)[0])
            try:
                given = self._ask(bots[draft.seat], draft, on_failure, report)
                if isinstance(given, Command) and not draft.give(given):
                    continue
                if isinstance(given, Command):
                    action: Action | None = whole(draft.steps)
                else:
                    action = given or neutral_answer(game, self._table, draft.seat)
            except TakeBack as wish:
                action = None if draft.steps else self._undo(draft.seat, wish)
            if action is not None:
                events = self._apply(draft.seat, action, listened=listen is not None)
                if listen is not None:
                    listen(events)
            draft = None

    def _apply(self, seat: int, action: Action, *, listened: bool) -> list[Event]:
        events: list[Event] = []
        if isinstance(action, MetaCommand) and action.name == UNDO:
            line = _line(self.game, self.setup, self.secret, self.moves)
            events = line.push(seat, action)
            self._table, self._withdrawn = line.table, line.withdrawn
        else:
            s = self._table
            s.journal = events if listened else None
            self._withdrawn = apply_move(self.game, s, seat, action, self._withdrawn)
            s.journal = None
        self.moves.append((seat, action))
        return events

    def _undo(self, seat: int, wish: TakeBack) -> MetaCommand | None:
        """Return what takes the latest answer of *seat* back, ``None`` if nothing can."""
        line = _line(self.game, self.setup, self.secret, self.moves)
        for back, answer in enumerate(reversed(line.end.undoable), 1):
            if answer.seat == seat:
                return undo(back)
        wish.refused()
        return None

    def _ask(
        self,
        bot: Bot,
        draft: Draft,
        on_failure: OnFailure,
        report: Callable[[BotFailed, str], None],
    ) -> Command[Any] | MetaCommand | None:
        """Return the bot's answer, or what *on_failure* puts in its place: ``None`` for neutral."""
        step = waiting(draft.table)
        assert step is not None
        seat = draft.seat
        decision = Decision.of(seat, step, list(options(draft.table, seat)))
        try:
            answer = ask(bot, self.game.view(draft.table, seat), decision)
            return RESIGN if answer is None else answer
        except Abandon:
            return ABANDON
        except BotFailed as failure:
            if on_failure == "raise":
                raise
            self._failures.append((seat, failure))
            if on_failure == "resign":
                report(failure, f"seat {seat} resigns")
                return RESIGN
            report(failure, f"seat {seat} gets a neutral answer")
            return None


def play(
    game: Game,
    bots: Sequence[Bot],
    setup: Any,
    *,
    secret: bytes | None = None,
    on_failure: OnFailure = "raise",
    listen: EventListener | None = None,
    limit: int = 100_000,
) -> FinishedMatch:
    """Play a match between *bots*, one for each seat in order, to its end.

    All random numbers come from *secret* (32 bytes; random ones if it is left out). *listen* is
    called with every event, hidden parts and all: show ``event.seen_by(seat)``. Raise
    ``ValueError`` if the number of bots is not that of the seats, :exc:`InvalidSetup`,
    :exc:`~taflhall_client.errors.BotFailed` as *on_failure* says, or :exc:`TooLong` after
    *limit* commands.
    """
    match = LocalMatch(game, setup, secret)
    return match.play(bots, on_failure=on_failure, listen=listen, limit=limit)


def _line(game: Game, setup: Any, secret: bytes, moves: list[Move]) -> Mainline:
    line = Mainline(game, setup, secret)
    for seat, action in moves:
        line.push(seat, action)
    return line
