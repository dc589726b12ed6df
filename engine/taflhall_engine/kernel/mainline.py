"""The mainline of a match: the moves that have not been taken back.

The history of a match only grows; an undo is a move like any other. What counts is the
*mainline*. :func:`replay_states` goes through a match move by move.

Only answers can be taken back, and only while they have shown nothing hidden: no random number
was drawn, and there was no event or command of :attr:`Game.reveals`. So a seat that answers
again after an undo knows no more than before, and meets the same chance.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from taflhall_engine.kernel.agenda import Answered, Event, Table, Undone
from taflhall_engine.kernel.chance import KeyedChance
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.meta_commands import (
    ABANDON,
    FORFEIT,
    MAX_BACK,
    NO_WITHDRAWALS,
    TIMEOUT,
    UNDO,
    Action,
    MetaCommand,
    Move,
    Withdrawals,
    apply_move,
    pending,
)


class UndoableAnswer(NamedTuple):
    """An answer that may be taken back."""

    before: int
    """The revision whose table is restored then."""
    seat: int


class MainlineEnd(NamedTuple):
    """The end of a mainline: what may be taken back without reading the history."""

    last: int = 0
    """The revision of the last move on the mainline; 0 before the first."""
    length: int = 0
    """Number of moves on the mainline."""
    undoable: tuple[UndoableAnswer, ...] = ()
    """The answers that may be taken back, oldest first, at most :data:`MAX_BACK`."""
    settled: int = 0
    """Bit set of the seats of answers that can no longer be taken back."""

    def pushed(self, revision: int, seat: int, action: Action, revealed: bool) -> MainlineEnd:
        """Return the end after one more move, other than an undo.

        *revealed* says whether it has drawn a random number or shown something hidden.
        """
        settled, undoable = self.settled, self.undoable
        answered = not isinstance(action, MetaCommand)
        if answered and not revealed:
            undoable = (*undoable, UndoableAnswer(self.last, seat))
            for answer in undoable[:-MAX_BACK]:
                settled |= 1 << answer.seat
            undoable = undoable[-MAX_BACK:]
        else:
            for answer in undoable:
                settled |= 1 << answer.seat
            undoable = ()
            if answered:
                settled |= 1 << seat
        return MainlineEnd(revision, self.length + 1, undoable, settled)

    def undone(self, back: int) -> MainlineEnd:
        """Return the end after the last *back* answers were taken back."""
        last = self.undoable[-back].before
        return MainlineEnd(last, self.length - back, self.undoable[:-back], self.settled)

    def has_answered(self, seat: int) -> bool:
        """Return whether an answer of *seat* is on the mainline."""
        own = any(answer.seat == seat for answer in self.undoable)
        return own or bool(self.settled >> seat & 1)


NOT_BEGUN: Final = MainlineEnd()
"""The end of a mainline without moves."""


class Mainline:
    """A match under way, laid out from its setup and secret.

    Without *undo* no move is an undo, and nothing is noted for one. Raise :exc:`InvalidSetup` if
    *setup* makes no match.
    """

    def __init__(self, game: Game, setup: Any, secret: bytes, undo: bool = True) -> None:
        self.game: Final = game
        self._undo: Final = undo
        self._setup: Final = setup
        self._secret: Final = secret
        self.table: Table = game.new(setup, KeyedChance(secret))
        """The table; it changes with the mainline, so copy it to keep it."""
        self.withdrawn = NO_WITHDRAWALS
        self.revision = 0
        self.end = NOT_BEGUN
        self._moves: list[Move] = []
        """All moves until the first undo."""
        self._before: deque[tuple[Table, Withdrawals]] | None = None
        """The state before each of the last moves; kept from the first undo on."""

    def push_checked(self, seat: int, action: Action) -> None:
        """Carry out *action*, which may be an illegal answer: raise :exc:`IllegalCommand` then.

        The mainline is of no use after that.
        """
        if self._undo:
            self.push(seat, action, checked=True)
        else:
            self.revision += 1
            self.withdrawn = apply_move(
                self.game, self.table, seat, action, self.withdrawn, checked=True
            )

    def push(self, seat: int, action: Action, checked: bool = False) -> list[Event]:
        """Carry out a legal *action*; return its events, unfiltered."""
        self.revision += 1
        if isinstance(action, MetaCommand) and action.name == UNDO:
            self._go_back(action.back)
            return [Undone("", seat, action.back)]
        s = self.table
        if self._before is None:
            self._moves.append((seat, action))
        else:
            self._before.append((s.copy(), self.withdrawn))
        drawn = draws_of(s)
        events: list[Event] = []
        s.journal = events
        self.withdrawn = apply_move(self.game, s, seat, action, self.withdrawn, checked)
        s.journal = None
        revealed = drawn != draws_of(s) or reveals_hidden(self.game, events)
        self.end = self.end.pushed(self.revision, seat, action, revealed)
        return events

    @property
    def undoable(self) -> int:
        """How many of the last answers may be taken back."""
        return len(self.end.undoable)

    def why_not(self, seat: int, action: MetaCommand) -> str:
        """Return why *seat* may not do *action* now, in words; empty if it may."""
        asked = pending(self.game, self.table, self.withdrawn)
        if not asked:
            return "the match was over before"
        if seat in self.withdrawn.seats:
            return f"seat {seat} has withdrawn before"
        if action in (TIMEOUT, FORFEIT) and seat not in asked:
            return f"seat {seat} had nothing to decide"
        if action.name == UNDO and action.back > self.undoable:
            return f"only {self.undoable} answers could be taken back"
        if seat < 0 and action != ABANDON:
            return "this is for a seat to do"
        return ""

    def _go_back(self, back: int) -> None:
        kept = self._kept(back)
        for _ in range(back):
            self.table, self.withdrawn = kept.pop()
        self.end = self.end.undone(back)

    def _kept(self, back: int) -> deque[tuple[Table, Withdrawals]]:
        if not 0 < back <= self.undoable:
            raise ValueError(f"there are no {back} answers to take back")
        if self._before is None:
            self._before = self._again()
        return self._before

    def _again(self) -> deque[tuple[Table, Withdrawals]]:
        again = Mainline(self.game, self._setup, self._secret)
        kept = again._before = deque(maxlen=MAX_BACK)
        for seat, action in self._moves:
            again.push(seat, action)
        return kept


class ReplayState(NamedTuple):
    """A match after one of its moves."""

    revision: int
    """How many moves there were, those that were taken back included."""
    table: Table
    """The table, which changes with the iteration; copy it to keep it."""
    withdrawn: Withdrawals
    events: list[Event]
    """The events of the action, with everything hidden."""
    end: MainlineEnd


def replay_states(
    game: Game, setup: Any, secret: bytes, moves: Iterable[Move]
) -> Iterator[ReplayState]:
    """Yield the match as it was laid out (revision 0), then after each of *moves*.

    The moves are trusted: they were legal when they were made. Raise
    :exc:`InvalidSetup` if *setup* makes no match.
    """
    line = Mainline(game, setup, secret)
    yield ReplayState(0, line.table, line.withdrawn, [], line.end)
    for revision, (seat, action) in enumerate(moves, 1):
        events = line.push(seat, action)
        yield ReplayState(revision, line.table, line.withdrawn, events, line.end)


def reveals_hidden(game: Game, events: Iterable[Event]) -> bool:
    """Return whether *events* reveal hidden information."""
    for event in events:
        if type(event) in game.reveals:
            return True
        if isinstance(event, Answered) and type(event.command) in game.reveals:
            return True
    return False


def draws_of(s: Table) -> int:
    """Return how many random words the chance of *s* has drawn."""
    chance = s.chance
    assert isinstance(chance, KeyedChance)
    return chance.draws
