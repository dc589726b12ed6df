"""Archived matches leave a store that uses too much memory, the oldest first, and no other does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from structlog.testing import capture_logs

from taflhall_service.app.jobs.pruning import Pruner
from taflhall_service.app.ports.match_store import DueQueue, Version
from taflhall_service.store.memory import Memory, MemoryStore
from tests.operate.matches import give_up, play, server_over
from tests.operate.test_archive import KEEP, archiver
from tests.service.clocked import START
from tests.service.local_server import LocalServer
from tests.service.timed_server import TimedServer, memory_at


class Sized(MemoryStore):
    """A store in which every match takes a megabyte."""

    async def memory_used(self) -> int:
        return len(self.memory.matches) * 1_000_000


async def archived(server: LocalServer, folder: Path, number: int) -> list[str]:
    """Play matches and archive them, each a second later; return their ids, the oldest first."""
    memory = server.store.memory
    ids = []
    for _ in range(number):
        ids.append(await play(server, 1))
        now = memory.clock() + 1000
        memory.clock = lambda now=now: now
        await archiver(server.store, folder)[0].keep(ids[-1])
    return ids


async def test_the_oldest_are_deleted_until_the_store_is_below_the_limit(tmp_path):
    store = Sized(Memory(lambda: START))
    async with server_over(store) as server:
        ids = await archived(server, tmp_path, 7)
        pruner = Pruner(store, KEEP, 3_000_000, page=2)
        with capture_logs() as logged:
            await pruner.scan()
            await pruner.scan()
        assert list(store.memory.matches) == ids[4:]
        assert logged == [{"event": "pruned", "log_level": "info", "matches": 4}]
        assert len(store.memory.queues[DueQueue.EXPIRY]) == len(store.memory.indexes[""]) == 3


async def test_what_is_played_or_not_in_the_archive_stays(tmp_path):
    store = Sized(Memory(lambda: START))
    async with server_over(store) as server:
        going, over = await play(server, 1, finish=False), await play(server, 1)
        (kept,) = await archived(server, tmp_path, 1)
        assert kept in store.memory.matches
        await Pruner(store, KEEP, 0).scan()
        assert set(store.memory.matches) == {going, over}


async def test_a_match_that_is_gone_leaves_the_lists_and_one_not_archived_after_all_stays(tmp_path):
    store = Sized(Memory(lambda: START))
    async with server_over(store) as server:
        gone, lost, _ = await archived(server, tmp_path, 3)
        store.memory.drop(gone)
        store.memory.matches[lost] = store.memory.matches[lost]._replace(archived=b"")
        await Pruner(store, KEEP, 0).scan()
        assert set(store.memory.matches) == {lost}
        left = store.memory.queues[DueQueue.EXPIRY]
        assert {index_key[-26:] for index_key in left} == {lost}
        assert [index_key[-26:] for index_key in store.memory.indexes[""]] == [lost]


class Expiring(Sized):
    """If *losing* is set, its first match is lost as soon as the versions have been read."""

    losing = False

    async def versions(self, match_ids: Sequence[str]) -> list[Version | None]:
        found = await super().versions(match_ids)
        if self.losing:
            self.memory.drop(next(iter(self.memory.matches)))
        return found


async def test_a_match_that_goes_while_it_is_looked_at_leaves_the_lists(tmp_path):
    store = Expiring(Memory(lambda: START))
    async with server_over(store) as server:
        await archived(server, tmp_path, 2)
        store.losing = True
        await Pruner(store, KEEP, 1_000_000).scan()
        assert not store.memory.matches
        assert not store.memory.queues[DueQueue.EXPIRY]
        assert not store.memory.indexes[""]


async def test_matches_that_cannot_be_deleted_do_not_protect_those_after_them(tmp_path):
    store = Sized(Memory(lambda: START))
    async with server_over(store) as server:
        ids = await archived(server, tmp_path, 9)
        store.memory.drop(ids[0])
        store.memory.drop(ids[1])
        lost = ids[2:5]
        for match_id in lost:
            found = store.memory.matches[match_id]
            store.memory.matches[match_id] = found._replace(archived=b"")
        with capture_logs() as logged:
            await Pruner(store, KEEP, 4_000_000, page=2).scan()
        assert set(store.memory.matches) == {*lost, ids[-1]}  # not one more than necessary
        assert [line["matches"] for line in logged] == [3]


async def test_a_match_that_delayed_spectators_still_watch_stays(tmp_path):
    store = Sized(memory_at())
    async with server_over(store) as server:
        timed = TimedServer(store.memory, server)
        table = await timed.table(delay=60)
        await give_up(table)
        await archiver(store, tmp_path)[0].keep(table.id)
        pruner = Pruner(store, KEEP, 0)
        timed.passes(119.999)
        await pruner.scan()
        assert table.id in store.memory.matches
        timed.passes(0.001)
        await pruner.scan()
        assert table.id not in store.memory.matches
