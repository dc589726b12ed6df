"""SIGTERM (G11): a hall goes within its grace and a second, even with a client that is frozen.

The frozen client is a process of its own that opens watches, is read from no more (SIGSTOP),
and never says goodbye.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from typing import Any

import grpc

from taflhall.v1 import match_service_pb2 as pb
from taflhall.v1.match_service_pb2_grpc import MatchServiceStub
from tests.faults.control.rig import Rig
from tests.faults.scenarios.storm import Storm, storm
from tests.faults.scenarios.verdict import Verdict

GRACE = 2.0
STREAMS = 5


async def drain(
    *, seed: int = 0, rig: dict[str, Any] | None = None, frozen: bool = True
) -> Verdict:
    """Drain one of two halls under load and see how long it takes and what it costs."""
    took: list[float | None] = []

    async def trouble(run: Storm) -> None:
        await asyncio.sleep(1.0)
        hall = run.rig.halls[0]
        if frozen:
            match_id = next(iter(run.crowd.revisions()))
            client = run.rig.children.run(
                "tests.faults.scenarios.draining:hang",
                [hall.address, match_id],
                run.rig.folder / "frozen.log",
                {},
            )
            await _opened(run)
            client.freeze()
        await asyncio.sleep(0.3)
        took.append(await hall.drain(GRACE * 4 + 10))
        run.history.note(drained=hall.name, seconds=took[-1])
        if took[-1] is None:
            await hall.kill()
        await hall.start()
        await asyncio.sleep(0.5)

    async with Rig(2, rig=rig, flags={"grace": GRACE}) as on:
        verdict = await storm(on, trouble, seed=seed, tables=4)
    verdict.figures["drains"] = 1
    if took[0] is None or took[0] > GRACE + 1:
        verdict.blame("G11 drain", f"with a frozen client it took {took[0]} s, grace is {GRACE} s")
    else:
        verdict.figures["ms of the longest drain"] = int(took[0] * 1000)
    return verdict


async def _opened(run: Storm) -> None:
    log = run.rig.folder / "frozen.log"
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if log.exists() and f'"streams": {STREAMS}' in log.read_text("utf-8"):
            return
        await asyncio.sleep(0.02)
    raise TimeoutError("the client that is to be frozen does not get its streams")


def hang() -> None:
    """Open some watches and keep them; the rig freezes this process."""
    asyncio.run(_hang(sys.argv[1], sys.argv[2]))


async def _hang(address: str, match_id: str) -> None:
    async with grpc.aio.insecure_channel(address) as channel:
        stub: Any = MatchServiceStub(channel)
        calls = [
            stub.Watch(pb.WatchRequest(match_id=match_id, with_view=True)) for _ in range(STREAMS)
        ]
        for call in calls:
            await call.read()
        os.write(1, json.dumps({"streams": len(calls)}).encode() + b"\n")
        await asyncio.sleep(600)
