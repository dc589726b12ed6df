"""Interrupts a bot whose time is up, by ``SIGALRM``: for the main thread of a process alone."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

AGAIN_SECONDS: Final = 0.05
"""How soon a bot that caught the interruption is interrupted again."""


class TimeIsUp(BaseException):
    """Interrupts a bot; not an ``Exception``, so that bots do not catch it by mistake."""


@contextmanager
def interrupting() -> Iterator[None]:
    """Make :func:`time_limit` work inside the ``with`` block."""
    before = signal.signal(signal.SIGALRM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, before)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise :exc:`TimeIsUp` in the ``with`` block after *seconds*, and until it is left."""
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise TimeIsUp
