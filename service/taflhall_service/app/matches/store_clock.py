"""Signs of life: each server gives one every second, and learns when none was alive.

Time in which no server was alive is charged to nobody. An outage that a server has not heard of
begins at the earliest :data:`~.storage.SILENCE_MS` after its own last sign. So it judges the time
of a seat only up to then (:attr:`Signs.until`): nothing that it learns later changes what it
has done, however late the store does it.
"""

from __future__ import annotations

import asyncio
from typing import Final

from taflhall_service.app.errors import Refused
from taflhall_service.app.model.clocks import Outage
from taflhall_service.app.ports.match_store import SILENCE_MS, Store

SECONDS: Final = 1.0
"""From one sign to the next."""


class Signs:
    """The signs of life of this process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.until = 0
        """Up to when, by the store's clock, every outage is among :attr:`outages`."""
        self.outages: tuple[Outage, ...] = ()
        """The last outages, oldest first."""

    async def give(self) -> None:
        """Give a sign, or raise ``StoreUnavailable``."""
        told = await self._store.alive()
        self.outages = told.outages
        self.until = max(self.until, told.now + SILENCE_MS)

    async def run(self) -> None:
        """Give signs until cancelled."""
        while True:
            await asyncio.sleep(SECONDS)
            try:
                await self.give()
            except Refused:
                continue  # the outage is written down by whoever reaches the store first
