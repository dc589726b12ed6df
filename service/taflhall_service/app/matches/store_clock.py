"""The store's clock: each server sends a heartbeat every second and learns of outages.

Time in which no server was alive is charged to no seat. An outage that a server has not heard
of begins at the earliest :data:`~.match_store.HEARTBEAT_TIMEOUT_MS` after its own last heartbeat.
So it judges the time of a seat only up to then (:attr:`StoreClock.trusted_until`): no outage
that it learns of later changes what it has done, however late the store commits it.
"""

from __future__ import annotations

from typing import Final

import structlog

from taflhall_service.app.model.clocks import Moment, Outage
from taflhall_service.app.periodic import run_periodically
from taflhall_service.app.ports.match_store import HEARTBEAT_TIMEOUT_MS, MatchStore

SECONDS: Final = 1.0
"""From one heartbeat to the next."""

_log = structlog.get_logger("store_clock")


class StoreClock:
    """The store's clock, with the heartbeats of this process."""

    def __init__(self, store: MatchStore) -> None:
        self._store = store
        self.trusted_until = 0
        """Up to when, by the store's clock, every outage is among :attr:`outages`."""
        self.outages: tuple[Outage, ...] = ()
        """The last outages, oldest first."""

    async def send_heartbeat(self) -> None:
        """Send a heartbeat, or raise ``StoreUnavailable``.

        A clock that jumped back is trusted no longer than one that did not.
        """
        reply = await self._store.heartbeat()
        self.outages = reply.outages
        self.trusted_until = reply.now + HEARTBEAT_TIMEOUT_MS

    def now(self, delay_ms: int = 0) -> Moment:
        """Return the time, or that of *delay_ms* ago, with the outages that were known then."""
        ms = self._store.estimated_now() - delay_ms
        known = (outage for outage in self.outages if outage[1] - HEARTBEAT_TIMEOUT_MS <= ms)
        return Moment(ms, tuple(known))

    async def run(self) -> None:
        """Send heartbeats until cancelled."""
        await run_periodically(self.send_heartbeat, SECONDS, _log, jitter=0)
