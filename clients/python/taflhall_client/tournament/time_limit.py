"""Interrupts a bot whose time is up, by ``SIGALRM``: for the main thread of a process alone.

The alarm rings regularly, and whoever sets a time limit only notes when it ends: a match has
hundreds of decisions, and most take less time than it takes to set an alarm.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Final

ALARM_SECONDS: Final = 0.05
"""From one alarm to the next: a bot that caught the interruption is interrupted again."""


class TimeIsUp(BaseException):
    """Interrupts a bot; not an ``Exception``, so that bots do not catch it by mistake."""


class time_limit:  # noqa: N801  # used like a function
    """Raise :exc:`TimeIsUp` in the ``with`` block after *seconds*, and until it is left."""

    __slots__ = ("_seconds",)
    _end: float | None = None

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        time_limit._end = time.monotonic() + self._seconds

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        time_limit._end = None

    @classmethod
    def ring(cls, _number: int, _frame: FrameType | None) -> None:
        """Raise :exc:`TimeIsUp` if the time is up."""
        if cls._end is not None and time.monotonic() >= cls._end:
            raise TimeIsUp


@contextmanager
def interrupting() -> Iterator[None]:
    """Make :class:`time_limit` work inside the ``with`` block."""
    before = signal.signal(signal.SIGALRM, time_limit.ring)
    signal.setitimer(signal.ITIMER_REAL, ALARM_SECONDS, ALARM_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
