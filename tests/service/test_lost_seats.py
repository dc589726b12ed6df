"""A rewound store may have lost a change of the seats: no server continues to use it.

Such a change has no revision of its own, and another one may have come in its place meanwhile.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.ports.match_store import Version
from taflhall_service.app.watching.channels import Hub
from taflhall_service.app.watching.cursor import Cursor, Heartbeat, Snapshot, SnapshotCause
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.delayed import DELAY, MARGIN, heard
from tests.service.local_server import LocalServer, Table, bearer, open_server, refused
from tests.service.test_watch import next_news, one_of, read_messages, watch
from tests.service.timed_server import open_timed_server
from tests.waiting import LIMIT_SECONDS, settle, until

REWOUND = pb.SNAPSHOT_CAUSE_HISTORY_REWOUND
SEATS_CHANGED = pb.SNAPSHOT_CAUSE_SEATS_CHANGED


@asynccontextmanager
async def two_servers(poll: float = 1.0) -> AsyncIterator[tuple[LocalServer, LocalServer]]:
    memory = Memory()
    async with (
        open_server(MemoryStore(memory), poll=poll) as one,
        open_server(MemoryStore(memory), poll=poll) as two,
    ):
        yield one, two


def copied(table: Table) -> Callable[[], None]:
    """Copy what is stored of a match; return a function that rewinds the store to it."""
    memory, match_id = table.server.store.memory, table.id
    match, records = memory.matches[match_id], dict(memory.records[match_id])

    def put_back() -> None:
        memory.matches[match_id], memory.records[match_id] = match, dict(records)

    return put_back


async def hand_over(server: LocalServer, table: Table, name: str) -> str:
    """Hand the seat of the first person over for good; return the new holder's secret."""
    request = pb.DelegateSeatRequest(match_id=table.id, name=name, permanent=True)
    answer = await server.match.DelegateSeat(request, metadata=bearer(table.secrets[0]))
    secret: str = answer.deputy_secret
    return secret


async def holder(server: LocalServer, table: Table) -> str:
    answer = await server.match.GetMatch(pb.GetMatchRequest(match_id=table.id))
    name: str = answer.match.seats[0].name
    return name


@pytest.mark.parametrize("again", [1, 2])
async def test_the_deputy_of_a_lost_delegation_cannot_act(again: int):
    async with two_servers() as (one, two):
        table = await one.table(2, 2)
        put_back = copied(table)
        lost = await hand_over(one, table, "Mallory")
        put_back()
        if again == 2:  # the seats have changed more often than what was lost
            deputy = pb.DelegateSeatRequest(match_id=table.id, name="Deputy")
            await two.match.DelegateSeat(deputy, metadata=bearer(table.secrets[0]))
        kept = await hand_over(two, table, "Freya")
        resign = pb.ResignSeatRequest(match_id=table.id, request_id="I resign")
        refusal = await refused(one.match.ResignSeat(resign, metadata=bearer(lost)))
        assert refusal.reason == "SECRET_INVALID"
        assert [await holder(server, table) for server in (one, two)] == ["Freya", "Freya"]
        await one.match.ResignSeat(resign, metadata=bearer(kept))


async def test_an_answer_with_a_secret_that_was_lost_changes_nothing():
    async with two_servers() as (one, two):
        table = await one.table(2, 1)
        decision = await table.decision()
        put_back = copied(table)
        table.secrets = [table.secrets[0], await hand_over(one, table, "Mallory")]
        put_back()
        await hand_over(two, table, "Freya")
        refusal = await refused(table.submit(decision.id, person=1))
        assert refusal.reason == "SECRET_INVALID"
        assert (await table.get(None)).match.revision == 0


async def causes_until(stream: Any, name: str) -> set[int]:
    """Read until the first seat is *name*'s; return the causes of the snapshots on the way."""
    causes: set[int] = set()
    while True:
        snapshot = (await next_news(stream)).snapshot
        causes.add(snapshot.cause)
        if snapshot.match.seats[0].name == name:
            return causes


@pytest.mark.parametrize("other", [True, False])
async def test_watchers_see_the_current_seats(other: bool):
    async with two_servers(poll=0.05) as (one, two):
        table = await one.table(2, 2)
        stream = watch(table)
        (first,) = await read_messages(stream, 1)
        name = first.snapshot.match.seats[0].name
        put_back = copied(table)
        await hand_over(one, table, "Mallory")
        assert await causes_until(stream, "Mallory") == {SEATS_CHANGED}
        token = (await one.match.GetMatch(pb.GetMatchRequest(match_id=table.id))).resume_token
        put_back()
        if other:
            await hand_over(two, table, "Freya")
            name = "Freya"
        causes = await causes_until(stream, name)
        assert causes <= ({SEATS_CHANGED, REWOUND} if other else {REWOUND})
        for server in (one, two):
            again = watch(Table(server, table.id, [], ""), None, token)
            assert await causes_until(again, name) == {SEATS_CHANGED}
            again.cancel()


async def test_a_token_of_the_seats_as_they_are_brings_nothing_again():
    async with two_servers() as (one, two):
        table = await one.table(2, 2)
        table.secrets[0] = await hand_over(one, table, "Freya")
        await table.step()
        token = (await one.match.GetMatch(pb.GetMatchRequest(match_id=table.id))).resume_token
        streams = [watch(Table(server, table.id, [], ""), None, token) for server in (one, two)]
        await until(lambda: one.rpc.calls.streams == two.rpc.calls.streams == 1)
        await settle()
        await hand_over_second(one, table)
        for stream in streams:
            message = await next_news(stream)
            assert message.snapshot.match.seats[1].name == "Deputy"


async def hand_over_second(server: LocalServer, table: Table) -> None:
    request = pb.DelegateSeatRequest(match_id=table.id, name="Deputy")
    await server.match.DelegateSeat(request, metadata=bearer(table.secrets[1]))


async def test_delayed_spectators_leave_a_lost_change_of_the_seats():
    async with open_timed_server(poll=0.05) as timed:
        table = await timed.table()
        timed.passes(DELAY + MARGIN)
        stream = timed.server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        first = (await stream.read()).snapshot.match.seats[0].name
        put_back = copied(table)
        await hand_over(timed.server, table, "Mallory")
        timed.passes(DELAY + MARGIN)

        def named(message: Any, name: str) -> bool:
            return bool(
                message.snapshot.match.seats and message.snapshot.match.seats[0].name == name
            )

        await heard(stream, lambda message: named(message, "Mallory"))
        put_back()
        await until(lambda: timed.server.matches.hub.rewound)
        since = await heard(stream, lambda message: named(message, first))
        assert since[-1][1].snapshot.cause == REWOUND
        stream.cancel()


async def test_late_news_of_the_seats_are_not_a_rewind(server: LocalServer):
    table = await server.table(2, 2)
    stream = watch(table)
    await read_messages(stream, 1)
    hub: Hub = server.matches.hub
    (channel,) = hub.channels
    old = channel.version
    await hand_over(server, table, "Freya")
    await hub.arrive(channel, old)
    assert (hub.rewound, channel.version > old) == (0, True)
    (message,) = await read_messages(stream, 1)
    assert message.snapshot.cause == SEATS_CHANGED


def test_no_two_changes_have_the_same_number():
    version = Version(3, b"head", 0)
    after = [version.changed() for _ in range(1000)]
    assert len({each.change_id for each in after}) == 1000
    assert {each.change_count for each in after} == {1}
    assert after[0].changed().change_id > max(each.change_id for each in after)
    assert Version(3, b"head", 7).changed().change_id > 7


async def test_a_viewer_of_a_lost_change_of_seats_learns_that_it_is_lost():
    async with two_servers(poll=0.05) as (one, two):
        table = await one.table(2, 2)
        matches = one.matches
        first = await matches.fresh(table.id)
        channel = matches.hub.open(first)
        put_back = copied(table)
        await hand_over(two, table, "Mallory")  # without listening the channel does not hear of it
        cursor = Cursor(matches, await matches.current(table.id), -1)
        (update,) = await cursor.open("")
        assert isinstance(update, Snapshot)
        assert update.match.seats[0].name == "Mallory"
        put_back()
        (update,) = await cursor.next(LIMIT_SECONDS, True)
        assert isinstance(update, Snapshot)
        assert (update.match.seats, update.cause) == (first.seats, SnapshotCause.HISTORY_REWOUND)
        assert await cursor.next(0.3, True) == [Heartbeat(first.version)]
        cursor.close()
        matches.hub.close(channel)


@pytest.mark.parametrize("by", ["this server", "the other"])
async def test_another_history_of_the_same_length_is_noticed_by_who_commits_to_it(by: str):
    """The watcher has been sent the answer that is lost, which either server had committed."""
    async with two_servers(poll=60) as (one, two):
        table = await one.table(2, 1)
        again = Table(two, table.id, table.secrets, "")
        memory = one.store.memory
        stream = watch(table)
        while len((await one_of(table)).options) < 2:
            await table.step()
        put_back, kept = copied(table), list(memory.entries.get(table.id, []))
        at = (await (table if by == "this server" else again).step(0)).revision
        await table.get(None)
        await heard(stream, lambda message: message.revision == at)
        put_back()
        memory.entries[table.id] = kept
        decision = await one_of(again)
        await again.submit(decision.id, len(decision.options) - 1)
        assert (await table.step()).revision == at + 1
        since = await heard(stream, lambda message: message.revision > at)
        assert [m.snapshot.cause for _, m in since if m.HasField("snapshot")] == [REWOUND]
        seen = pb.GetMatchRequest(match_id=table.id)
        assert (await one.match.GetMatch(seen)).match.revision == at + 1
        stream.cancel()


async def test_a_cursor_that_was_ahead_of_its_channel_notices_another_history():
    async with two_servers(poll=60) as (one, two):
        table = await one.table(2, 1)
        again = Table(two, table.id, table.secrets, "")
        memory, matches = one.store.memory, one.matches
        while len((await one_of(table)).options) < 2:
            await table.step()
        channel = matches.hub.open(await matches.fresh(table.id))
        put_back, kept = copied(table), list(memory.entries.get(table.id, []))
        await again.step(0)
        cursor = Cursor(matches, await matches.current(table.id), -1)
        await cursor.open("")
        put_back()
        memory.entries[table.id] = kept
        decision = await one_of(again)
        await again.submit(decision.id, len(decision.options) - 1)
        (update,) = await cursor.next(LIMIT_SECONDS, True)
        assert isinstance(update, Snapshot)
        assert update.cause == SnapshotCause.HISTORY_REWOUND
        assert update.match.version == memory.matches[table.id].version
        assert isinstance((await cursor.next(0.3, True))[0], Heartbeat)
        cursor.close()
        matches.hub.close(channel)
