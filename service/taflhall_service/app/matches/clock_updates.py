"""Changes of a match's clocks that are no command: pause, resume, a stand-in comes or goes."""

from __future__ import annotations

from contextlib import suppress

from taflhall_service.app.errors import (
    Refused,
)
from taflhall_service.app.matches.repository import Matches, Prepared
from taflhall_service.app.matches.table_update import clock_fields
from taflhall_service.app.model import clocks as clock
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.match import PLAYING, Match
from taflhall_service.app.model.records import Seat


class PauseClocks:
    """The clocks of a match stand still, or (*stop* false) run on."""

    fingerprint: bytes = bytes(16)

    def __init__(self, stop: bool) -> None:
        self._stop = stop

    def key(self, match: Match) -> str:
        name = "pause" if self._stop else "run"
        return f"{name}:{match.revision}:{match.version.change_id}"

    def prepare(self, match: Match, now: Moment) -> Prepared | None:
        clocks = match.clocks
        if clocks is None or match.status != PLAYING:
            return None
        if clock.is_paused(clocks, now.ms) if self._stop else not clocks.paused:
            return None
        after = match.seated(match.seats)
        after.clocks = clock.paused(clocks, now) if self._stop else clock.resumed(clocks, now)
        return Prepared(after, clock_fields(after, now), [], [], b"")


async def go_on(matches: Matches, match: Match) -> None:
    """Let the clocks of a match run on, since somebody is back who plays in it."""
    if match.clocks is not None and match.clocks.paused:
        with suppress(Refused):
            await matches.act(match.id, PauseClocks(False))


def reseated(match: Match, seats: tuple[Seat, ...], now: Moment) -> Match:
    """Return *match* with other people at its seats; its clocks take note of stand-ins."""
    after = match.seated(seats)
    terms = match.origin.clock
    if match.clocks is not None and terms is not None:
        after.clocks = clock.with_stand_ins(
            terms, match.clocks, match.pending, after.stand_ins, now
        )
    return after
