"""The client's estimate of the server's clock, which sets all deadlines."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

TIME: Final = "taflhall-time-ms"
"""The trailing metadata in which the server says its time with each answer."""

FRESH_SECONDS: Final = 60.0
"""For this long a measurement is better than a later one that took longer."""


class ServerClock:
    """Estimates the server's time from its answers and this process's monotonic clock."""

    def __init__(
        self,
        monotonic: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        self._monotonic = monotonic
        self._wall_clock = wall_clock
        self._ahead: float | None = None
        """Seconds by which the server's time is ahead of the monotonic clock."""
        self._took = 0.0
        self._measured = 0.0

    def observe(self, trailing: Any, sent: float) -> None:
        """Take the time from the *trailing* metadata of a call that was *sent* at that moment."""
        received = self._monotonic()
        told = next((value for key, value in trailing or () if key == TIME), None)
        if not isinstance(told, str) or not told.isdecimal():
            return
        took = received - sent
        if self._ahead is None or took <= self._took or received > self._measured + FRESH_SECONDS:
            self._ahead = int(told) / 1000 - (sent + received) / 2
            self._took, self._measured = took, received

    def now(self) -> float:
        """Return the server's time in seconds since 1970; this computer's if nothing is known."""
        return self._wall_clock() if self._ahead is None else self._monotonic() + self._ahead

    def monotonic(self) -> float:
        """Return this process's monotonic clock."""
        return self._monotonic()
