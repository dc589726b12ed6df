"""An estimate of the store's clock between two readings of it.

Reading the clock costs a round trip; between readings this process's monotonic clock counts on.
That is accurate enough for timestamps. Where an error would do harm, the commit script reads
the store's clock itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic
from typing import Final

from taflhall_service.app.errors import Refused, StoreUnavailable

REFRESH_SECONDS: Final = 2.0
"""Time from one reading to the next, while the estimate is in use."""

SLOW_SECONDS: Final = 0.1
"""A reading that takes longer is inaccurate: it is ignored while a recent one exists."""

STALE_SECONDS: Final = 20.0
"""Age at which even a slow reading is better than the last good one."""


class ClockEstimate:
    """Estimates, in milliseconds, a clock that *read* reads."""

    def __init__(
        self,
        read: Callable[[], Awaitable[int]],
        refresh_seconds: float = REFRESH_SECONDS,
        slow_seconds: float = SLOW_SECONDS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._read = read
        self._clock = clock
        self._refresh_seconds = refresh_seconds
        self._slow_seconds = slow_seconds
        self._offset: float | None = None
        """How far the clock is ahead of this process's, in milliseconds."""
        self._read_at = 0.0
        self._accepted_at = 0.0
        self._task: asyncio.Task[None] | None = None

    async def now(self) -> int:
        """Return the time; only the first call waits for the clock."""
        here = self._clock()
        if self._offset is None:
            await self.refresh()
            assert self._offset is not None
            here = self._clock()
        elif here - self._read_at > self._refresh_seconds and (
            self._task is None or self._task.done()
        ):
            self._read_at = here
            self._task = asyncio.create_task(self._refresh_quietly())
        return int(here * 1000 + self._offset)

    def last(self) -> int:
        """Return the time by the last reading, or raise ``StoreUnavailable`` if there is none."""
        if self._offset is None:
            raise StoreUnavailable
        return int(self._clock() * 1000 + self._offset)

    async def refresh(self) -> None:
        """Read the clock, or raise ``StoreUnavailable``."""
        before = self._clock()
        self.observe(await self._read(), before)

    def observe(self, ms: int, asked_at: float) -> None:
        """Take in a reading of *ms* that was asked for at *asked_at*, by the monotonic clock."""
        here = self._clock()
        self._read_at = here
        slow = here - asked_at > self._slow_seconds
        if self._offset is None or not slow or here - self._accepted_at > STALE_SECONDS:
            self._offset = ms - (asked_at + here) * 500
            self._accepted_at = here

    async def _refresh_quietly(self) -> None:
        with suppress(Refused):  # the monotonic clock counts on
            await self.refresh()
