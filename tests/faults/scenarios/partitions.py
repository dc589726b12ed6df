"""Partitions between servers and their store: cut, slow, deaf, half closed, reset (G1, G2, G5, G6).

Every server has a link of its own, so that they differ in what they can reach.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from tests.faults.control.network import Link, State
from tests.faults.control.rig import Rig
from tests.faults.scenarios.storm import Storm, storm
from tests.faults.scenarios.verdict import Verdict

Harm = Callable[[Link], Awaitable[None]]

HARMS: Final[dict[str, Harm]] = {
    "cut": lambda link: link.become(State.CUT),
    "deaf": lambda link: link.become(State.DEAF),
    "slow": lambda link: link.become(State.SLOW),
    "half close": lambda link: link.half_close(),
    "reset": lambda link: link.reset(),
}


async def partitions(
    seconds: float,
    *,
    seed: int = 0,
    servers: int = 3,
    rig: dict[str, Any] | None = None,
    **crowd: Any,
) -> Verdict:
    """Harm the link of one server after another, sometimes of all; mend it after a moment."""
    async with Rig(0, rig=rig) as on:
        links = [Link(on.store.port) for _ in range(servers)]
        await asyncio.gather(*[link.open() for link in links])
        try:
            await asyncio.gather(*[on.add(link.address).start() for link in links])
            harmed = 0

            async def trouble(run: Storm) -> None:
                nonlocal harmed
                await asyncio.sleep(1.0)
                end = time.monotonic() + seconds
                while time.monotonic() < end:
                    chosen = links if run.rng.random() < 0.2 else [run.rng.choice(links)]
                    name = run.rng.choice(sorted(HARMS))
                    run.history.note(partition=name, links=len(chosen))
                    await asyncio.gather(*[HARMS[name](link) for link in chosen])
                    harmed += 1
                    await asyncio.sleep(run.rng.uniform(0.1, 2.5))
                    await asyncio.gather(*[link.become(State.OPEN) for link in chosen])
                    await asyncio.sleep(run.rng.uniform(0.1, 0.5))

            verdict = await storm(on, trouble, seed=seed, **crowd)
        finally:
            await asyncio.gather(*[link.close() for link in links])
    verdict.figures["partitions"] = harmed
    return verdict
