"""Interrupts a bot whose time is up, by ``SIGALRM``: for the main thread of a process alone.

The alarm rings regularly, and whoever sets a time limit only notes when it ends: a match has
hundreds of decisions, and most take less time than it takes to set an alarm.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

ALARM_SECONDS: Final = 0.05
"""From one alarm to the next: a bot that caught the interruption is interrupted again."""


class TimeIsUp(BaseException):
    """Interrupts a bot; not an ``Exception``, so that bots do not catch it by mistake."""


class TimeLimit:
    """The one time limit of this process. Whoever sets :attr:`end` sets it to ``None`` again."""

    __slots__ = ("end",)

    def __init__(self) -> None:
        self.end: float | None = None
        """From when on an alarm interrupts, by the monotonic clock; ``None``: never."""


LIMIT: Final = TimeLimit()


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise :exc:`TimeIsUp` in the ``with`` block after *seconds*, and until it is left."""
    LIMIT.end = time.monotonic() + seconds
    try:
        yield
    finally:
        LIMIT.end = None


def _ring(_number: int, _frame: FrameType | None) -> None:
    """Raise :exc:`TimeIsUp` if the time is up."""
    if LIMIT.end is not None and time.monotonic() >= LIMIT.end:
        raise TimeIsUp


@contextmanager
def interrupting() -> Iterator[None]:
    """Make :class:`time_limit` work inside the ``with`` block."""
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, ALARM_SECONDS, ALARM_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
