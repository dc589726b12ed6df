"""One change of a match at a time in a process, first come first served."""

from __future__ import annotations

import asyncio
from collections import deque


class MatchLocks:
    """A lock for each match that is being changed; the others take no room."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """Those who wait for each lock that is held."""

    def __len__(self) -> int:
        return len(self._waiting)

    async def acquire(self, match_id: str) -> None:
        """Wait for the lock of a match, and hold it until :meth:`release`."""
        waiting = self._waiting.get(match_id)
        if waiting is None:
            self._waiting[match_id] = deque()
            return
        turn = asyncio.get_running_loop().create_future()
        waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the lock was handed over at the same time
                self.release(match_id)
            raise

    def release(self, match_id: str) -> None:
        """Hand the lock of a match to the one who has waited longest."""
        waiting = self._waiting[match_id]
        while waiting:
            turn = waiting.popleft()
            if not turn.done():  # not cancelled
                turn.set_result(None)
                return
        del self._waiting[match_id]
