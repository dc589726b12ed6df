"""Watch: everything once, in order, from any point; or a snapshot that says why not."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from taflhall.v1 import match_pb2, match_service_pb2_grpc
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine.kernel.meta_commands import NO_WITHDRAWALS
from taflhall_service.app.matches.past import match_at
from taflhall_service.app.model import codec as stored
from taflhall_service.app.model.records import StoredTable
from taflhall_service.app.ports.match_store import StoredEntry
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.local_server import (
    LocalServer,
    Refusal,
    Table,
    bearer,
    known,
    limits,
    open_server,
)
from tests.waiting import LIMIT_SECONDS, until

FINISHED = match_pb2.MATCH_STATUS_FINISHED


def watch(table: Table, person: int | None = None, token: str = "", **wants: Any) -> Any:
    request = pb.WatchMatchRequest(match_id=table.id, resume_token=token, **wants)
    secret = "" if person is None else table.secrets[person]
    return table.server.match.WatchMatch(request, metadata=bearer(secret))


async def read_messages(
    stream: Any, number: int, seconds: float = LIMIT_SECONDS
) -> list[pb.WatchMatchResponse]:
    async with asyncio.timeout(seconds):
        return [await stream.read() for _ in range(number)]


async def next_news(stream: Any) -> pb.WatchMatchResponse:
    """Return the next message that is no heartbeat; a resumed stream begins with one."""
    async with asyncio.timeout(LIMIT_SECONDS):
        while True:
            message: pb.WatchMatchResponse = await stream.read()
            if not message.HasField("heartbeat"):
                return message


async def play_out(table: Table) -> int:
    revision = 0
    while True:
        done = await table.step()
        revision = done.revision
        if done.status == FINISHED:
            return revision


async def test_a_watch_sends_every_command_once_in_order_and_ends(server: LocalServer):
    table = await server.table(2, 2)
    stream = watch(table)
    (first,) = await read_messages(stream, 1)
    assert first.snapshot.match.id == table.id
    assert first.snapshot.cause == pb.SNAPSHOT_CAUSE_UNSPECIFIED
    last = await play_out(table)
    messages = await read_messages(stream, last + 1)
    assert [m.revision for m in messages[:-1]] == list(range(1, last + 1))
    assert all(m.change.events[0].WhichOneof("kind") == "answered" for m in messages[:-1])
    assert messages[-1].end.cause == pb.STREAM_END_CAUSE_FINISHED
    assert messages[-1].end.match.secret
    assert await stream.read() is grpc.aio.EOF


async def test_a_watch_resumes_at_every_boundary(server: LocalServer):
    table = await server.table(2, 2)
    whole = watch(table, 0)
    for _ in range(30):
        await table.step()
    resign = pb.ResignSeatRequest(match_id=table.id, request_id="over")
    await server.match.ResignSeat(resign, metadata=bearer(table.secrets[0]))
    last = 31
    messages = await read_messages(whole, last + 2)
    for n, message in enumerate(messages[:-1]):
        again = watch(table, 0, message.resume_token)
        rest = await read_messages(again, len(messages) - n - 1)
        assert rest == messages[n + 1 :], n
        again.cancel()


async def test_it_resumes_on_another_server():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as one, open_server(MemoryStore(memory)) as two:
        table = await one.table(2, 2)
        stream = watch(table)
        seen = [(await read_messages(stream, 1))[0].revision]
        at = [table, Table(two, table.id, table.secrets, "")]
        for n in range(20):
            await at[n % 2].step()
            (message,) = await read_messages(stream, 1)
            seen.append(message.revision)
            token = message.resume_token
            stream.cancel()
            await at[(n + 1) % 2].step()
            stream = watch(at[n % 2], None, token)
            (message,) = await read_messages(stream, 1)
            assert message.HasField("change")
            seen.append(message.revision)
        assert seen == list(range(41))


async def test_the_view_and_the_options_come_with_the_change(server: LocalServer):
    table = await server.table(2, 2)
    streams = [watch(table, person, with_view=True, with_options=True) for person in (0, 1)]
    for stream in streams:
        await read_messages(stream, 1)
    for _ in range(15):
        await table.step()
        for person, stream in enumerate(streams):
            (message,) = await read_messages(stream, 1)
            got = await table.get(person, with_view=True)
            assert message.change.view == got.view
            assert list(message.change.decisions) == list(got.decisions)
            assert message.resume_token == got.resume_token


async def test_what_others_see_is_built_once(server: LocalServer):
    table = await server.table(2, 2)
    streams = [watch(table, with_view=True) for _ in range(5)]
    for stream in streams:
        await read_messages(stream, 1)
    game = known(server, table.id).game
    built = 0
    public = type(game).public

    def counted(self: Any, s: Any) -> Any:
        nonlocal built
        built += 1
        return public(self, s)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(game), "public", counted)
        await table.step()
        messages = [(await read_messages(stream, 1))[0] for stream in streams]
    assert built == 1
    assert all(m == messages[0] for m in messages)


async def test_joins_and_the_start_are_sent_as_snapshots(server: LocalServer):
    request = pb.CreateMatchRequest(start_when_full=True)
    request.setup.game, request.setup.seats = "yggdrasil", 2
    created = await server.match.CreateMatch(request)
    table = Table(server, created.match.id, [], "")
    stream = watch(table, with_view=True)
    (first,) = await read_messages(stream, 1)
    assert not first.snapshot.HasField("view")
    message = first
    for name in ("Ann", "Bo"):
        await server.match.JoinMatch(pb.JoinMatchRequest(match_id=table.id, name=name))
        (message,) = await read_messages(stream, 1)
        assert message.snapshot.cause == pb.SNAPSHOT_CAUSE_SEATS_CHANGED
    assert message.snapshot.match.status == match_pb2.MATCH_STATUS_PLAYING
    assert message.snapshot.HasField("view")


async def test_silence_is_broken_by_heartbeats():
    async with open_server(limits=limits(heartbeat_seconds=0.1)) as server:
        table = await server.table(1, 1)
        await table.step()
        stream = watch(table)
        first, *heartbeats = await read_messages(stream, 4)
        assert all(m.HasField("heartbeat") for m in heartbeats)
        assert {m.revision for m in heartbeats} == {1}
        assert {m.resume_token for m in heartbeats} == {first.resume_token}
        await table.step()
        (message,) = await read_messages(stream, 1)
        while not message.HasField("change"):
            (message,) = await read_messages(stream, 1)
        assert message.revision == 2


async def test_a_watch_that_has_missed_nothing_begins_with_a_heartbeat(server: LocalServer):
    table = await server.table(1, 1)
    (first,) = await read_messages(watch(table), 1)
    (again,) = await read_messages(watch(table, token=first.resume_token), 1)
    assert again.HasField("heartbeat")
    assert again.resume_token == first.resume_token


async def test_a_match_that_is_over_is_shown_and_the_stream_ends(server: LocalServer):
    table = await server.table(2, 2)
    await table.step()
    request = pb.ResignSeatRequest(match_id=table.id, request_id="x")
    await server.match.ResignSeat(request, metadata=bearer(table.secrets[0]))
    snapshot, end = await read_messages(watch(table, with_view=True), 2)
    assert snapshot.snapshot.match.status == FINISHED
    assert end.end.cause == pb.STREAM_END_CAUSE_FINISHED


class Deaf(MemoryStore):
    """Never gives a hint."""

    async def listen(self, match_id: str) -> None:
        return


async def test_the_poll_finds_everything_without_notifications():
    memory = Memory()
    async with (
        open_server(Deaf(memory), poll=0.05) as one,
        open_server(Deaf(memory), poll=0.05) as two,
    ):
        table = await one.table(2, 2)
        elsewhere = Table(two, table.id, table.secrets, "")
        stream = watch(table, with_view=True)
        await read_messages(stream, 1)
        for n in range(6):
            await elsewhere.step()
            if n % 2:
                await elsewhere.step()
        seen = [m.revision for m in await read_messages(stream, 9)]
        assert seen == list(range(1, 10))
        assert one.matches.hub.notifications_missed > 0


async def test_a_watcher_far_behind_is_fed_from_the_store():
    """The ring holds 64 commands; a token from before it still finds the rest."""
    async with open_server() as server:
        while True:
            table = await server.table(3, 1)
            first = (await table.get(None)).resume_token
            stream = watch(table)
            await read_messages(stream, 1)
            last = await play_out(table)
            await read_messages(stream, last + 1)
            if last > 64:  # chance may end a match early
                break
        again = watch(table, None, first)
        seen = [m.revision for m in await read_messages(again, last + 1)]
        assert seen == [*range(1, last + 1), last]


async def set_back(table: Table, keep: int) -> None:
    """Put the store back to an older revision, as a failover does."""
    server, memory = table.server, table.server.store.memory
    entries, old = memory.entries[table.id], memory.matches[table.id]
    match = await server.matches.fresh(table.id)
    past = await match_at(server.matches.store, match, keep)
    stored_table = StoredTable(past.table, NO_WITHDRAWALS, past.pending, match.end)
    snapshot = stored.encode_table(match.game, match.origin, keep, stored_table)
    version = old.version._replace(revision=keep, head=entries[keep - 1].head)
    memory.matches[table.id] = old._replace(version=version, snapshot=snapshot)
    memory.entries[table.id] = entries[:keep]


async def test_a_rewind_is_announced():
    async with open_server(poll=0.05) as server:
        table = await server.table(2, 2)
        for _ in range(8):
            await table.step()
        token = (await table.get(None)).resume_token
        stream = watch(table)
        await read_messages(stream, 1)
        stale = (await table.get(None)).decisions[0]
        await set_back(table, 5)
        (message,) = await read_messages(stream, 1)
        assert message.snapshot.cause == pb.SNAPSHOT_CAUSE_HISTORY_REWOUND
        assert message.revision == 5
        assert server.matches.hub.rewound == 1
        (resumed,) = await read_messages(watch(table, None, token), 1)
        assert resumed.snapshot.cause == pb.SNAPSHOT_CAUSE_HISTORY_REWOUND
        for _ in range(3):  # the same numbers again, but another history
            decision = await one_of(table)
            options = len(decision.options)
            await table.submit(decision.id, options - 1, decision.seat)
        assert (await table.get(None)).match.revision == 8
        (resumed,) = await read_messages(watch(table, None, token), 1)
        assert resumed.snapshot.cause == pb.SNAPSHOT_CAUSE_HISTORY_REWOUND
        fresh = (await table.get(None)).decisions[0]
        assert fresh.id != stale.id
        assert [m.revision for m in await read_messages(stream, 3)] == [6, 7, 8]


async def one_of(table: Table) -> Any:
    seat = (await table.get(None)).decisions[0].seat
    return await table.decision(seat)


async def test_events_that_are_no_longer_kept_are_said(server: LocalServer):
    table = await server.table(2, 2)
    tokens = [(await table.get(None)).resume_token]
    for _ in range(6):
        await table.step()
        tokens.append((await table.get(None)).resume_token)
    memory = server.store.memory
    kept: list[StoredEntry] = memory.entries[table.id]
    memory.entries[table.id] = kept[3:]
    for n, token in enumerate(tokens[:-1]):
        (message,) = await read_messages(watch(table, None, token), 1)
        if n < 4:
            assert message.snapshot.cause == pb.SNAPSHOT_CAUSE_COMPACTED, n
        else:
            assert message.HasField("change"), n


async def test_a_draining_server_ends_streams_with_a_resume_token():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as one, open_server(MemoryStore(memory)) as two:
        table = await one.table(2, 2)
        await table.step()
        stream = watch(table)
        await read_messages(stream, 1)
        await one.rpc.drain(0, 30)
        (end,) = await read_messages(stream, 1)
        assert end.end.cause == pb.STREAM_END_CAUSE_DRAINING
        elsewhere = Table(two, table.id, table.secrets, "")
        await elsewhere.step()
        (message,) = await read_messages(watch(elsewhere, None, end.resume_token), 1)
        assert (message.revision, message.HasField("change")) == (2, True)


async def test_many_watchers_leave_nothing_behind(server: LocalServer):
    table = await server.table(1, 1)
    streams = [watch(table) for _ in range(50)]
    await asyncio.gather(*[read_messages(stream, 1) for stream in streams])
    assert len(server.matches.hub) == 1
    for stream in streams:
        stream.cancel()
    await until(lambda: not len(server.matches.hub) and not server.rpc.calls.streams)


async def test_a_watcher_that_does_not_read_is_cut_off_and_may_resume():
    """The server talks without a pause; the client's window fills, and the write is broken off."""
    busy = limits(heartbeat_seconds=0.0, write_seconds=0.4)
    async with open_server(limits=busy) as server:
        table = await server.table(2, 2)
        options = [("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1024)]
        slow = grpc.aio.insecure_channel(f"127.0.0.1:{server.port}", options=options)
        connect: Any = match_service_pb2_grpc.MatchServiceStub
        stream = connect(slow).WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        (first,) = await read_messages(stream, 1)
        await until(lambda: not server.rpc.calls.streams)
        heard: list[pb.WatchMatchResponse] = []
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await read_all(stream, heard)
        assert error.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert Refusal(error.value).reason == "SLOW_CONSUMER"
        assert heard[-1].resume_token == first.resume_token
        await slow.close()


async def read_all(stream: Any, heard: list[pb.WatchMatchResponse]) -> None:
    while True:
        heard.append(await stream.read())
