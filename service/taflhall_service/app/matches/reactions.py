"""Send a reaction of a seat to those who follow its match now."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from time import monotonic
from typing import Final

from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import Action, authorize, require_status
from taflhall_service.app.access.rate_limits import STEP_MS
from taflhall_service.app.errors import RateLimited, SeatDelegated
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.model.signals import SeatReaction, reaction_signal

AT_ONCE: Final = 5
"""Reactions that a seat may send at once."""

SECONDS_EACH: Final = 2.0
"""After that, one in this time."""

MAX_SEATS: Final = 20_000
"""Seats whose reactions are counted; the ones longest silent are forgotten first."""


class ReactionLimiter:
    """Counts the reactions of each seat on this server."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._due: OrderedDict[tuple[str, int], float] = OrderedDict()
        """When each seat could have sent its last reaction, had it sent one every two seconds."""

    def spend(self, match_id: str, seat: int) -> None:
        """Count a reaction of a seat, or raise ``RateLimited``."""
        now, key = self._clock(), (match_id, seat)
        due = max(self._due.get(key, now), now) + SECONDS_EACH
        wait = due - now - AT_ONCE * SECONDS_EACH
        if wait > 0.0:
            ms = ceil(wait * 1000 / STEP_MS) * STEP_MS
            raise RateLimited(retry_after_ms=ms, limit="reactions")
        self._due[key] = due
        self._due.move_to_end(key)
        if len(self._due) > MAX_SEATS:
            self._due.popitem(last=False)


async def send_reaction(
    matches: Matches,
    limiter: ReactionLimiter,
    match_id: str,
    identity: Identity,
    seat: int | None,
    reaction: int,
) -> None:
    """Show a reaction to those who follow the match now."""
    match = await matches.current(match_id)
    caller = authorize(Action.SEND_REACTION, identity, match)
    require_status(Action.SEND_REACTION, match)
    wanted = caller.acting[0] if seat is None and caller.acting else seat
    seat = caller.require_visible(match, wanted)
    if seat not in caller.acting:
        raise SeatDelegated(seat=seat)
    limiter.spend(match.id, seat)
    await matches.store.signal(match.id, reaction_signal(SeatReaction(seat, reaction)))
