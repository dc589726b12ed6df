"""The start module of the servers of the rig: the service as it is, under stated conditions.

TAFLHALL_RIG holds JSON: ``{"fault": name}`` plants one of the deliberate faults of
:mod:`tests.faults.seeded`; every other key is a condition of :data:`CONDITIONS` with its value.
Only the rig starts this module; the service knows nothing of it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final


def main() -> None:
    """Set the conditions and run the server."""
    wanted: dict[str, Any] = json.loads(os.environ.get("TAFLHALL_RIG", "{}"))
    fault = wanted.pop("fault", None)
    for name, value in wanted.items():
        CONDITIONS[name](value)
    if fault is not None:
        from tests.faults.seeded import plant

        plant(fault)
    from taflhall_service.main import main as serve

    serve()


def warm() -> None:
    """Import what every server needs and build what does not depend on a match."""
    import uvloop  # noqa: F401

    import taflhall_service.main  # noqa: F401
    from taflhall_engine import registry
    from taflhall_wire.translate import translator

    for name in registry.GAMES:
        with suppress(ImportError):  # who plays it will see
            translator(registry.game(name))


def no_hints(_: Any) -> None:
    """Every hint of the store is lost."""
    from taflhall_service.store.redis.notifications import ChangeNotifications

    ChangeNotifications.on_change = lambda self, hint: None  # type: ignore[method-assign]


def commits_take(seconds: float) -> None:
    """Every commit takes its time, so that a kill is likely to come in the middle of one."""
    import asyncio

    from taflhall_service.store.redis.store import RedisStore

    commit = RedisStore.commit

    async def slowly(self: RedisStore, change: Any) -> Any:
        await asyncio.sleep(seconds / 2)
        outcome = await commit(self, change)
        await asyncio.sleep(seconds / 2)
        return outcome

    RedisStore.commit = slowly  # type: ignore[method-assign,assignment]


def clock_is_ahead(seconds: float) -> None:
    """The server estimates ahead of the store's clock, however often it reads it."""
    from taflhall_service.store.redis.store import RedisStore

    now = RedisStore.now

    async def wrongly(self: RedisStore) -> int:
        return await now(self) + int(seconds * 1000)

    RedisStore.now = wrongly  # type: ignore[method-assign]


def forgets_deadlines(_: Any) -> None:
    """No deadline reaches its queue, as if the store had lost it."""
    from taflhall_service.app.ports.match_store import DueQueue
    from taflhall_service.store.redis.store import RedisStore

    schedule = RedisStore.schedule

    async def forgetfully(
        self: RedisStore, name: str, due_ms: int | None, queue: DueQueue = DueQueue.DEADLINES
    ) -> None:
        if queue is not DueQueue.DEADLINES:
            await schedule(self, name, due_ms, queue)

    RedisStore.schedule = forgetfully  # type: ignore[method-assign]


def replays_wrongly(difference: str) -> None:
    """Let the self-check of this server report *difference* in every match."""
    from taflhall_service.app.jobs import self_check
    from taflhall_service.app.jobs.integrity import IntegrityError

    async def wrongly(*_: Any, **__: Any) -> int:
        raise IntegrityError(difference)

    self_check.audit = wrongly  # type: ignore[attr-defined]


CONDITIONS: Final[dict[str, Callable[[Any], None]]] = {
    "no_hints": no_hints,
    "commits_take": commits_take,
    "clock_is_ahead": clock_is_ahead,
    "forgets_deadlines": forgets_deadlines,
    "replays_wrongly": replays_wrongly,
}

if __name__ == "__main__":
    main()
