"""Background work in small slices with a pause after each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Final

SLICE: Final = 0.003
"""Seconds of work after which other tasks get a turn."""


class Throttle:
    """Limits work to a share of the event loop's time.

    After *slice_seconds* of work other tasks get a turn.
    """

    def __init__(
        self,
        share: float,
        slice_seconds: float = SLICE,
        clock: Callable[[], float] = perf_counter,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._slice_seconds = slice_seconds
        self._rest = 1 / share - 1
        self._clock = clock
        self._sleep = sleep
        self._since = clock()

    def start(self) -> None:
        """Begin to count; the time until now was spent waiting, not working."""
        self._since = self._clock()

    async def yield_(self, _: object = None) -> None:
        """Let others work, if it is their turn."""
        worked = self._clock() - self._since
        if worked >= self._slice_seconds:
            await self._sleep(worked * self._rest)
            self._since = self._clock()
