"""Presence: whose players have a stream of a match open, on any server.

Each server reports to the store which seats it has streams of, when that changes and regularly
while they are open; a report that has not been renewed for long is of a server that has died. A
signal has the other servers look. Nothing of it is part of a match: presence changes no version,
and reading a match does not read it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

from taflhall_service.app.errors import Refused
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.signals import PRESENCE
from taflhall_service.app.ports.match_store import MatchStore
from taflhall_service.app.watching.channels import Channel, Hub

RENEW_SECONDS: Final = 30.0
"""How often a server renews its reports, and has those who follow presence look again."""

EXPIRY_MS: Final = 90_000
"""A report that has not been renewed for this long does not say that a stream is open."""

AT_ONCE: Final = 100
"""Matches whose reports are renewed at the same time."""


class SeatPresence(NamedTuple):
    """Whether the player of a seat is there."""

    connected: bool
    seen_ms: int
    """When a stream of the seat was last known to be open; 0: not known."""


class Attendance:
    """The seats that one stream of a match is of."""

    def __init__(self, presence: Presence, match_id: str) -> None:
        self._presence = presence
        self._match_id = match_id
        self._seats: frozenset[int] = frozenset()

    def set(self, seats: Iterable[int]) -> None:
        """Say which seats the stream is of from now on; none at its end."""
        before, self._seats = self._seats, frozenset(seats)
        if before != self._seats:
            self._presence.attend(self._match_id, self._seats - before, before - self._seats)


class Presence:
    """The presence of the seats whose streams are open on this server, and of all seats."""

    def __init__(
        self,
        store: MatchStore,
        hub: Hub,
        track: Callable[[asyncio.Task[Any]], None],
        renew_seconds: float = RENEW_SECONDS,
    ) -> None:
        self._store = store
        self._hub = hub
        self._track = track
        self._renew_seconds = renew_seconds
        self._server = secrets.token_hex(4)
        self._open: dict[str, Counter[int]] = {}
        """How many streams of each seat are open here, by match."""
        self._unmarked: dict[str, set[int]] = {}
        """Seats whose change is being marked, by match."""
        self._followed: Counter[Channel] = Counter()
        """The channels whose presence is followed, and by how many streams."""
        self._renewing: asyncio.Task[None] | None = None

    def attend(self, match_id: str, come: Iterable[int], gone: Iterable[int]) -> None:
        """Count the streams of seats that open and end, and report changes in the background."""
        seats = self._open.setdefault(match_id, Counter())
        before = set(seats)
        seats.update(come)
        seats.subtract(gone)
        for seat in [seat for seat, streams in seats.items() if streams <= 0]:
            del seats[seat]
        if not seats:
            del self._open[match_id]
        changed = before ^ set(seats)
        if changed and match_id in self._unmarked:
            self._unmarked[match_id] |= changed
        elif changed:
            self._unmarked[match_id] = changed
            self._track(asyncio.create_task(self._report(match_id)))
        self._renew()

    async def _report(self, match_id: str) -> None:
        """Write which of the changed seats have streams, until no more have changed."""
        try:
            while changed := self._unmarked[match_id]:
                self._unmarked[match_id] = set()
                with suppress(Refused):  # it is renewed soon, or expires
                    await self._write(match_id, changed)
                    await self._store.signal(match_id, PRESENCE)
        finally:
            del self._unmarked[match_id]

    async def _write(self, match_id: str, seats: Iterable[int]) -> None:
        now, streams = await self._store.now(), self._open.get(match_id, Counter())
        reports = {
            f"{self._server}:{seat}": f"{now} {int(seat in streams)}".encode() for seat in seats
        }
        await self._store.report_presence(match_id, reports)

    def follow(self, channel: Channel) -> None:
        """Have a stream look at the presence on a channel again and again, until ``unfollow``."""
        self._followed[channel] += 1
        self._renew()

    def unfollow(self, channel: Channel) -> None:
        """Undo one :meth:`follow`."""
        self._followed[channel] -= 1
        if not self._followed[channel]:
            del self._followed[channel]

    def _renew(self) -> None:
        if self._renewing is None and (self._open or self._followed):
            self._renewing = self._hub.spawn(self._renew_always())

    async def _renew_always(self) -> None:
        """Renew the reports of this server while it has any, and let followers look."""
        try:
            while self._open or self._followed:
                await asyncio.sleep(self._renew_seconds)
                matches = list(self._open)
                for start in range(0, len(matches), AT_ONCE):
                    page = [m for m in matches[start : start + AT_ONCE] if m in self._open]
                    with suppress(Refused):
                        await asyncio.gather(*[self._write(m, set(self._open[m])) for m in page])
                for channel in list(self._followed):
                    channel.signal(PRESENCE)
        finally:
            self._renewing = None

    async def of(self, match: Match) -> tuple[SeatPresence, ...]:
        """Return the presence of each seat of *match*."""
        reports, now = await self._store.presence(match.id), await self._store.now()
        return presence_in(match, reports, now)


def presence_in(
    match: Match, reports: Mapping[str, bytes], now_ms: int
) -> tuple[SeatPresence, ...]:
    """Return the presence of each seat of *match*, as the *reports* of all servers say it."""
    open_until, seen = Counter[int](), Counter[int]()
    for name, report in reports.items():
        seat, (at, is_open) = int(name.partition(":")[2]), map(int, report.split())
        seen[seat] = max(seen[seat], at)
        if is_open:
            open_until[seat] = max(open_until[seat], at + EXPIRY_MS)
    return tuple(
        SeatPresence(bool(seat.bot) or now_ms < open_until[number], seen[number])
        for number, seat in enumerate(match.seats)
    )
