"""When a delayed match follows its match, when it stops, and when it looks for lost writes."""

from __future__ import annotations

import pytest

from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.errors import MatchNotFound
from taflhall_service.app.spectating.delayed_match import DelayedMatch
from tests.service.local_server import Table
from tests.service.test_watch import set_back
from tests.service.timed_server import TimedServer, join, open_timed_server, step
from tests.waiting import until

LATE = 61
"""Seconds after which everything has been seen."""


async def followed(timed: TimedServer, linger: float = 60.0) -> tuple[DelayedMatch, Table]:
    """Return a match after four commands, which is not followed late yet."""
    table = await timed.table()
    for _ in range(4):
        await step(table)
    match = await timed.server.matches.current(table.id)
    return DelayedMatch(timed.server.matches, match, linger), table


async def test_it_follows_once_it_has_caught_up():
    async with open_timed_server() as timed:
        delayed, table = await followed(timed)
        assert not delayed.following
        delayed.join()
        assert not delayed.following
        timed.passes(LATE)
        seen = await delayed.advance(await timed.server.matches.current(table.id))
        assert delayed.following
        assert (seen.revision, seen.status) == (4, "playing")
        assert seen.started_ms == (await timed.server.matches.current(table.id)).started_ms
        assert delayed.moves == 4
        delayed.stop()
        assert not delayed.following


async def test_it_follows_while_somebody_watches_and_for_a_while_afterwards():
    async with open_timed_server() as timed:
        for linger, following in ((0.0, False), (60.0, True)):
            delayed, table = await followed(timed, linger)
            await delayed.advance(await timed.server.matches.current(table.id))
            for _ in range(2):
                assert delayed.join() is delayed.channel
            assert delayed.users == 2
            delayed.leave()
            assert delayed.following
            delayed.leave()
            assert (delayed.users, delayed.following) == (0, following)
            delayed.stop()


async def test_it_stops_by_itself_when_nobody_has_read_it_for_a_while():
    async with open_timed_server() as timed:
        delayed, table = await followed(timed, linger=0.0)
        await delayed.advance(await timed.server.matches.current(table.id))
        for channel in timed.server.matches.hub.channels:
            channel.wake()
        await until(lambda: not delayed.following)
        await until(lambda: not timed.server.matches.hub.channels)


async def test_watchers_learn_that_a_match_no_longer_exists():
    async with open_timed_server() as timed:
        delayed, table = await followed(timed)
        match = await timed.server.matches.current(table.id)
        await delayed.advance(match)
        channel = delayed.join()
        wakeups = channel.wakeups
        assert delayed.is_of(match)
        delayed.end()
        assert (channel.deleted, channel.wakeups) == (True, wakeups + 1)
        assert not delayed.following
        assert not delayed.is_of(match)
        for call in (delayed.look(), delayed.advance(match)):
            with pytest.raises(MatchNotFound) as raised:
                await call
            assert raised.value.metadata == {"match_id": table.id}


async def test_another_match_with_its_id_ends_it():
    async with open_timed_server() as timed:
        delayed, table = await followed(timed)
        other = await timed.server.matches.current((await timed.table()).id)
        await delayed.advance(await timed.server.matches.current(table.id))
        assert not delayed.is_of(other)
        with pytest.raises(MatchNotFound):
            await delayed.advance(other)
        assert delayed.channel.deleted


async def test_a_match_that_was_read_earlier_does_not_set_it_back():
    async with open_timed_server() as timed:
        delayed, table = await followed(timed)
        early = await timed.server.matches.current(table.id)
        await step(table)
        late = await timed.server.matches.current(table.id)
        timed.passes(LATE)
        seen = [(await delayed.advance(match)).revision for match in (early, late, early)]
        assert seen[1:] == [5, 5]
        assert delayed.channel.rewinds == 0
        delayed.stop()


@pytest.mark.parametrize("lost", [False, True])
async def test_when_it_begins_to_follow_it_looks_whether_the_store_has_lost_writes(lost: bool):
    async with open_timed_server() as timed:
        delayed, table = await followed(timed)
        await delayed.advance(await timed.server.matches.current(table.id))
        timed.passes(LATE)
        assert (await delayed.look()).revision == 4
        delayed.stop()
        if lost:
            await set_back(table, 2)
        timed.server.matches.forget(table.id)
        await step(table, 1)
        timed.passes(LATE)
        seen = await delayed.advance(await timed.server.matches.fresh(table.id))
        assert seen.revision == (3 if lost else 5)
        assert delayed.channel.rewinds == (1 if lost else 0)
        assert delayed.moves == (4 + 3 if lost else 5)
        delayed.stop()


async def test_a_change_that_the_store_has_lost_is_looked_for_too():
    """Nothing but seats has changed: the revision is 0 before and after."""
    async with open_timed_server() as timed:
        table = await timed.create()
        matches = timed.server.matches
        await join(table, 0)
        early = timed.memory.matches[table.id]
        await join(table, 1)
        delayed = DelayedMatch(matches, await matches.current(table.id))
        timed.passes(LATE)
        seen = await delayed.advance(await matches.current(table.id))
        assert [seat.name for seat in seen.seats] == ["Ann 0", "Ann 1"]
        delayed.stop()
        timed.memory.matches[table.id] = early
        matches.forget(table.id)
        request = pb.JoinMatchRequest(match_id=table.id, seats=[1], name="Bob")
        await timed.server.match.JoinMatch(request)
        timed.passes(LATE)
        seen = await delayed.advance(await matches.fresh(table.id))
        assert [seat.name for seat in seen.seats] == ["Ann 0", "Bob"]
        assert delayed.channel.rewinds == 1
        delayed.stop()
