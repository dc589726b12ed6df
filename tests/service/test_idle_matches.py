"""The server abandons matches that have not changed for a long time."""

from __future__ import annotations

import pytest

from taflhall.v1 import match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.jobs.idle_matches import IdleMatchCloser
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.clocked import clocked
from tests.service.local_server import (
    Table,
    bearer,
    open_server,
)
from tests.service.proposing import (
    ABANDONED,
    champions,
    quiet,
    sound,
)


async def test_the_server_abandons_idle_matches():
    now = [1_000_000_000_000]
    async with open_server(MemoryStore(Memory(lambda: now[0]))) as server:
        idle = IdleMatchCloser(server.matches, 10)
        quiet_one = await champions(server)
        setup = table_pb2.Setup()
        setup.game, setup.seats = "champions", 2
        waiting = (await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup))).match.id
        busy = await champions(server)
        now[0] += 6 * 3_600_000
        await quiet(busy)
        assert await idle.scan() == 0
        now[0] += 5 * 3_600_000
        assert await idle.scan() == 2
        match = (await quiet_one.get(None)).match
        assert match.status == ABANDONED
        response = (
            await server.match.GetMatchRecord(pb.GetMatchRecordRequest(match_id=quiet_one.id))
        ).record
        assert not response.commands[-1].HasField("seat")
        got = (await server.match.GetMatch(pb.GetMatchRequest(match_id=waiting))).match
        assert got.status == ABANDONED
        assert (await busy.get(None)).match.status == match_pb2.MATCH_STATUS_PLAYING
        assert await idle.scan() == 0
        assert await sound(quiet_one) == match.revision


HOUR_MS = 3_600_000


async def test_a_match_counts_as_idle_from_its_last_change_of_any_kind():
    now = [1_000_000_000_000]
    async with open_server(MemoryStore(Memory(lambda: now[0]))) as server:
        idle = IdleMatchCloser(server.matches, 10)
        setup = table_pb2.Setup()
        setup.game, setup.seats = "champions", 2
        made = await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup))
        table = Table(server, made.match.id, [], made.creator_secret)

        async def later_and_kept() -> None:
            now[0] += 9 * HOUR_MS
            assert await idle.scan() == 0

        for name in ("Ann", "Bob"):
            await later_and_kept()
            join = pb.JoinMatchRequest(match_id=table.id, name=name)
            table.secrets.append((await server.match.JoinMatch(join)).seat_secret)
        await later_and_kept()
        await server.match.StartMatch(
            pb.StartMatchRequest(match_id=table.id), metadata=bearer(table.creator)
        )
        await later_and_kept()
        deputy = pb.DelegateSeatRequest(match_id=table.id, name="Deputy")
        await server.match.DelegateSeat(deputy, metadata=bearer(table.secrets[0]))
        await later_and_kept()
        request = pb.ProposeToPlayersRequest(match_id=table.id, request_id="let us stop")
        request.abandon.SetInParent()
        await server.match.ProposeToPlayers(request, metadata=bearer(table.secrets[0]))
        await later_and_kept()
        now[0] += 2 * HOUR_MS
        assert await idle.scan() == 1


async def test_a_match_whose_clock_runs_is_left_to_it():
    async with clocked() as made:
        table = await made.table(base=20 * 3600)
        idle = IdleMatchCloser(made.servers[0].matches, 10)
        made.ms += 15 * HOUR_MS
        assert await idle.scan() == 0
        assert (await table.get(None)).match.status == match_pb2.MATCH_STATUS_PLAYING


async def test_a_clock_that_ran_out_is_for_the_timers():
    async with clocked() as made:
        table = await made.table(policy=3, base=20 * 3600)
        idle = IdleMatchCloser(made.servers[0].matches, 10)
        await made.away(12 * 3600)  # nobody was there: that is charged to nobody
        await made.servers[0].matches.store_clock.send_heartbeat()
        made.ms += 9 * HOUR_MS
        made.memory.sign = made.ms
        await made.servers[0].matches.store_clock.send_heartbeat()
        assert await idle.scan() == 0
        made.ms += 11 * HOUR_MS + 5000
        made.memory.sign = made.ms
        assert await idle.scan() == 0
        await made.passes(4)
        assert [policy for policy, _ in made.ups] == [3]
        assert (await table.get(None)).match.status == match_pb2.MATCH_STATUS_FINISHED


async def test_a_match_without_a_stored_change_time_counts_from_its_last_command():
    now = [1_000_000_000_000]
    memory = Memory(lambda: now[0])
    async with open_server(MemoryStore(memory)) as server:
        idle = IdleMatchCloser(server.matches, 10)
        table = await champions(server)
        now[0] += 9 * HOUR_MS
        await quiet(table)
        long_ago = str(now[0] - 90 * HOUR_MS).encode()  # an older build noted nothing since
        for hours, changed, abandonment in ((5, b"", 0), (1, long_ago, 0), (5, b"soon", 1)):
            now[0] += hours * HOUR_MS
            memory.matches[table.id] = memory.matches[table.id]._replace(changed=changed)
            assert await idle.scan() == abandonment


async def test_a_match_is_idle_after_exactly_its_hours():
    now = [1_000_000_000_000]
    async with open_server(MemoryStore(Memory(lambda: now[0]))) as server:
        idle = IdleMatchCloser(server.matches, 10)
        table = await champions(server)
        now[0] += HOUR_MS
        await quiet(table)
        now[0] += 10 * HOUR_MS - 1
        assert await idle.scan() == 0
        now[0] += 1
        assert await idle.scan() == 1


async def test_the_first_hours_of_a_store_close_nothing():
    now = [5 * HOUR_MS]
    async with open_server(MemoryStore(Memory(lambda: now[0]))) as server:
        await champions(server)
        now[0] += HOUR_MS
        assert await IdleMatchCloser(server.matches, 10).scan() == 0
        now[0] += 10 * HOUR_MS
        assert await IdleMatchCloser(server.matches, 10).scan() == 1


@pytest.mark.parametrize("trouble", ["frozen", "newer", "damaged", "gone"])
async def test_a_match_that_cannot_be_closed_does_not_keep_the_others_open(trouble):
    now = [1_000_000_000_000]
    store = MemoryStore(Memory(lambda: now[0]))
    async with open_server(store) as server:
        await champions(server)
        bad = await champions(server)
        await champions(server)
        now[0] += 11 * HOUR_MS
        found = store.memory.matches[bad.id]
        changed = {
            "frozen": found._replace(frozen=b"a reason"),
            "newer": found._replace(schema=found.schema + 1),
            "damaged": found._replace(snapshot=found.snapshot[:-1]),
            "gone": found,
        }[trouble]
        store.memory.matches[bad.id] = changed
        server.matches.forget(bad.id)
        if trouble == "gone":
            store.memory.drop(bad.id)
        assert await IdleMatchCloser(server.matches, 10).scan() == 2
        assert store.memory.matches.get(bad.id) == (None if trouble == "gone" else changed)
