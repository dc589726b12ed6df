"""A call that its client ends does not count as a fault of the server."""

from __future__ import annotations

import asyncio
import gc
import random
import re
from contextlib import suppress

import grpc
import pytest
import structlog
from prometheus_client import generate_latest

from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.observability.metrics import Meter
from tests.service.local_server import bearer, open_server
from tests.waiting import take, until

STREAMS = 400


@pytest.mark.parametrize("secret", [False, True])
async def test_watches_that_are_cut_at_random_are_cancelled_calls(secret: bool):
    rng, meter = random.Random(f"cut {secret}"), Meter()
    with structlog.testing.capture_logs() as log:
        async with open_server(meter=meter) as server:
            table = await server.table(2, 1)
            identity = bearer(table.secrets[0] if secret else None)

            async def cut() -> None:
                request = pb.WatchMatchRequest(match_id=table.id, with_view=True)
                stream = server.match.WatchMatch(request, metadata=identity)
                for _ in range(rng.randrange(30)):
                    await asyncio.sleep(0)
                if rng.random() < 0.5:
                    with suppress(grpc.aio.AioRpcError, asyncio.CancelledError):
                        await stream.read()
                stream.cancel()

            for _ in range(STREAMS // 20):
                await asyncio.gather(*[cut() for _ in range(19)], table.step())
    assert [entry for entry in log if entry["event"] == "fault"] == []
    counts = re.findall(rb'outcome="INTERNAL"} (.+)', generate_latest(meter.registry))
    assert set(counts) == {b"0.0"}


@pytest.mark.parametrize("method", ["PlayAll", "Play"])
async def test_play_streams_that_are_cut_unread_leave_no_error_behind(method: str):
    unhandled: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, what: unhandled.append(what))
    async with open_server() as server:
        for turns in range(30):
            table = await server.table(2, 1)
            secret = table.secrets[0] if method == "Play" else None
            stream = getattr(server.match, method)(metadata=bearer(secret))
            if method == "Play":
                await stream.write(pb.PlayRequest(enter=pb.PlayEnter(match_id=table.id)))
            else:
                seat = pb.SeatCredential(match_id=table.id, seat_secret=table.secrets[0])
                await stream.write(pb.PlayAllRequest(enter=pb.PlayAllEnter(), seats=[seat]))
            for _ in range(turns):
                await asyncio.sleep(0)
            stream.cancel()
            await until(lambda: server.rpc.calls.streams == 0)
    gc.collect()
    assert unhandled == []


async def test_a_failure_that_nobody_waits_for_is_one_line_of_the_log():
    unhandled: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, what: unhandled.append(what))
    with structlog.testing.capture_logs() as log:
        async with open_server() as server:
            for error in (StoreUnavailable(), ValueError("broken")):

                async def fails(error: Exception = error) -> None:
                    await take(0.01)
                    raise error

                caller = asyncio.create_task(server.matches.shield(fails()))
                await asyncio.sleep(0)
                caller.cancel()
                await server.matches.idle(1)
                await asyncio.sleep(0)
    assert unhandled == []
    assert [entry["kind"] for entry in log if entry["event"] == "task_failed"] == ["ValueError"]
