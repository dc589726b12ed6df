"""Streams of delayed spectators: what they show, when, and from where they resume."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Any

import pytest

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.delayed import (
    DELAY,
    MARGIN,
    Happening,
    heard,
    much_else,
    over,
    plain_match,
)
from tests.service.local_server import Table, bearer, limits, open_server, refused
from tests.service.local_server import known as server_knows
from tests.service.timed_server import (
    DELAYED,
    TimedServer,
    clocks_in,
    everything,
    memory_at,
    open_timed_server,
    resign,
    step,
)
from tests.waiting import take, until


def content_of(messages: list[tuple[float, Any]]) -> list[tuple[float, Any]]:
    """Return the messages other than heartbeats, without their tokens."""
    found = []
    for at, message in messages:
        if not message.HasField("heartbeat"):
            copied = pb.WatchMatchResponse()
            copied.CopyFrom(message)
            copied.resume_token = ""
            found.append((at, copied))
    return found


def more_than(messages: list[tuple[float, Any]], number: int) -> bool:
    return len(content_of(messages)) > number


def same(one: Any, other: Any) -> bool:
    """Return whether two messages say the same.

    A busy server may send several changes at once; then only the newest has view and
    clocks. What is left is that of another moment.
    """
    for message in (one, other):
        message.change.ClearField("clocks")
        for clocks in clocks_in(message):
            clocks.Clear()
    if one.change.HasField("view") != other.change.HasField("view"):
        for message in (one, other):
            message.change.ClearField("view")
            for decision in message.change.decisions:
                decision.ClearField("options")
    return bool(
        one.SerializeToString(deterministic=True) == other.SerializeToString(deterministic=True)
    )


@pytest.mark.parametrize("wants", [{}, {"with_view": True, "with_options": True}])
@pytest.mark.parametrize("happenings", [plain_match, much_else])
async def test_a_delayed_stream_equals_the_live_stream_of_that_time(
    happenings: Callable[[Table], list[Happening]], wants: Any
):
    async with open_server(limits=limits(heartbeat_seconds=0.2)) as server:
        timed = TimedServer(server.store.memory, server)
        table = await timed.create(DELAYED, 1)
        request = pb.WatchMatchRequest(match_id=table.id, **wants)
        streams = [server.match.WatchMatch(request, metadata=bearer(table.creator))]
        streams += [server.match.WatchMatch(request) for _ in range(3)]
        begun: list[list[tuple[float, Any]]] = [[] for _ in streams]
        live = begun[0]
        since: dict[int, float] = {}
        reading = [
            asyncio.create_task(heard(stream, over, messages))
            for stream, messages in zip(streams, begun, strict=True)
        ]
        await until(lambda: all(begun))  # so that nothing has happened before the first look
        for happens in happenings(table):
            await take(0.06)  # they are that far apart
            known, before = len(content_of(live)), monotonic()
            await happens()
            for revision in range(server_knows(server, table.id).revision + 1):
                since.setdefault(revision, before)
            await until(partial(more_than, live, known))
        at_once, *late = [content_of(await task) for task in reading]
        assert len(server.spectators.delayed_matches) == 1
        for messages in late:
            left = deque(messages)
            for _, one in at_once:
                if left and same(one, left[0][1]):
                    now, _ = left.popleft()
                    assert now >= since[one.revision] + 1 or not one.revision
                else:  # a busy server may send the newest seats only
                    assert one.snapshot.cause == pb.SNAPSHOT_CAUSE_SEATS_CHANGED
            assert not left


async def test_heartbeats_reveal_nothing_hidden():
    """They come at an even pace, whether or not somebody plays meanwhile."""
    pace, most = 0.2, 8
    async with open_server(limits=limits(heartbeat_seconds=pace)) as server:
        timed = TimedServer(server.store.memory, server)
        table = await timed.table(delay=30)
        stream = server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        messages: list[tuple[float, Any]] = []
        reading = asyncio.create_task(heard(stream, lambda _: len(messages) > most, messages))
        for option in range(30):
            await step(table, option % 2)
            await take(0.04)
        await reading
        assert not messages[0][1].revision
        heartbeats = messages[1:]
        assert all(message.HasField("heartbeat") for _, message in heartbeats)
        assert len({message.SerializeToString() for _, message in heartbeats}) == 1
        assert heartbeats[-1][0] - heartbeats[0][0] > (most - 1) * pace / 2


async def test_a_delayed_stream_resumes_on_any_server():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as one, open_server(MemoryStore(memory)) as two:
        table = await TimedServer(memory, one).table(delay=1)

        async def shows_the_start() -> bool:
            return (await table.get(None)).match.status == match_pb2.MATCH_STATUS_PLAYING

        await until(shows_the_start)
        for number in range(6):
            await step(table, number % 2)
        await resign(table)
        request = pb.WatchMatchRequest(match_id=table.id)
        whole = await heard(one.match.WatchMatch(request), over)
        for number, (_, message) in enumerate(whole[:-1]):
            request.resume_token = message.resume_token
            again = await heard((two, one)[number % 2].match.WatchMatch(request), over)
            assert [m for _, m in again] == [m for _, m in whole[number + 1 :]]


async def test_a_resume_token_is_bound_to_its_viewer():
    async with open_timed_server() as timed:
        table = await timed.table()
        timed.passes(DELAY + MARGIN)
        late = (await table.get(None)).resume_token
        tokens = {"": late}
        for secret in (*table.secrets, table.creator):
            request = pb.GetMatchRequest(match_id=table.id)
            got = await timed.server.match.GetMatch(request, metadata=bearer(secret))
            assert got.match.revision == 0
            tokens[secret] = got.resume_token
        assert len(set(tokens.values())) == len(tokens)
        for mine, token in tokens.items():
            for secret in tokens:
                watching = pb.WatchMatchRequest(match_id=table.id, resume_token=token)
                stream = timed.server.match.WatchMatch(watching, metadata=bearer(secret))
                if secret != mine:
                    assert (await refused(stream.read())).metadata["field"] == "resume_token"
                stream.cancel()


async def test_a_draining_server_reveals_nothing_to_delayed_spectators():
    memory = memory_at()
    async with open_server(MemoryStore(memory)) as one, open_server(MemoryStore(memory)) as two:
        timed = TimedServer(memory, one)
        table = await timed.table()
        timed.passes(DELAY + MARGIN)
        await step(table)
        stream = one.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        first = await stream.read()
        await step(table)
        await one.rpc.drain(0, 30)
        end = await stream.read()
        assert end.end.cause == pb.STREAM_END_CAUSE_DRAINING
        assert not end.end.HasField("match")
        assert (first.revision, end.revision) == (0, 0)
        request = pb.WatchMatchRequest(match_id=table.id, resume_token=end.resume_token)
        stream = two.match.WatchMatch(request)
        reading = asyncio.create_task(heard(stream, lambda message: message.revision == 2))
        await until(lambda: two.spectators.delayed_matches)
        timed.passes(DELAY + MARGIN, two)
        seen = [m for _, m in await reading if not m.HasField("heartbeat")]
        assert [m.WhichOneof("update") for m in seen] == ["change", "change"]


async def test_closed_delayed_streams_leave_nothing_behind():
    async with open_server(linger=0) as server:
        table = await TimedServer(server.store.memory, server).table(delay=1)
        streams = [
            server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id)) for _ in range(5)
        ]
        for stream in streams:
            await stream.read()
        assert len(server.matches.hub) == 1
        for stream in streams:
            stream.cancel()
        await until(lambda: not len(server.matches.hub))
        (delayed,) = server.spectators.delayed_matches
        assert (delayed.users, delayed.following) == (0, False)


async def test_one_replay_serves_all_delayed_spectators():
    async with open_timed_server() as timed:
        table = await timed.table()
        for number in range(5):
            await step(table, number % 2)
        timed.passes(DELAY + MARGIN)
        await step(table)
        await asyncio.gather(*[everything(table) for _ in range(4)])
        (delayed,) = timed.server.spectators.delayed_matches
        assert delayed.moves == 5
        timed.passes(DELAY + MARGIN)
        await everything(table)
        assert delayed.moves == 6
