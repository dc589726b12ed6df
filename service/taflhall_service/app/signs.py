"""Signs of life: each server gives one every second, and learns when none was alive.

Time in which no server was alive is charged to nobody. So a server deals with no clock that
has run out unless it knows of all outages: it must have given a sign itself a moment ago.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Final

from taflhall_service.app.clock import Outage
from taflhall_service.app.errors import Refused
from taflhall_service.app.storage import SILENCE_MS, Store

SECONDS: Final = 1.0
"""From one sign to the next."""


class Signs:
    """The signs of life of this process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._given: float | None = None
        self.outages: tuple[Outage, ...] = ()
        """The last outages, oldest first."""

    @property
    def fresh(self) -> bool:
        """Whether there can have been no outage that is not among :attr:`outages`."""
        return self._given is not None and (monotonic() - self._given) * 1000 < SILENCE_MS

    async def give(self) -> None:
        """Give a sign, or raise ``StoreUnavailable``."""
        asked = monotonic()
        self.outages = (await self._store.alive()).outages
        self._given = asked

    async def run(self) -> None:
        """Give signs until cancelled."""
        while True:
            await asyncio.sleep(SECONDS)
            try:
                await self.give()
            except Refused:
                continue  # the outage is written down by whoever reaches the store first
