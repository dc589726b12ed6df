"""A match as this process knows it: its version, its seats, its table, its clocks."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, NamedTuple

import msgspec

from taflhall_engine import registry
from taflhall_engine.kernel.agenda import Command, Table, Waiting, options, waiting
from taflhall_engine.kernel.game import Game, Result
from taflhall_engine.kernel.mainline import NOT_BEGUN, MainlineEnd
from taflhall_engine.kernel.meta_commands import NO_WITHDRAWALS, Withdrawals
from taflhall_engine.kernel.snapshot import load
from taflhall_service.app.errors import RulesTooNew, StoredDataDamaged
from taflhall_service.app.model import clocks as clock
from taflhall_service.app.model import codec as stored
from taflhall_service.app.model.clocks import Clocks, Outage
from taflhall_service.app.model.records import Origin, Proposal, Seat
from taflhall_service.app.model.visible_states import VisibleState, decode_states
from taflhall_service.app.ports.match_store import StoredMatch, Version, ms_of

OPEN: Final = "open"
PLAYING: Final = "playing"
FINISHED: Final = "finished"
ABANDONED: Final = "abandoned"

OVER: Final = frozenset({FINISHED, ABANDONED})
"""The statuses in which a match no longer changes."""


class NextDeadline(NamedTuple):
    """When the server has to act."""

    seat: int
    """The seat that it acts for; -1 if it has to resume the clocks."""
    ms: int
    """By the store's clock; 0: now."""


_BOT: Final = attrgetter("bot")

STATUSES: Final = frozenset({OPEN, PLAYING, FINISHED, ABANDONED})


class Match(msgspec.Struct, frozen=True, eq=False, weakref=True):
    """A match at one of its versions. A change makes a new one; two are equal if they are one."""

    game: Game
    origin: Origin
    setup: Any
    seats: tuple[Seat, ...]
    version: Version
    status: str = OPEN
    table: Table | None = None
    """``None`` before the start. It belongs to this match: copy it to play on it."""
    withdrawn: Withdrawals = NO_WITHDRAWALS
    pending: Mapping[int, str] = msgspec.field(default_factory=dict)
    """The ids of the pending decisions, by seat."""
    end: MainlineEnd = NOT_BEGUN
    """The end of the mainline, which determines what can be undone."""
    result: Result | None = None
    clocks: Clocks | None = None
    proposed: Proposal | None = None
    """The last proposal; it may be void."""
    next_match: str = ""
    """The id of its rematch; empty without one."""
    updated_ms: int = 0
    """When it last changed, by the store's clock; 0: not since it was created."""
    started_ms: int = 0
    """When it started; 0 before."""
    ended_ms: int = 0
    """When it was over; 0 before."""
    visible_states: tuple[VisibleState, ...] = ()
    """How it was at times that delayed spectators have yet to see, oldest first."""
    as_of: int = 0
    """The time at which it was so, for a match as it was a while ago; 0: it is so now."""
    _options: dict[int, list[Command[Any]]] = msgspec.field(default_factory=dict)
    """The legal commands of the seats that have been asked for."""
    memo: dict[Hashable, Any] = msgspec.field(default_factory=dict)
    """What viewers have been shown of it, to show it to others."""

    @property
    def id(self) -> str:
        return self.origin.match_id

    @property
    def revision(self) -> int:
        return self.version.revision

    @property
    def over(self) -> bool:
        """Whether nothing more happens: it is finished or abandoned."""
        return self.status in OVER

    @property
    def listed(self) -> bool:
        """Whether it is in the list of matches: not if it was abandoned before its start."""
        return self.status != ABANDONED or self.table is not None

    @property
    def step(self) -> Waiting[Any] | None:
        """The decision that is pending; ``None`` before the start and after the end."""
        if self.table is None or not self.pending:
            return None
        return waiting(self.table)

    def replaced(self, **fields: Any) -> Match:
        """Return the match with other values of *fields*."""
        return msgspec.structs.replace(self, _options={}, memo={}, **fields)

    def changed(self, **fields: Any) -> Match:
        """Return the match with *fields* changed by something else than a command."""
        return self.replaced(version=self.version.changed(), **fields)

    @property
    def proposal(self) -> Proposal | None:
        """The current proposal, void after the next command."""
        if self.proposed is None or self.proposed.revision != self.revision or self.over:
            return None
        return self.proposed

    @property
    def is_timed(self) -> bool:
        """Whether the server may have to act by itself: for a clock, or for its bots."""
        return self.clocks is not None or any(map(_BOT, self.seats))

    def next_deadline(self, outages: Sequence[Outage]) -> NextDeadline | None:
        """Return the server's next action and its time; ``None`` if it has nothing to do."""
        clocks, terms = self.clocks, self.origin.clock
        if not self.pending or (clocks is not None and clocks.frozen):
            return None
        if clocks is not None and clocks.paused:
            return NextDeadline(-1, clock.paused_until(clocks))
        for seat in self.pending:
            if self.seats[seat].automatic:
                return NextDeadline(seat, 0)
        if clocks is None or terms is None:
            return None
        seat, end = clock.first_deadline(terms, clocks, outages)
        return None if seat < 0 else NextDeadline(seat, end)

    def decides(self, seats: Sequence[int]) -> int | None:
        """Return the first of *seats* whose decision is pending, ``None`` if none is."""
        for seat in seats:
            if seat in self.pending:
                return seat
        return None

    def options(self, seat: int) -> list[Command[Any]]:
        """Return *seat*'s legal commands; empty unless its decision is pending."""
        found = self._options.get(seat)
        if found is None:
            table = self.table
            found = options(table, seat) if table is not None and seat in self.pending else []
            self._options[seat] = found
        return found


def decode_match(match: StoredMatch) -> Match:
    """Return a stored match with its table.

    Raise ``RulesTooNew`` if this server must not touch it, ``StoredDataDamaged`` if it cannot
    be read.
    """
    game, origin, setup = read_origin(match.schema, match.origin)
    status = match.status.decode("ascii", "replace")
    if status not in STATUSES:
        raise StoredDataDamaged(match_id=origin.match_id)
    opened = Match(
        game,
        origin,
        setup,
        stored.decode_seats(match.seats),
        match.version,
        status,
        result=stored.decode_result(match.result),
        clocks=stored.decode_clocks(origin, match.clocks),
        proposed=stored.decode_proposal(match.proposal),
        next_match=match.next_match.decode("ascii", "replace"),
        updated_ms=ms_of(match.changed),
        started_ms=ms_of(match.started),
        ended_ms=ms_of(match.ended),
        visible_states=decode_states(origin, match.visible_states),
    )
    if status != ABANDONED and bool(match.snapshot) != (status != OPEN):
        raise StoredDataDamaged(match_id=origin.match_id)
    if not match.snapshot:
        return opened
    table = stored.decode_table(game, origin, match.version.revision, match.snapshot)
    return opened.replaced(**table._asdict())


@lru_cache(maxsize=4096)
def read_origin(schema: int, data: bytes) -> tuple[Game, Origin, Any]:
    if schema > stored.SCHEMA:
        raise RulesTooNew
    origin = stored.decode_origin(data)
    try:
        game = registry.game(origin.game)
    except registry.UnknownGame:
        raise RulesTooNew(match_id=origin.match_id) from None
    if (game.version, game.data_digest) != (origin.rules_version, origin.data_digest):
        raise RulesTooNew(match_id=origin.match_id)
    try:
        setup = load(origin.setup, {game.setup_kind.__name__: game.setup_kind, **game.types})
    except Exception:
        raise StoredDataDamaged(match_id=origin.match_id) from None
    return game, origin, setup
