"""Virtual time: what a test waits for comes at once, at the very moment that it should.

The loop of such a test never sleeps. When nothing is ready it moves its clock on to the next
timer, so that the test can tell to the millisecond when something happens, on any machine.
"""

from __future__ import annotations

import asyncio
import functools
import selectors
from collections.abc import Callable, Coroutine
from typing import Any


class _Skipping(selectors.SelectSelector):
    """Never waits; the time that it should have waited has passed."""

    passed = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "nothing will ever happen"
        self.passed += max(0.0, timeout)
        return super().select(0)


class _VirtualTimeLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._skipping = _Skipping()
        super().__init__(self._skipping)

    def time(self) -> float:
        return self._skipping.passed

    def hold_up(self, seconds: float) -> None:
        self._skipping.passed += seconds


def now_ms() -> int:
    """Return the milliseconds that have passed in the running test."""
    return round(asyncio.get_running_loop().time() * 1000)


def hold_up(seconds: float) -> None:
    """Let time pass in which nothing runs, as when the machine is busy with something else."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, _VirtualTimeLoop)
    loop.hold_up(seconds)


def in_virtual_time(
    test: Callable[..., Coroutine[Any, Any, None]],
) -> Callable[..., None]:
    """Let a test run on a loop with virtual time."""

    @functools.wraps(test)
    def run(*args: Any, **named: Any) -> None:
        with asyncio.Runner(loop_factory=_VirtualTimeLoop) as runner:
            runner.run(test(*args, **named))

    return run
