"""Waiting before a repetition: exponential, with full jitter."""

from __future__ import annotations

import random
from typing import Final

from taflhall_client.errors import RateLimited, TaflhallError

FIRST: Final = 0.2
"""Seconds: the least pause, and the greatest before the first repetition's doubling."""

LONGEST: Final = 5.0
"""Seconds: no pause is longer."""


class Backoff:
    """The pauses between attempts that fail in a row."""

    def __init__(self) -> None:
        self._failures = 0

    def reset(self) -> None:
        """Begin anew: an attempt succeeded."""
        self._failures = 0

    def pause_for(self, failure: TaflhallError) -> float:
        """Return how long to wait before repeating what failed so, in seconds.

        What came too often is repeated as soon as the server allows, a little later or more:
        others wait for the same moment.
        """
        if isinstance(failure, RateLimited):
            return failure.retry_after * random.uniform(1.05, 1.3) + 0.005
        return max(self.pause(), failure.retry_after)

    def pause(self) -> float:
        """Return how long to wait before the next attempt, in seconds."""
        self._failures += 1
        return random.uniform(FIRST, min(LONGEST, FIRST * 2 ** min(self._failures, 10)))
