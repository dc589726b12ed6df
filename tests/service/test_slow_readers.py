"""A client that does not read its stream is cut off with a reason, and costs a bounded memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import grpc
import pytest

from taflhall.v1 import lobby_service_pb2 as lobby
from taflhall.v1 import lobby_service_pb2_grpc, match_service_pb2_grpc
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.rpc.call import Call
from taflhall_service.rpc.lobby_stream import watch_lobby
from taflhall_service.rpc.messages import Writer
from taflhall_service.rpc.outbox import MESSAGE_BYTES, ROOM_BYTES, Outbox
from tests.service.local_server import LocalServer, Refusal, bearer, limits, open_server
from tests.service.test_lobby import OPEN, StuckCall, create, join
from tests.service.test_play_all import seat_of
from tests.service.test_watch import read_all
from tests.waiting import settle, until

BUSY = limits(heartbeat_seconds=0.0, write_seconds=0.4)
"""The server talks without a pause."""


@asynccontextmanager
async def narrow(server: LocalServer) -> AsyncIterator[Any]:
    """Yield a channel whose window is soon full."""
    options = [("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1024)]
    async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}", options=options) as channel:
        yield channel


async def end_of(stream: Any) -> Refusal:
    """Read a stream that was cut off to its end."""
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await read_all(stream, [])
    return Refusal(error.value)


async def test_a_reader_of_many_matches_that_does_not_read_is_cut_off():
    async with open_server(limits=BUSY) as server, narrow(server) as channel:
        table = await server.table(2, 2)
        connect: Any = match_service_pb2_grpc.MatchServiceStub
        stream = connect(channel).PlayAll()
        enter = pb.PlayAllRequest(enter=pb.PlayAllEnter(), seats=[seat_of(table)])
        await stream.write(enter)
        assert (await stream.read()).updates
        await until(lambda: not server.rpc.calls.streams)
        refusal = await end_of(stream)
        assert (refusal.code, refusal.reason) == (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "SLOW_CONSUMER",
        )
        assert not len(server.matches.hub)


async def test_a_reader_of_the_lobby_that_does_not_read_is_cut_off_and_may_resume():
    async with open_server(limits=BUSY) as server, narrow(server) as channel:
        connect: Any = lobby_service_pb2_grpc.LobbyServiceStub
        stream = connect(channel).WatchLobby(lobby.WatchLobbyRequest())
        token = (await stream.read()).resume_token
        await until(lambda: not server.rpc.calls.streams)
        refusal = await end_of(stream)
        assert (refusal.code, refusal.reason) == (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "SLOW_CONSUMER",
        )
        match_id = await create(server)
        again = server.lobby.WatchLobby(lobby.WatchLobbyRequest(resume_token=token))
        while not (said := await again.read()).updates:
            pass
        assert said.updates[0].match.id == match_id


async def test_any_number_of_changes_of_a_match_wait_as_one(server: LocalServer):
    call = StuckCall()
    writer = Writer(server.matches.server_key, server.matches.store_clock)
    watching = asyncio.create_task(watch_lobby(server.spectators, writer, cast(Call, call)))
    await until(lambda: call.writing)
    match_id = await create(server)
    await until(lambda: call.heard_of(match_id, OPEN))
    call.reads.clear()
    for number in range(20):
        secret = await join(server, match_id, f"Player {number}")
        leave = pb.LeaveMatchRequest(match_id=match_id, request_id=f"leave {number}")
        await server.match.LeaveMatch(leave, metadata=bearer(secret))
    last = await create(server)
    await settle()
    call.updates.clear()
    call.reads.set()
    await until(lambda: call.heard_of(last, OPEN))
    assert len([update for update in call.updates if update.match.id == match_id]) <= 2
    watching.cancel()


async def test_what_waits_to_be_written_is_bounded():
    class Stuck:
        async def write(self, message: bytes) -> None:
            await asyncio.Event().wait()

    part = bytes(64 * 1024)
    outbox = Outbox(cast(Call, Stuck()), 60.0)
    writing = asyncio.create_task(outbox.run())
    putting = [asyncio.create_task(outbox.put(part)) for _ in range(100)]
    await settle()
    taken = sum(len(part) for task in putting if task.done())
    assert taken <= ROOM_BYTES + MESSAGE_BYTES + 2 * len(part)
    for task in (*putting, writing):
        task.cancel()
    await asyncio.gather(*putting, writing, return_exceptions=True)
