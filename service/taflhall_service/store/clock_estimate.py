"""The store's clock, as this process reckons it between two looks.

A look costs a round trip; between two of them the process's own steady clock counts on. That
is near enough to say when something happened. Where being wrong would do harm, the commit
script looks at the true clock itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Final

from taflhall_service.app.errors import Refused

LOOK_SECONDS: Final = 2.0
"""From one look to the next, while somebody asks."""

SLOW_SECONDS: Final = 0.1
"""A look that takes longer says little: it is not believed while an older one is fresh."""

STALE_SECONDS: Final = 20.0
"""After that a slow look is better than none."""


class Reckoning:
    """Tells the time by a clock that *look* reads, in milliseconds."""

    def __init__(self, look: Callable[[], Awaitable[int]]) -> None:
        self._look = look
        self._ahead: float | None = None
        """How far the clock is ahead of this process's, in milliseconds."""
        self._looked = 0.0
        self._believed = 0.0
        self._task: asyncio.Task[None] | None = None

    async def now(self) -> int:
        """Return the time; only the first call waits for the clock."""
        here = monotonic()
        if self._ahead is None:
            await self.look()
            assert self._ahead is not None
            here = monotonic()
        elif here - self._looked > LOOK_SECONDS and (self._task is None or self._task.done()):
            self._looked = here
            self._task = asyncio.create_task(self._look_again())
        return int(here * 1000 + self._ahead)

    async def look(self) -> None:
        """Look at the clock, or raise ``StoreUnavailable``."""
        before = monotonic()
        told = await self._look()
        self.told(told, before)

    def told(self, ms: int, before: float) -> None:
        """Take in what the clock said to a question that was asked at *before*."""
        after = monotonic()
        self._looked = after
        slow = after - before > SLOW_SECONDS
        if self._ahead is None or not slow or after - self._believed > STALE_SECONDS:
            self._ahead = ms - (before + after) * 500
            self._believed = after

    async def _look_again(self) -> None:
        try:
            await self.look()
        except Refused:
            return  # the steady clock goes on meanwhile
