"""The pace at which a match that is watched goes on the screen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from taflhall_client.terminal.play.session import Report
from taflhall_client.terminal.words import words

SECONDS: Final = 0.8
"""How long each change is shown at first."""
FACTOR: Final = 1.6
LEAST: Final = 0.02
MOST: Final = 10.0


class Pace:
    """How long each change is shown; the person who watches changes it by keys."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self.paused = False
        self._changed: Final = asyncio.Event()

    async def slowed(self, reports: AsyncIterator[Report]) -> AsyncIterator[Report]:
        """Yield *reports* at this pace; those without events come at once."""
        async for report in reports:
            yield report
            if report.events:
                await self._rest()

    async def _rest(self) -> None:
        begin = asyncio.get_running_loop().time()
        while True:
            left = begin + self.seconds - asyncio.get_running_loop().time()
            if left <= 0 and not self.paused:
                return
            self._changed.clear()
            try:
                async with asyncio.timeout(None if self.paused else left):
                    await self._changed.wait()
            except TimeoutError:
                return

    def press(self, key: str) -> bool:
        """Take a key; return whether it changes the pace."""
        if key == "space":
            self.paused = not self.paused
        elif key == "plus":
            self.seconds = max(self.seconds / FACTOR, LEAST)
        elif key == "minus":
            self.seconds = min(self.seconds * FACTOR, MOST)
        else:
            return False
        self._changed.set()
        return True

    def text(self, language: str) -> str:
        """Return the pace in words."""
        return words(
            "pace_paused" if self.paused else "pace", language, seconds=f"{self.seconds:.2g}"
        )
