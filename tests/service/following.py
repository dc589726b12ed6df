"""A match of bots that is followed late on the server that carries it out, without a server."""

from __future__ import annotations

from taflhall_service.app.access.credentials import ANONYMOUS
from taflhall_service.app.matches.join import JoinMatch
from taflhall_service.app.matches.transaction import act
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Seat
from taflhall_service.app.model.spectator_policy import SpectatorPolicy, SpectatorSettings
from taflhall_service.app.spectating.delayed_match import MARGIN_MS, DelayedMatch
from taflhall_service.app.tournaments.seating import SeatEntrants
from tests.service.requests.matches import FINGERPRINT, LIMITS, bot, open_match
from tests.service.requests.process import Process

DELAY = 60_000
LATE = SpectatorSettings(SpectatorPolicy.DELAYED, DELAY)
SEEN = DELAY + MARGIN_MS
"""Milliseconds after which a change is seen."""


class Late:
    """A match of bots, and how it is followed late on the same server."""

    def __init__(self, process: Process, match: Match, linger: float) -> None:
        self.process = process
        self.delayed = DelayedMatch(process.matches, match, linger)

    async def advance(self) -> Match:
        return await self.delayed.advance(await self.process.matches.current("match"))

    def passes(self, ms: int = SEEN) -> None:
        self.process.clock[0] += ms

    def wake(self) -> None:
        """Let it look whether there is anything new."""
        for channel in self.process.matches.hub.channels:
            channel.wake()

    async def sit_down(self, seat: int, name: str) -> None:
        request = JoinMatch.of(LIMITS, ANONYMOUS, (seat,), name, 0, name * 8, FINGERPRINT)
        await act(self.process.matches, "match", request)

    async def stop(self) -> None:
        self.delayed.stop()
        await self.process.matches.hub.stop()


async def unoccupied(seats: int = 2) -> Late:
    """Return a match in which nobody sits yet."""
    process = Process()
    match = open_match(*[Seat()] * seats, spectators=LATE)
    return Late(process, await process.hold(match), 60.0)


def names(match: Match) -> list[str]:
    return [seat.name for seat in match.seats]


async def followed(moves: int = 4, linger: float = 60.0) -> Late:
    """Return a match after some commands, which is not followed late yet."""
    process = Process()
    await process.hold(open_match(Seat(), Seat(), spectators=LATE))
    await act(process.matches, "match", SeatEntrants((bot("A"), bot("B"))))
    return Late(process, await process.play_on(moves), linger)
