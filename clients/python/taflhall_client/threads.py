"""Work in a thread that need not be awaited."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


async def in_daemon_thread(work: Callable[..., T], *args: Any) -> T:
    """Run *work* in its own thread; return its result or raise its exception.

    The thread does not keep the process alive: cancelled work may run on unnoticed.
    """
    loop = asyncio.get_running_loop()
    result: asyncio.Future[T] = loop.create_future()

    def settle(value: T | None, error: BaseException | None) -> None:
        if result.done():
            return
        if error is None:
            result.set_result(value)  # type: ignore[arg-type]
        else:
            result.set_exception(error)

    def run() -> None:
        value: T | None = None
        failure: BaseException | None = None
        try:
            value = work(*args)
        except BaseException as error:
            failure = error
        with contextlib.suppress(RuntimeError):  # the loop may be closed by now
            loop.call_soon_threadsafe(settle, value, failure)

    threading.Thread(target=run, name="taflhall-bot", daemon=True).start()
    return await result
