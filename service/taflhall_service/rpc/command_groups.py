"""Commands that calls give are carried out in groups while many are under way.

A command that is carried out by itself finds the caches of the processor full of what gRPC, the
store's replies and other calls left there, and costs up to twice as much as one that follows
another. So a command that comes while others are under way waits a little for further ones, like
packets under interrupt moderation and commits under PostgreSQL's ``commit_delay``. The commits of
a group travel together, too. A command that comes alone never waits.
"""

from __future__ import annotations

import asyncio
from typing import Final

SECONDS_FOR_EACH: Final = 0.001
"""How long a group waits for further commands, for each other command that is under way."""


class CommandGroups:
    """``async with`` it, a command begins with its group.

    No command waits longer than *max_delay* seconds; with 0 none waits.
    """

    def __init__(self, max_delay: float) -> None:
        self._max_delay = max_delay
        self.under_way = 0
        """How many commands have come and are not done."""
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def waiting(self) -> int:
        """How many of them wait for their group to begin."""
        return len(self._waiting)

    async def __aenter__(self) -> None:
        others = self.under_way
        self.under_way += 1
        if others and self._max_delay:
            try:
                await self._join(min(others * SECONDS_FOR_EACH, self._max_delay))
            except BaseException:
                self.under_way -= 1
                raise

    async def __aexit__(self, *_: object) -> None:
        self.under_way -= 1

    def _join(self, delay: float) -> asyncio.Future[None]:
        """Return when the group begins: *delay* from now if this command is its first."""
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        if not self._waiting:
            loop.call_later(delay, self._begin)
        self._waiting.append(turn)
        return turn

    def _begin(self) -> None:
        group, self._waiting = self._waiting, []
        for turn in group:
            if not turn.done():  # its call was cancelled
                turn.set_result(None)
