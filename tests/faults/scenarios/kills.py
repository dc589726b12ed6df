"""Kill -9 of halls and of the store at random points under load (G2, G5, G6)."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from tests.faults.control.rig import Rig
from tests.faults.scenarios.storm import Storm, storm
from tests.faults.scenarios.verdict import Verdict


async def kills(
    seconds: float,
    *,
    seed: int = 0,
    halls: int = 3,
    share: float = 0.5,
    pause: float = 0.25,
    rig: dict[str, Any] | None = None,
    settings: dict[str, str] | None = None,
    **crowd: Any,
) -> Verdict:
    """Kill something every *pause* seconds or so; a *share* of the kills is the store's."""

    async def trouble(run: Storm) -> None:
        await asyncio.sleep(1.0)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if run.luck.random() < share:
                await _kill_store(run)
            else:
                await _kill_hall(run)
            await asyncio.sleep(run.luck.uniform(0.2, 1.0) * pause)
        await asyncio.gather(*[hall.serving() for hall in run.rig.halls])

    async with Rig(halls, rig=rig, settings=settings) as on:
        return await storm(on, trouble, seed=seed, **crowd)


async def _kill_store(run: Storm) -> None:
    run.history.note(killed="store")
    await run.rig.store.kill()
    await run.rig.store.start()


async def _kill_hall(run: Storm) -> None:
    hall = run.luck.choice(run.rig.halls)
    run.history.note(killed=hall.name)
    await hall.kill()
    hall.launch()
