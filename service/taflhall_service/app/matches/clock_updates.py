"""Clock changes without a command: pause, resume, the start and end of a stand-in."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

from taflhall_service.app.access.permissions import Caller
from taflhall_service.app.errors import Refused
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.table_update import clock_fields
from taflhall_service.app.matches.transaction import NO_FINGERPRINT, SERVER, Change, act
from taflhall_service.app.model import clocks
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.match import PLAYING, Match
from taflhall_service.app.model.records import Seat


@dataclass(frozen=True, slots=True)
class PauseClocks:
    """The clocks of a match are paused, or (*pause* false) resumed."""

    pause: bool
    request_id: ClassVar[str] = ""
    fingerprint: ClassVar[bytes] = NO_FINGERPRINT

    def authorize(self, match: Match) -> Caller:
        return SERVER

    def key(self, match: Match, caller: Caller) -> str:
        name = "pause" if self.pause else "resume"
        return f"{name}:{match.revision}:{match.version.change_id}"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change | None:
        before = match.clocks
        if before is None or match.status != PLAYING:
            return None
        if clocks.is_paused(before, now.ms) if self.pause else not before.paused:
            return None
        after = (clocks.paused if self.pause else clocks.resumed)(before, now)
        changed = match.changed(clocks=after)
        return Change(changed, clock_fields(changed, now))


async def resume_clocks(matches: Matches, match: Match) -> None:
    """Resume the clocks of a match, since one of its players is back."""
    if match.clocks is not None and match.clocks.paused:
        with suppress(Refused):
            await act(matches, match.id, PauseClocks(False))


def with_seats(match: Match, seats: tuple[Seat, ...], now: Moment) -> Match:
    """Return the match with *seats*; the clock changes where a stand-in starts or ends."""
    times, before = match.origin.clock, match.clocks
    if before is None or times is None:
        return match.changed(seats=seats)
    stand_ins = [number for number, seat in enumerate(seats) if seat.automatic]
    after = clocks.with_stand_ins(times, before, match.pending, stand_ins, now)
    return match.changed(seats=seats, clocks=after)
