"""A match as this process knows it: where it stands, who sits there, what lies on the table.

A :class:`Match` is never changed: a command makes a new one. *kept* is room for what the edge
derives from it (its messages), so that each is built once for all who look at this revision.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from taflhall_engine import registry
from taflhall_engine.kernel.agenda import Command, Table, Waiting, options, waiting
from taflhall_engine.kernel.game import Game, Result
from taflhall_engine.kernel.meta_commands import NO_WITHDRAWALS, Withdrawals
from taflhall_engine.kernel.snapshot import load
from taflhall_service.app.errors import RulesTooNew, StoredDataDamaged
from taflhall_service.app.model import clocks as clock
from taflhall_service.app.model import codec as stored
from taflhall_service.app.model.clocks import Clocks, Outage
from taflhall_service.app.model.records import Origin, Proposal, Seat
from taflhall_service.app.model.visible_states import VisibleState, decode_states
from taflhall_service.app.ports.match_store import StoredMatch, Version

OPEN: Final = "open"
PLAYING: Final = "playing"
FINISHED: Final = "finished"
ABANDONED: Final = "abandoned"

OVER: Final = frozenset({FINISHED, ABANDONED})
"""Nothing more happens in such a match."""


class NextDeadline(NamedTuple):
    """When the house has to act."""

    seat: int
    """The seat that it acts for; -1 if it has to let the clocks run on."""
    ms: int
    """By the store's clock; 0: now."""


STATUSES: Final = frozenset({OPEN, PLAYING, FINISHED, ABANDONED})


class Match:
    """A match at one of its versions."""

    __slots__ = (
        "_options",
        "as_of",
        "clocks",
        "game",
        "kept",
        "origin",
        "pending",
        "proposed",
        "result",
        "seats",
        "setup",
        "status",
        "table",
        "version",
        "visible_states",
        "withdrawn",
    )

    def __init__(
        self,
        game: Game,
        origin: Origin,
        setup: Any,
        seats: tuple[Seat, ...],
        version: Version,
        status: str = OPEN,
        table: Table | None = None,
        withdrawn: Withdrawals = NO_WITHDRAWALS,
        pending: dict[int, str] | None = None,
        result: Result | None = None,
        clocks: Clocks | None = None,
        proposed: Proposal | None = None,
    ) -> None:
        self.game = game
        self.origin = origin
        self.setup = setup
        self.seats = seats
        self.version = version
        self.status = status
        self.table = table
        self.withdrawn = withdrawn
        self.pending = pending or {}
        self.result = result
        self.clocks = clocks
        self.proposed = proposed
        """The last proposal; it may be void."""
        self.visible_states: tuple[VisibleState, ...] = ()
        """How it stood at times that spectators have yet to see, oldest first."""
        self.as_of = 0
        """When it stood so, of a match as it was a while ago; 0: it is as it is now."""
        self._options: dict[int, list[Command[Any]]] = {}
        self.kept: dict[Any, Any] = {}

    @property
    def id(self) -> str:
        return self.origin.match_id

    @property
    def revision(self) -> int:
        return self.version.revision

    @property
    def over(self) -> bool:
        """Whether nothing more happens: it has come to its end, or was given up."""
        return self.status in OVER

    @property
    def listed(self) -> bool:
        """Whether it is told among the matches: not if it was given up before it began."""
        return self.status != ABANDONED or self.table is not None

    @property
    def step(self) -> Waiting[Any] | None:
        """The decision that is pending; ``None`` before the start and after the end."""
        if self.table is None or not self.pending:
            return None
        return waiting(self.table)

    def seated(self, seats: tuple[Seat, ...]) -> Match:
        """Return the match with *roster*, and all else as it is."""
        return Match(
            self.game,
            self.origin,
            self.setup,
            seats,
            self.version.changed(),
            self.status,
            self.table,
            self.withdrawn,
            self.pending,
            self.result,
            self.clocks,
            self.proposed,
        )

    def proposing(self, proposal: Proposal | None) -> Match:
        """Return the match with what is proposed, and all else as it is."""
        after = self.seated(self.seats)
        after.proposed = proposal
        return after

    def unbegun(self) -> Match:
        """Return the match, which has not begun, as one that never will."""
        after = self.seated(self.seats)
        after.status = ABANDONED
        return after

    @property
    def proposal(self) -> Proposal | None:
        """What is proposed, as long as nothing is done to the match."""
        if self.proposed is None or self.proposed.revision != self.revision or self.over:
            return None
        return self.proposed

    @property
    def stand_ins(self) -> list[int]:
        """The seats that a program of the house plays for."""
        return [seat for seat, place in enumerate(self.seats) if place.stand_in]

    def next_deadline(self, outages: Sequence[Outage]) -> NextDeadline | None:
        """Return what the server has to do next, and when; ``None`` if nothing."""
        clocks, terms = self.clocks, self.origin.clock
        if clocks is None or terms is None or not self.pending or clocks.frozen:
            return None
        if clocks.paused:
            return NextDeadline(-1, clock.paused_until(clocks))
        for seat in self.pending:
            if self.seats[seat].stand_in:
                return NextDeadline(seat, 0)
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
            asked = self.table is not None and seat in self.pending
            found = options(self.table, seat) if asked and self.table is not None else []
            self._options[seat] = found
        return found


def decode_match(match: StoredMatch) -> Match:
    """Return a stored match with its table.

    Raise ``RulesTooNew`` if this server must not touch it, ``StoredDataDamaged`` if it cannot
    be read.
    """
    game, origin, setup = _origin(match.schema, match.origin)
    opened = Match(game, origin, setup, stored.decode_seats(match.seats), match.version)
    opened.status = match.status.decode("ascii", "replace")
    if opened.status not in STATUSES:
        raise StoredDataDamaged(match_id=origin.match_id)
    opened.result = stored.decode_result(match.result)
    opened.clocks = stored.decode_clocks(origin, match.clocks)
    opened.proposed = stored.decode_proposal(match.proposal)
    opened.visible_states = decode_states(origin, match.visible_states)
    if match.snapshot:
        stored_table = stored.decode_table(game, origin, match.version.revision, match.snapshot)
        opened.table, opened.withdrawn, opened.pending = stored_table
    if opened.status != ABANDONED and (opened.table is None) != (opened.status == OPEN):
        raise StoredDataDamaged(match_id=origin.match_id)
    return opened


@lru_cache(maxsize=4096)
def _origin(schema: int, data: bytes) -> tuple[Game, Origin, Any]:
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
