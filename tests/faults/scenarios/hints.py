"""Every hint of the store is lost (G6): the poll alone brings all watchers to the end."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.faults.control.rig import Rig
from tests.faults.scenarios.storm import Storm, storm
from tests.faults.scenarios.verdict import Verdict


async def without_hints(
    seconds: float = 3.0, *, seed: int = 0, rig: dict[str, Any] | None = None, **crowd: Any
) -> Verdict:
    """Let a crowd play while no server hears a hint."""

    async def trouble(run: Storm) -> None:
        await asyncio.sleep(seconds)

    async with Rig(2, rig={"no_hints": True} | (rig or {})) as on:
        return await storm(
            on, trouble, seed=seed, **{"tables": 4, "watchers": 4, "longest": 4, **crowd}
        )


PATIENCE = 60.0
"""Seconds to wait for that many requests on a busy machine."""


async def calm(
    seconds: float = 3.0,
    requests: int = 0,
    *,
    seed: int = 0,
    rig: dict[str, Any] | None = None,
    **crowd: Any,
) -> Verdict:
    """Let a crowd play while nothing goes wrong but what the crowd does itself.

    That many *seconds*, and if need be some more until so many *requests* are settled.
    """

    async def trouble(run: Storm) -> None:
        await asyncio.sleep(seconds)
        for _ in range(int(10 * PATIENCE)):
            if sum(player.settled for player in run.crowd.players) >= requests:
                break
            await asyncio.sleep(0.1)

    async with Rig(2, rig=rig, flags={"heartbeat": 0.1}) as on:
        return await storm(on, trouble, seed=seed, **crowd)
