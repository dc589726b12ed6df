"""The line of a match: it goes on deed by deed, and back.

The history of a match only grows; an undo is a deed like any other. What counts is the
*line*: the deeds that have not been taken back. :func:`positions` goes through a match.

Only answers can be taken back, and only while nothing has come to light through them: no luck
was drawn, and no event or command of :attr:`Game.reveals` was told. So whoever answers again
after an undo knows no more than before, and meets the same luck.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from taflhall_engine.kernel.agenda import Answered, Command, Event, Table, Undone
from taflhall_engine.kernel.chance import KeyedChance
from taflhall_engine.kernel.deeds import (
    ABANDON,
    FORFEIT,
    MAX_BACK,
    NOBODY,
    TIMEOUT,
    UNDO,
    Deed,
    Gone,
    Move,
    carry_out,
    pending,
)
from taflhall_engine.kernel.game import Game


class Line:
    """A match under way, laid out from its setup and secret.

    Raise :exc:`InvalidSetup` if *setup* makes no match.
    """

    def __init__(self, game: Game, setup: Any, secret: bytes) -> None:
        self.game: Final = game
        self._setup: Final = setup
        self._secret: Final = secret
        self.table: Table = game.new(setup, KeyedChance(secret))
        """The table; it goes on with the line, so copy it to keep it."""
        self.gone = NOBODY
        self.revision = 0
        self._deeds: list[Move] = []
        self._at: list[int] = []
        self._free: list[bool] = []
        self._before: deque[tuple[Table, Gone]] | None = None
        """How it stood before each of the last deeds; kept from the first undo on."""

    def go(self, seat: int, deed: Command[Any] | Deed) -> list[Event]:
        """Go on by a deed that is legal; return what it told, for those who may know all."""
        self.revision += 1
        if isinstance(deed, Deed) and deed.name == UNDO:
            self._go_back(deed.back)
            return [Undone("", seat, deed.back)]
        s = self.table
        if self._before is not None:
            self._before.append((s.copy(), self.gone))
        drawn = _drawn(s)
        events: list[Event] = []
        s.journal = events
        self.gone = carry_out(self.game, s, seat, deed, self.gone)
        s.journal = None
        self._deeds.append((seat, deed))
        self._at.append(self.revision)
        open_still = drawn == _drawn(s) and not shows(self.game, events)
        self._free.append(isinstance(deed, Command) and open_still)
        return events

    @property
    def drawn(self) -> int:
        """How many words of luck have been used."""
        return _drawn(self.table)

    @property
    def free(self) -> int:
        """How many of the last answers may be taken back."""
        count = 0
        for free in reversed(self._free[-MAX_BACK:]):
            if not free:
                break
            count += 1
        return count

    def seat(self, back: int) -> int:
        """Return whose deed the last but *back* - 1 was; 1 is the last."""
        return self._deeds[-back][0]

    def stood_at(self, back: int) -> int:
        """Return at which revision the table stood as it did *back* deeds ago."""
        return self._at[-back - 1] if back < len(self._at) else 0

    def before(self, back: int) -> tuple[Table, Gone]:
        """Return the table as it was *back* deeds ago, and who had gone then."""
        kept = self._kept(back)
        table, gone = kept[-back]
        return table.copy(), gone

    def why_not(self, seat: int, deed: Deed) -> str:
        """Return why *seat* may not do *deed* now, in words; empty if it may."""
        asked = pending(self.game, self.table, self.gone)
        if not asked:
            return "the match was over before"
        if seat in self.gone.seats:
            return f"seat {seat} has gone before"
        if deed in (TIMEOUT, FORFEIT) and seat not in asked:
            return f"seat {seat} had nothing to decide"
        if deed.name == UNDO and deed.back > self.free:
            return f"only {self.free} answers could be taken back"
        if seat < 0 and deed != ABANDON:
            return "this is for a seat to do"
        return ""

    def _go_back(self, back: int) -> None:
        kept = self._kept(back)
        for _ in range(back):
            self.table, self.gone = kept.pop()
        del self._deeds[-back:]
        del self._at[-back:]
        del self._free[-back:]

    def _kept(self, back: int) -> deque[tuple[Table, Gone]]:
        if not 0 < back <= min(MAX_BACK, len(self._deeds)):
            raise ValueError(f"there are no {back} deeds to take back")
        if self._before is None or len(self._before) < back:
            self._before = self._again()
        return self._before

    def _again(self) -> deque[tuple[Table, Gone]]:
        again = Line(self.game, self._setup, self._secret)
        kept = again._before = deque(maxlen=MAX_BACK)
        for seat, deed in self._deeds:
            again.go(seat, deed)
        return kept


class Position(NamedTuple):
    """A match after one of its deeds."""

    revision: int
    """How many deeds there were, those that were taken back included."""
    table: Table
    """The table; it goes on with the iteration, so copy it to keep it."""
    gone: Gone
    events: list[Event]
    """What the deed told, for those who may know everything."""


def positions(game: Game, setup: Any, secret: bytes, moves: Iterable[Move]) -> Iterator[Position]:
    """Yield the match as it was laid out (revision 0), then after each of *moves*.

    The moves are trusted: they were legal when they were made. Raise
    :exc:`InvalidSetup` if *setup* makes no match.
    """
    line = Line(game, setup, secret)
    yield Position(0, line.table, line.gone, [])
    for revision, (seat, deed) in enumerate(moves, 1):
        events = line.go(seat, deed)
        yield Position(revision, line.table, line.gone, events)


def shows(game: Game, events: Iterable[Event]) -> bool:
    """Return whether *events* bring to light what was hidden from somebody."""
    for event in events:
        if type(event) in game.reveals:
            return True
        if isinstance(event, Answered) and type(event.command) in game.reveals:
            return True
    return False


def _drawn(s: Table) -> int:
    chance = s.chance
    assert isinstance(chance, KeyedChance)
    return chance.words
