"""Long work beside the service: in small slices, with a rest after each."""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import Final

SLICE: Final = 0.003
"""Seconds of work after which everybody else gets a turn."""


class Pace:
    """Keeps work to at most *share* (above 0, up to 1) of the time of the event loop."""

    def __init__(self, share: float) -> None:
        self._rest = 1 / share - 1
        self._since = perf_counter()

    def start(self) -> None:
        """Begin to count; what was waited for until now was no work."""
        self._since = perf_counter()

    async def rest(self, _: object = None) -> None:
        """Let others work, if it is their turn."""
        worked = perf_counter() - self._since
        if worked >= SLICE:
            await asyncio.sleep(worked * self._rest)
            self._since = perf_counter()
