"""No job misses a match, wherever a server dies; and no job reads more than what is due."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import pytest

from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.jobs.archiver import Archiver
from taflhall_service.app.jobs.idle_matches import IdleMatchCloser
from taflhall_service.app.jobs.queue_repair import CHECK_SECONDS, LEASE_MS, PERIOD_MS, QueueRepair
from taflhall_service.app.matches.indexes import COMMIT_MS
from taflhall_service.app.model.match import ABANDONED, OVER
from taflhall_service.app.ports.match_store import Commit, CommitResult, DueQueue
from taflhall_service.store.archive.folder import FolderArchive
from taflhall_service.store.memory import Memory, MemoryStore
from tests.operate.matches import give_up, server_over
from tests.service.clocked import clock_settings, clocked
from tests.service.local_server import bearer
from tests.service.test_indexes import Counting
from tests.service.test_matches import setup

HOUR_MS = 3_600_000
START = 1_000_000_000_000


class Died(Exception):
    """The server ends here."""


class Mortal(MemoryStore):
    """A store whose server dies before or after a commit."""

    dies = ""

    async def commit(self, commit: Commit) -> CommitResult:
        if self.dies == "before":
            raise Died
        done = await super().commit(commit)
        if self.dies == "after":
            raise Died
        return done


def archiver(store: MemoryStore, folder: Path) -> Archiver:
    return Archiver(store, FolderArchive(folder), 60.0, lambda _: None, share=1.0)


@pytest.mark.parametrize("dies", ["before", "after"])
async def test_a_match_is_archived_although_its_server_dies_as_it_ends(dies, tmp_path):
    now = [START]
    store = Mortal(Memory(lambda: now[0]))
    async with server_over(store) as server:
        table = await server.table()
        store.dies = dies
        with pytest.raises(grpc.aio.AioRpcError):
            await give_up(table)
        store.dies = ""
        await archiver(store, tmp_path).scan()
        assert not store.memory.matches[table.id].archived
        now[0] += COMMIT_MS
        await archiver(store, tmp_path).scan()
        match = store.memory.matches[table.id]
        assert bool(match.archived) == (match.status.decode() in OVER) == (dies == "after")
        waiting = set(store.memory.queues[DueQueue.IDLE])
        assert waiting == {table.id}
        assert not store.memory.queues[DueQueue.ARCHIVE]
        now[0] += 24 * HOUR_MS
        await IdleMatchCloser(server.matches, 1.0).scan()
        assert store.memory.matches[table.id].status.decode() in OVER
        await archiver(store, tmp_path).scan()
        assert store.memory.matches[table.id].archived
        assert not store.memory.queues[DueQueue.IDLE]


async def test_a_match_is_abandoned_although_its_server_dies_as_it_is_created():
    now = [START]
    store = Mortal(Memory(lambda: now[0]))
    async with server_over(store) as server:
        store.dies = "after"
        with pytest.raises(grpc.aio.AioRpcError):
            await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup()))
        store.dies = ""
        (match_id,) = store.memory.matches
        now[0] += 2 * HOUR_MS
        assert await IdleMatchCloser(server.matches, 1.0).scan() == 1
        assert store.memory.matches[match_id].status.decode() == ABANDONED


async def test_a_match_that_was_never_created_is_forgotten():
    now = [START]
    store = Mortal(Memory(lambda: now[0]))
    async with server_over(store) as server:
        store.dies = "before"
        with pytest.raises(grpc.aio.AioRpcError):
            await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup()))
        assert store.memory.queues[DueQueue.IDLE]
        now[0] += 2 * HOUR_MS
        assert await IdleMatchCloser(server.matches, 1.0).scan() == 0
        assert not store.memory.queues[DueQueue.IDLE]


async def test_an_end_that_the_store_loses_again_leaves_the_match_to_the_next_end(tmp_path):
    store = MemoryStore()
    async with server_over(store) as server:
        table = await server.table()
        before = store.memory.matches[table.id]
        await give_up(table)
        store.memory.matches[table.id] = before
        await archiver(store, tmp_path).scan()
        assert set(store.memory.queues[DueQueue.IDLE]) == {table.id}
        assert not store.memory.queues[DueQueue.ARCHIVE]


async def test_a_scan_for_idle_matches_looks_at_each_once_in_that_time():
    now = [START]
    store = Counting(Memory(lambda: now[0]))
    async with server_over(store) as server:
        tables = [await server.table() for _ in range(10)]
        closer = IdleMatchCloser(server.matches, 10.0)
        now[0] += 9 * HOUR_MS
        for table in tables:
            await table.step()
        store.read = 0
        for _ in range(9):
            now[0] += HOUR_MS
            assert await closer.scan() == 0
        assert store.read == len(tables)
        now[0] += 2 * HOUR_MS
        assert await closer.scan() == len(tables)


async def test_time_runs_out_although_the_server_died_as_the_clocks_began_to_run():
    async with clocked(stores=[lambda store: Mortal(store.memory)]) as made:
        server = made.servers[0]
        request = pb.CreateMatchRequest(setup=setup(), time_control=clock_settings(policy=3))
        opened = await server.match.CreateMatch(request)
        join = pb.JoinMatchRequest(match_id=opened.match.id, name="Ann")
        for number in range(len(opened.match.seats)):
            join.name = f"Ann {number}"
            await server.match.JoinMatch(join)
        server.store.dies = "after"
        start = pb.StartMatchRequest(match_id=opened.match.id)
        with pytest.raises(grpc.aio.AioRpcError):
            await server.match.StartMatch(start, metadata=bearer(opened.creator_secret))
        server.store.dies = ""
        assert made.memory.queues[DueQueue.DEADLINES] == {opened.match.id: made.ms + 60_000}
        await made.passes(61)
        assert [policy for policy, _ in made.ups] == [3]


async def test_all_matches_are_scanned_for_deadlines_after_a_failover_only():
    async with clocked() as made:
        table = await made.table(base=60)
        timers, deadlines = made.timers[0], made.memory.queues[DueQueue.DEADLINES]
        await timers.scan_if_due()
        deadlines.clear()
        await timers.scan_if_due()
        assert not deadlines
        made.servers[0].store.failovers += 1
        await timers.scan_if_due()
        assert list(deadlines) == [table.id]


async def test_one_server_repairs_the_queues_once_a_week():
    now = [START]
    memory = Memory(lambda: now[0])
    async with server_over(MemoryStore(memory)) as server:
        table = await server.table()
        jobs = [QueueRepair(MemoryStore(memory)) for _ in range(3)]
        for week in range(2):
            memory.queues[DueQueue.IDLE].clear()
            assert [await job.repair_if_due() for job in jobs] == [True, False, False]
            assert set(memory.queues[DueQueue.IDLE]) == {table.id}, week
            now[0] += PERIOD_MS


async def test_a_server_that_dies_while_it_repairs_is_followed_by_another():
    now = [START]
    memory = Memory(lambda: now[0])

    class Fails(MemoryStore):
        async def index_page(self, *_: Any, **__: Any) -> Any:
            raise Died

    with pytest.raises(Died):
        await QueueRepair(Fails(memory)).repair_if_due()
    other = QueueRepair(MemoryStore(memory))
    now[0] += LEASE_MS - int(CHECK_SECONDS)
    assert not await other.repair_if_due()
    now[0] += int(CHECK_SECONDS)
    assert await other.repair_if_due()
