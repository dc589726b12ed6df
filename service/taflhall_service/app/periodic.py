"""Work that is repeated for as long as a server lives: what happens when it fails, and its end."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any, Final

from taflhall_service.app.errors import Refused
from taflhall_service.observability.logging import frames

JITTER: Final = 0.5
"""The part of the interval that is random, so that servers do not work in step."""

CANCEL_SECONDS: Final = 1.0
"""How long a cancelled task may take to end before it is cancelled once more."""


async def run_periodically(
    work: Callable[[], Awaitable[object]],
    seconds: float,
    log: Any,
    jitter: float = JITTER,
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> None:
    """Call *work* every *seconds*, or up to the share *jitter* of them earlier, until cancelled.

    The time counts from the end of the last call. A failure is written to *log*, a structlog
    logger, and does not end the repetition: a refusal, as by a store that does not answer, as
    ``job_skipped``, once until the work succeeds again; anything else as ``job_failed``.
    """
    refused_before = False
    while True:
        await sleep(seconds * random.uniform(1 - jitter, 1.0))
        name = getattr(work, "__qualname__", "")
        try:
            await work()
            refused_before = False
        except Refused as refused:
            if not refused_before:
                log.warning("job_skipped", job=name, why=type(refused).__name__)
            refused_before = True
        except Exception as error:
            kind = type(error).__name__
            log.error("job_failed", job=name, kind=kind, frames=frames(error))  # noqa: TRY400


async def end_tasks(*tasks: asyncio.Task[Any] | None, seconds: float = CANCEL_SECONDS) -> None:
    """Cancel *tasks* and return when all have ended; what they raised is dropped.

    A task that has not ended after *seconds* is cancelled again: ``asyncio.wait_for``, which the
    Redis client calls, loses a cancellation that arrives together with its result (before
    Python 3.12).
    """
    running = {task for task in tasks if task is not None}
    while running:
        for task in running:
            task.cancel()
        ended, running = await asyncio.wait(running, timeout=seconds)
        for task in ended:
            if not task.cancelled():
                task.exception()
