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
from typing import Any

from taflhall_client.bot import Bot, Decision, TakeBack
from taflhall_client.bot_calls import OnFailure, ask, report
from taflhall_client.errors import BotFailed
from taflhall_engine.kernel import record
from taflhall_engine.kernel.agenda import Command, Event, options, waiting
from taflhall_engine.kernel.chance import SECRET_BYTES, KeyedChance
from taflhall_engine.kernel.drafts import Draft, whole
from taflhall_engine.kernel.game import Game, Result, View
from taflhall_engine.kernel.mainline import Mainline
from taflhall_engine.kernel.meta_commands import (
    NO_WITHDRAWALS,
    RESIGN,
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
    """What was done, in order: answers, and resignations."""
    result: Result
    failures: list[tuple[int, BotFailed]]
    """Seats whose bots failed, each time that they did."""

    def record(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the record of the match, with the *names* of who sat at each seat."""
        return record.write(self.game, self.setup, names, self.secret, self.moves)


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

    All its luck comes from *secret* (32 bytes; random ones if it is left out). *listen* is
    told every event, with everything that is hidden: show ``event.seen_by(seat)``. Raise
    ``ValueError`` if the number of bots is not that of the seats, :exc:`InvalidSetup`,
    :exc:`~taflhall_client.errors.BotFailed` as *on_failure* says, or :exc:`TooLong` after
    *limit* commands.
    """
    secret = secret or secrets.token_bytes(SECRET_BYTES)
    s = game.new(setup, KeyedChance(secret))
    if len(bots) != game.seats(s):
        raise ValueError(f"{len(bots)} bots for {game.seats(s)} seats")
    moves: list[Move] = []
    withdrawn = NO_WITHDRAWALS
    failures: list[tuple[int, BotFailed]] = []
    draft: Draft | None = None
    while True:
        end = result(game, s, withdrawn)
        if end is not None:
            return FinishedMatch(game, setup, secret, moves, end, failures)
        if len(moves) >= limit:
            raise TooLong(f"the match goes on after {limit} commands")
        draft = draft or Draft(s, pending(game, s, withdrawn)[0])
        seat = draft.seat
        step = waiting(draft.table)
        assert step is not None
        decision = Decision.of(seat, step, list(options(draft.table, seat)))
        view = game.view(draft.table, seat)
        events: list[Event] = []
        try:
            given = _choice(bots[seat], view, decision, on_failure, failures)
            if isinstance(given, Command) and not draft.give(given):
                continue
            if isinstance(given, Command):
                choice: Action = whole(draft.steps)
            else:
                choice = given or neutral_answer(game, s, seat)
            draft = None
        except TakeBack as wish:
            half_given = draft is not None and bool(draft.steps)
            draft = None
            if half_given:
                continue
            line = _line(game, setup, secret, moves)
            back = _back(line, seat)
            if back is None:
                wish.refused()
                continue
            choice = back
            events += line.push(seat, choice)
            s, withdrawn = line.table, line.withdrawn
        else:
            s.journal = None if listen is None else events
            withdrawn = apply_move(game, s, seat, choice, withdrawn)
        moves.append((seat, choice))
        s.journal = None
        if listen is not None:
            listen(events)


def _line(game: Game, setup: Any, secret: bytes, moves: list[Move]) -> Mainline:
    line = Mainline(game, setup, secret)
    for seat, action in moves:
        line.push(seat, action)
    return line


def _back(line: Mainline, seat: int) -> MetaCommand | None:
    """Return what takes the latest answer of *seat* back, ``None`` if it cannot be."""
    for back in range(1, line.undoable + 1):
        if line.seat(back) == seat:
            return undo(back)
    return None


def _choice(
    bot: Bot,
    view: View,
    decision: Decision,
    on_failure: OnFailure,
    failures: list[tuple[int, BotFailed]],
) -> Command[Any] | MetaCommand | None:
    """Return the bot's answer, or what *on_failure* puts in its place: ``None`` for neutral."""
    try:
        answer = ask(bot, view, decision)
        return RESIGN if answer is None else answer
    except BotFailed as failure:
        if on_failure == "raise":
            raise
        failures.append((decision.seat, failure))
        if on_failure == "resign":
            report(failure, f"seat {decision.seat} resigns")
            return RESIGN
        report(failure, f"seat {decision.seat} gets a neutral answer")
        return None
