"""Matches that spectators see late or not at all, and a process that shows them."""

from __future__ import annotations

from typing import Final

from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Seat
from taflhall_service.app.model.spectator_policy import SpectatorPolicy, SpectatorSettings
from taflhall_service.app.spectating.spectators import Spectators
from tests.service.requests.process import Process

DELAY: Final = 10_000
LATE: Final = SpectatorSettings(SpectatorPolicy.DELAYED, DELAY)
NONE: Final = SpectatorSettings(SpectatorPolicy.NONE)
FREE: Final = Seat()


async def shown_in(match: Match) -> tuple[Process, Spectators]:
    """Return a process that holds *match*, and what spectators see there."""
    process = Process()
    await process.hold(match)
    return process, Spectators(process.matches)
