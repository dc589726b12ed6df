"""How long the client waits: for an answer, and before it repeats what failed."""

from __future__ import annotations

import random
from dataclasses import dataclass

from taflhall_client.errors import RateLimited, TaflhallError


@dataclass(frozen=True, slots=True)
class Timing:
    """Lengths of time in seconds."""

    attempt: float = 10.0
    """The longest wait for the answer to one attempt of a call."""
    silence: float = 60.0
    """A stream without even a heartbeat for this long counts as lost."""
    first_pause: float = 0.2
    """The shortest pause before a repetition."""
    longest_pause: float = 5.0


class Backoff:
    """The pauses between attempts that fail in a row: exponential, with full jitter."""

    def __init__(self, timing: Timing = Timing()) -> None:
        self._timing = timing
        self._failures = 0

    def reset(self) -> None:
        """Start over: an attempt succeeded."""
        self._failures = 0

    def pause_for(self, failure: TaflhallError) -> float:
        """Return how long to wait before repeating what failed so, in seconds.

        A call that came too often is repeated as soon as the server allows, and a little later:
        others wait for the same moment.
        """
        if isinstance(failure, RateLimited):
            return failure.retry_after * random.uniform(1.05, 1.3) + 0.005
        return max(self.pause(), failure.retry_after)

    def pause(self) -> float:
        """Return how long to wait before the next attempt, in seconds."""
        self._failures += 1
        first, longest = self._timing.first_pause, self._timing.longest_pause
        return random.uniform(first, min(longest, first * 2 ** min(self._failures, 10)))
