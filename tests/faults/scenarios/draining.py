"""SIGTERM (G11): a server goes within its grace and a second, even with a client that is frozen.

The frozen client is a process of its own that opens watches, is read from no more (SIGSTOP),
and never says goodbye.
"""

from __future__ import annotations

import asyncio
from typing import Any

import grpc

from taflhall.v1 import match_service_pb2 as pb
from taflhall.v1 import table_pb2
from taflhall.v1.match_service_pb2_grpc import MatchServiceStub
from tests.faults.control.rig import Rig
from tests.faults.control.server_process import ServerProcess
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
    ended: list[str] = []

    async def trouble(run: Storm) -> None:
        await asyncio.sleep(1.0)
        server = run.rig.servers[0]
        if frozen:
            match_id = next(iter(run.crowd.revisions()))
            await frozen_client(run, server, match_id, STREAMS)
        idle = await _match_without_moves(server)
        staying = [asyncio.create_task(_stay(server, idle)) for _ in range(STREAMS)]
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
        ended.extend(await asyncio.gather(*staying))

    async with Rig(2, rig=rig, flags={"grace": GRACE}) as on:
        verdict = await storm(on, trouble, seed=seed, tables=tables, watchers=watchers)
    verdict.figures["drains"] = 1
    for instead in filter(None, ended):
        verdict.blame("G11 goodbye", f"a watch ended with {instead} instead of a hint")
    if took[0] is None or took[0] > GRACE + 1:
        verdict.blame("G11 drain", f"with a frozen client it took {took[0]} s, grace is {GRACE} s")
    else:
        verdict.figures["ms of the longest drain"] = int(took[0] * 1000)
    return verdict


async def _match_without_moves(server: ServerProcess) -> str:
    """Start a match in which nobody moves; return its id."""
    setup = table_pb2.Setup(game="yggdrasil", seats=1)
    async with grpc.aio.insecure_channel(server.address) as channel:
        stub: Any = MatchServiceStub(channel)
        created = await stub.CreateMatch(pb.CreateMatchRequest(setup=setup, start_when_full=True))
        await stub.JoinMatch(pb.JoinMatchRequest(match_id=created.match.id, name="Idle"))
        return str(created.match.id)


async def _stay(server: ServerProcess, match_id: str) -> str:
    """Watch to the end; return what the stream ended with instead of a hint, empty if with one."""
    update = ""
    async with grpc.aio.insecure_channel(server.address) as channel:
        stub: Any = MatchServiceStub(channel)
        try:
            async for message in stub.WatchMatch(pb.WatchMatchRequest(match_id=match_id)):
                update = message.WhichOneof("update")
        except grpc.aio.AioRpcError as error:
            return error.code().name
    return "" if update == "end" else f"{update or 'nothing'} as its last message"
