"""SIGTERM (G11): a server goes within its grace and a second, even with a client that is frozen.

The frozen client is a process of its own that opens watches, is read from no more (SIGSTOP),
and never says goodbye.
"""

from __future__ import annotations

import asyncio
from typing import Any

from tests.faults.control.rig import Rig
from tests.faults.history import History
from tests.faults.scenarios.storm import Storm, storm
from tests.faults.scenarios.verdict import Verdict
from tests.faults.traffic.frozen import frozen_client

GRACE = 2.0
STREAMS = 5


async def drain(
    *,
    seed: int = 0,
    rig: dict[str, Any] | None = None,
    frozen: bool = True,
    tables: int = 4,
    watchers: int = 2,
) -> Verdict:
    """Drain one of two servers under load and see how long it takes and what it costs."""
    took: list[float | None] = []
    rude: list[str] = []

    async def trouble(run: Storm) -> None:
        await asyncio.sleep(1.0)
        server = run.rig.servers[0]
        if frozen:
            match_id = next(iter(run.crowd.revisions()))
            await frozen_client(run, server, match_id, STREAMS)
        await asyncio.sleep(0.3)
        run.history.note(draining=server.name)
        took.append(await server.drain(GRACE * 4 + 10))
        run.history.note(drained=server.name, seconds=took[-1])
        if took[-1] is None:
            await server.kill()
        await asyncio.sleep(0.2)
        run.history.note(started=server.name)
        await server.start()
        await asyncio.sleep(0.5)
        rude.extend(without_goodbye(run.history))

    async with Rig(2, rig=rig, flags={"grace": GRACE}) as on:
        verdict = await storm(on, trouble, seed=seed, tables=tables, watchers=watchers)
    verdict.figures["drains"] = 1
    for words in rude:
        verdict.blame("G11 goodbye", words)
    if took[0] is None or took[0] > GRACE + 1:
        verdict.blame("G11 drain", f"with a frozen client it took {took[0]} s, grace is {GRACE} s")
    else:
        verdict.figures["ms of the longest drain"] = int(took[0] * 1000)
    return verdict


def without_goodbye(history: History) -> list[str]:
    """Return the streams of a draining server that broke off instead of ending with a hint."""
    opened: dict[int, str] = {}
    heard: set[int] = set()
    draining, broken = "", []
    for line in history.lines:
        if line.kind == "invoke" and line.what["method"] == "WatchMatch":
            opened[line.op] = line.what["server"]
        elif line.kind == "message":
            heard.add(line.op)
        elif line.kind == "note":
            draining = line.what.get("draining", "" if "started" in line.what else draining)
        elif line.op in heard and draining and opened.get(line.op) == draining:
            if line.what["code"] not in ("", "OK") and line.what["reason"] != "DRAINING":
                broken.append(f"{line.who}: {line.what['code']} instead of a hint")
    return broken
