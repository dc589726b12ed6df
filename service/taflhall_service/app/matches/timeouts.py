"""The server's actions for a seat: on a timeout, and as its stand-in or bot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from msgspec.structs import replace as with_fields

from taflhall_engine.kernel.meta_commands import FORFEIT, TIMEOUT
from taflhall_service.app.access.permissions import Caller
from taflhall_service.app.matches.clock_updates import with_seats
from taflhall_service.app.matches.table_update import Answer, TableUpdate, clock_fields
from taflhall_service.app.matches.transaction import NO_FINGERPRINT, SERVER, Change
from taflhall_service.app.model import clocks, codec
from taflhall_service.app.model.clocks import Moment, TimeoutPolicy
from taflhall_service.app.model.match import Match


@dataclass(frozen=True, slots=True)
class ExpireSeat:
    """The time of a seat has run out."""

    seat: int
    request_id: ClassVar[str] = ""
    fingerprint: ClassVar[bytes] = NO_FINGERPRINT

    def authorize(self, match: Match) -> Caller:
        return SERVER

    def key(self, match: Match, caller: Caller) -> str:
        return f"timer:{match.revision}:{match.version.change_id}:{self.seat}"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change | None:
        times, number = match.origin.clock, self.seat
        due = match.next_deadline(now.outages)
        if times is None or due is None or due.seat != number or match.seats[number].automatic:
            return None
        if now.ms < due.ms:
            return None
        if times.policy == TimeoutPolicy.STAND_IN:
            seats = list(match.seats)
            seats[number] = with_fields(seats[number], stand_in=True)
            after = with_seats(match, tuple(seats), now)
            left = after.clocks
            assert left is not None
            if clocks.deserted(left, match.withdrawn.seats):
                after = after.replaced(clocks=clocks.frozen(left, now))
            fields = {"seats": codec.encode(after.seats)} | clock_fields(after, now)
            return Change(after, fields, not_before=due.ms)
        update = TableUpdate(match, now)
        update.do(number, FORFEIT if times.policy == TimeoutPolicy.FORFEIT else TIMEOUT)
        return update.to_change(due.ms)


@dataclass(frozen=True, slots=True)
class PlayStandIn:
    """A stand-in or a bot of the server answers for a seat at *revision*."""

    revision: int
    seat: int
    answers: tuple[Answer, ...]
    """The steps of one whole answer."""
    request_id: ClassVar[str] = ""
    fingerprint: ClassVar[bytes] = NO_FINGERPRINT

    def authorize(self, match: Match) -> Caller:
        return SERVER

    def key(self, match: Match, caller: Caller) -> str:
        return f"stand-in:{self.revision}:{self.seat}"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change | None:
        seat = self.seat
        if match.revision != self.revision or not match.seats[seat].automatic:
            return None
        if seat not in match.pending:
            return None
        update = TableUpdate(match, now)
        for answer in self.answers:
            update.answer(seat, update.command(seat, answer, 0))
        return update.to_change()
