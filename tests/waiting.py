"""Waiting in tests: until something holds, with a limit, and never for a fixed time.

The only sleeps of the test suite are here, except those of the rig and the benchmarks;
``tests/test_layout.py`` holds everybody to it.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Callable
from typing import Any, Final

LIMIT_SECONDS: Final = 150.0
POLL_SECONDS: Final = 0.01


async def until(condition: Callable[[], Any], seconds: float = LIMIT_SECONDS) -> None:
    """Wait until *condition*, which may be a coroutine function, returns something true."""
    async with asyncio.timeout(seconds):
        while True:
            found = condition()
            if await found if inspect.isawaitable(found) else found:
                return
            await asyncio.sleep(POLL_SECONDS)


def wait_until(condition: Callable[[], Any], seconds: float = LIMIT_SECONDS) -> None:
    """Wait until *condition* returns something true, and block the thread."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(POLL_SECONDS)


async def settle(turns: int = 200) -> None:
    """Let everything run that is ready, *turns* times."""
    for _ in range(turns):
        await asyncio.sleep(0)


async def take(seconds: float) -> None:
    """Take *seconds*, as the slow double of something does."""
    await asyncio.sleep(seconds)


def block(seconds: float) -> None:
    """Take *seconds* and block the thread, as a slow bot does."""
    time.sleep(seconds)
