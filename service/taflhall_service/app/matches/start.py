"""Start a match: set up its table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from taflhall_engine.kernel.chance import KeyedChance
from taflhall_engine.kernel.meta_commands import pending, result
from taflhall_service.app import errors
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import Action, Caller, authorize
from taflhall_service.app.matches.table_update import clock_fields, table_fields
from taflhall_service.app.matches.transaction import NO_FINGERPRINT, Change
from taflhall_service.app.model import codec
from taflhall_service.app.model.clocks import Moment, begin, with_stand_ins
from taflhall_service.app.model.match import FINISHED, OPEN, PLAYING, Match
from taflhall_service.app.model.records import Seat
from taflhall_service.app.model.tokens import decision_id


@dataclass(frozen=True, slots=True)
class StartMatch:
    """A request to set up the table; a match that has started stays as it is."""

    identity: Identity
    request_id: ClassVar[str] = ""
    fingerprint: ClassVar[bytes] = NO_FINGERPRINT

    def authorize(self, match: Match) -> Caller:
        return authorize(Action.START_MATCH, self.identity, match)

    def key(self, match: Match, caller: Caller) -> str:
        return "start:"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change | None:
        if match.status != OPEN:
            if match.table is None:
                raise errors.MatchOver(match_id=match.id)
            return None
        free = [str(number) for number, seat in enumerate(match.seats) if seat.free]
        if free:
            raise errors.NotAllSeated(free=",".join(free))
        after = with_table(match.changed(), now)
        return Change(after, table_fields(after) | clock_fields(after, now))


def with_players(match: Match, seats: tuple[Seat, ...], now: Moment) -> Change:
    """Return the change by which players take seats; the match starts if it is to, when full."""
    after = match.changed(seats=seats)
    fields = {"seats": codec.encode(seats)}
    if match.origin.start_when_full and not any(seat.free for seat in seats):
        after = with_table(after, now)
        fields |= table_fields(after) | clock_fields(after, now)
    return Change(after, fields)


def with_table(match: Match, now: Moment) -> Match:
    """Return a match that is about to start, with its table."""
    origin, head = match.origin, match.version.head
    table = match.game.new(match.setup, KeyedChance(origin.secret))
    seats = pending(match.game, table)
    clocks = None
    if origin.clock is not None:
        bots = [number for number, seat in enumerate(match.seats) if seat.bot]
        clocks = begin(origin.clock, len(match.seats), seats, now)
        clocks = with_stand_ins(origin.clock, clocks, seats, bots, now)
    return match.replaced(
        table=table,
        pending={seat: decision_id(origin.chain, head, 0, seat) for seat in seats},
        result=result(match.game, table),
        status=PLAYING if seats else FINISHED,
        clocks=clocks,
    )
