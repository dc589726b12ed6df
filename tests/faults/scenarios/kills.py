"""Kill -9 of servers and of the store at random points under load (G2, G5, G6)."""

from __future__ import annotations

import asyncio
import random
import time
from contextlib import suppress
from typing import Any

from tests.faults.control.rig import Rig
from tests.faults.scenarios.storm import Storm, storm
from tests.faults.scenarios.verdict import Verdict


async def kills(
    seconds: float,
    *,
    seed: int = 0,
    servers: int = 3,
    share: float = 0.5,
    pause: float = 0.25,
    enough: tuple[int, int] | None = None,
    rig: dict[str, Any] | None = None,
    flags: dict[str, Any] | None = None,
    unsynced: bool = False,
    power_cuts: bool = False,
    **crowd: Any,
) -> Verdict:
    """Kill something every *pause* seconds or so; a *share* of the kills is the store's.

    With *enough*, kills and commands, it ends as soon as both are reached. With *power_cuts* the
    store also loses what it has not synced (:mod:`~tests.faults.control.power`); if *unsynced*,
    that is everything but what the servers needed to start.
    """

    async def trouble(run: Storm) -> None:
        await asyncio.sleep(1.0)
        end = time.monotonic() + seconds
        while time.monotonic() < end and not _enough(run, enough):
            if run.rng.random() < share:
                await _kill_store(run)
            else:
                await _kill_server(run)
            await asyncio.sleep(run.rng.uniform(0.2, 1.0) * pause)
            await _start_again(run)
        await _all_serve(run)

    power = random.Random(seed) if power_cuts else None
    async with Rig(servers, rig=rig, flags=flags, power=power) as on:
        if unsynced:
            await on.store.change("appendfsync", "no")
        verdict = await storm(on, trouble, seed=seed, **crowd)
        if on.store.power is not None:
            verdict.figures["power cuts"] = on.store.kills
            verdict.figures["bytes lost in power cuts"] = on.store.power.lost
        return verdict


def _enough(run: Storm, enough: tuple[int, int] | None) -> bool:
    return (
        enough is not None and sum(run.rig.kills) >= enough[0] and run.crowd.commands >= enough[1]
    )


async def _kill_store(run: Storm) -> None:
    run.history.note(killed="store")
    await run.rig.store.kill()
    await run.rig.store.start()


async def _start_again(run: Storm) -> None:
    """Start the servers that have given up, because the store was away when they began."""
    for server in run.rig.servers:
        if server.child is not None and await server.child.ended(0):
            run.history.note(gave_up=server.name)
            server.launch()


async def _all_serve(run: Storm) -> None:
    for server in run.rig.servers:
        with suppress(RuntimeError):
            await server.serving()
            continue
        await _start_again(run)
        await server.serving()


async def _kill_server(run: Storm) -> None:
    server = run.rng.choice(run.rig.servers)
    run.history.note(killed=server.name)
    await server.kill()
    server.launch()
