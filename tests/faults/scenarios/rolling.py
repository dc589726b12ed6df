"""A rolling replacement (G11): servers are drained and started again, one by one, under load.

In addition to the crowd, which repeats its own calls, stock users of the SDK play whole matches;
they see all servers at one address list and must not see a single error (G3).
"""

from __future__ import annotations

import asyncio
from typing import Any

from tests.faults.control.rig import Rig
from tests.faults.scenarios.storm import Storm, storm
from tests.faults.scenarios.verdict import Verdict
from tests.faults.traffic.stock import Stock

GRACE = 2.0


async def rolling(
    rounds: int = 1,
    *,
    seed: int = 0,
    servers: int = 3,
    kill: bool = False,
    rig: dict[str, Any] | None = None,
) -> Verdict:
    """Replace every server *rounds* times, in order or (*kill*) by killing it first."""
    slow: list[str] = []
    stock: list[Stock] = []

    async def trouble(run: Storm) -> None:
        users = [Stock(run.history, run.rig.servers, f"stock{n}") for n in range(2)]
        stock.extend(users)
        playing = [asyncio.create_task(user.play()) for user in users]
        await asyncio.sleep(0.5)
        for _ in range(rounds):
            for server in run.rig.servers:
                if kill:
                    await server.kill()
                elif (took := await server.drain(GRACE * 4 + 10)) is None or took > GRACE + 1:
                    slow.append(f"{server.name} took {took} s to go, grace is {GRACE} s")
                    await server.kill()
                run.history.note(replaced=server.name)
                await server.start()
                await asyncio.sleep(0.3)
        for user in users:
            user.stop()
        await asyncio.gather(*playing)

    async with Rig(servers, rig=rig, flags={"grace": GRACE}) as on:
        verdict = await storm(on, trouble, seed=seed, tables=4)
    verdict.figures["replacements"] = rounds * servers
    verdict.figures["answers to stock users"] = sum(user.answers for user in stock)
    for words in slow:
        verdict.blame("G11 drain", words)
    return verdict
