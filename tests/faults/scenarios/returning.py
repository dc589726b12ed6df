"""A server dies, and everybody who watched there comes back elsewhere at once (text 4, T5)."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any

import grpc

from taflhall.v1 import match_service_pb2 as pb
from taflhall.v1.match_service_pb2_grpc import MatchServiceStub
from tests.faults.control.rig import Rig
from tests.faults.control.server_process import CHANNEL
from tests.faults.scenarios.storm import Storm
from tests.faults.scenarios.verdict import Verdict

SECONDS = 10.0
CHANNELS = 8


async def returning(
    watchers: int = 500, *, seed: int = 0, rig: dict[str, Any] | None = None
) -> Verdict:
    """Let *watchers* watch one server, kill it, and see when the last is back at the other one."""
    verdict = Verdict()
    async with Rig(2, rig=rig, flags={"heartbeat": 15}) as on:
        run = Storm(on, seed, watchers=0)
        (player,) = await run.crowd._open(2, 1)
        first, second = [
            [
                grpc.aio.insecure_channel(server.address, [*CHANNEL, ("n", n)])
                for n in range(CHANNELS)
            ]
            for server in on.servers
        ]
        tokens = [""] * watchers
        calls = await _open_all(player.seat.match_id, first, tokens)
        await on.servers[0].kill()
        began = time.monotonic()
        for call in calls:
            call.cancel()
        calls = await _open_all(player.seat.match_id, second, tokens, resume=player)
        took = time.monotonic() - began
        for call in calls:
            call.cancel()
        await asyncio.gather(*[channel.close() for channel in (*first, *second)])
        await run.stubs.close()
    back = len(calls)
    verdict.figures["watchers who came back"] = back
    verdict.figures["ms until the last was back"] = int(took * 1000)
    if back < watchers or took > SECONDS:
        verdict.blame("T5 everybody comes back", f"{back} of {watchers} in {took:.1f} s")
    return verdict


async def _open_all(
    match_id: str, channels: list[grpc.aio.Channel], tokens: list[str], resume: Any = None
) -> list[Any]:
    """Open all watches at once; with *resume* the player continues, so each gets a change."""
    stubs: list[Any] = [MatchServiceStub(channel) for channel in channels]
    opened = []

    async def one(number: int) -> None:
        while True:
            request = pb.WatchMatchRequest(match_id=match_id, resume_token=tokens[number])
            call = stubs[number % len(stubs)].WatchMatch(request)
            with suppress(grpc.aio.AioRpcError):
                message = await call.read()
                if message is not grpc.aio.EOF:
                    tokens[number] = message.resume_token
                    opened.append(call)
                    return
            call.cancel()
            await asyncio.sleep(0.1)

    work = asyncio.gather(*[one(number) for number in range(len(tokens))])
    if resume is not None:
        while (decision := await resume._pending()) is None:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        await resume.settle(resume._request(decision), calm=True)
    with suppress(TimeoutError):
        async with asyncio.timeout(6 * SECONDS):
            await work
    return opened
