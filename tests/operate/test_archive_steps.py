"""Which matches wait for the archive, how long they are kept, and what is left behind."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any

import pytest
from structlog.testing import capture_logs

from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.jobs.archiver import LOOK_AGAIN_MS, RETRY_MS, ArchiveResult, name_of
from taflhall_service.app.matches.indexes import CODES, COMMIT_MS
from taflhall_service.app.ports.match_store import DueQueue
from taflhall_service.store.archive.folder import FolderArchive
from taflhall_service.store.memory import Memory, MemoryStore
from tests.operate.matches import give_up, play, server_over
from tests.operate.test_archive import KEEP, Full, Remembers, archiver, files
from tests.service.clocked import START
from tests.service.local_server import bearer
from tests.service.timed_server import DELAYED, PUBLIC, TimedServer, join, memory_at
from tests.waiting import until


class Unreachable(FolderArchive):
    """An archive that does not answer."""

    async def get(self, name: str) -> bytes | None:
        raise OSError("no route")


async def test_an_archive_that_does_not_answer_is_in_the_log_at_once(tmp_path):
    job, results = archiver(MemoryStore(), Unreachable(tmp_path))
    with capture_logs() as logged:
        await job.reach()
        await archiver(MemoryStore(), tmp_path)[0].reach()
    failure = {"event": "archive_fails", "why": "OSError", "error": "no route"}
    assert [failure.items() <= line.items() for line in logged] == [True]
    with capture_logs() as logged:
        task = asyncio.create_task(job.run())
        await until(lambda: logged)
        task.cancel()
    assert not results


async def test_a_match_that_waits_is_counted_once_however_many_there_are(tmp_path):
    now = [START]
    store = MemoryStore(Memory(lambda: now[0]))
    async with server_over(store) as server:
        for _ in range(3):
            await play(server, 1)
        job, results = archiver(store, Full(tmp_path))
        for attempts in (3, 6):
            now[0] += COMMIT_MS
            await job.scan()
            assert results == {ArchiveResult.FAILED: attempts}
            assert job.backlog == 3


def test_records_are_spread_over_folders_by_the_first_two_letters_of_their_ids():
    assert name_of("abcdef") == "ab/abcdef.json"


async def test_what_is_not_to_be_archived_is_left_alone_for_a_while_or_for_good(tmp_path):
    store = Remembers(Memory(lambda: START))
    async with server_over(store) as server:
        over, going = await play(server, 1), await play(server, 1, finish=False)
        job, _ = archiver(store, tmp_path, look_again=7.0)
        found, waiting = store.memory.matches[over], store.memory.queues[DueQueue.ARCHIVE]

        async def kept(match_id: str, **changes: Any) -> tuple[ArchiveResult, int | None]:
            store.memory.matches[over] = found._replace(**changes)
            waiting[match_id] = START
            return await job.keep(match_id), waiting.get(match_id)

        moved = ArchiveResult.MOVED
        assert await kept("unknown") == (moved, None)
        assert await kept(going) == (moved, None)
        assert await kept(over, archived=b"a digest") == (moved, None)
        admin = await kept(over, frozen=b"admin: a complaint")
        assert admin == (moved, START + LOOK_AGAIN_MS)
        damaged = await kept(over, frozen=b"its table is damaged")
        assert damaged == (ArchiveResult.DAMAGED, START + 7000)
        newer = await kept(over, schema=found.schema + 1)
        assert newer == (ArchiveResult.OTHER_RULES, START + RETRY_MS)
        assert not store.kept
        assert not files(tmp_path)
        assert going in store.memory.queues[DueQueue.IDLE]


async def test_an_archived_match_is_in_the_lists_until_the_store_has_deleted_it(tmp_path):
    now = [START]
    store = MemoryStore(Memory(lambda: now[0]))
    async with server_over(store) as server:
        over = await play(server, 1)
        indexes, queues = store.memory.indexes, store.memory.queues
        assert set(queues[DueQueue.ARCHIVE]) == {over}
        assert len(indexes[CODES]) == 1
        job, _ = archiver(store, tmp_path, keep=60.0)
        now[0] += COMMIT_MS
        await job.scan()
        assert queues[DueQueue.ARCHIVE] == {}
        (mark,) = indexes[""]
        assert queues[DueQueue.EXPIRY] == {mark: now[0] + 60_000}
        assert indexes[CODES] == []
        now[0] += 60_000
        await job.scan()
        assert indexes[""] == [mark]  # it is still there
        assert queues[DueQueue.EXPIRY] == {mark: now[0] + RETRY_MS}
        store.memory.drop(over)
        now[0] += RETRY_MS - 1
        await job.scan()
        assert indexes[""] == [mark]
        now[0] += 1
        await job.scan()
        assert indexes[""] == []
        assert queues[DueQueue.EXPIRY] == {}


async def test_what_another_history_left_keeps_its_name_and_a_digest(tmp_path):
    store = MemoryStore(Memory())
    async with server_over(store) as server:
        match_id, old = await play(server, 1), b"of another history"
        path = tmp_path / name_of(match_id)
        path.parent.mkdir()
        path.write_bytes(old)
        await archiver(store, tmp_path)[0].keep(match_id)
        aside = path.with_name(f"{path.name}.{hashlib.sha256(old).hexdigest()[:16]}")
        assert files(tmp_path) == sorted([path, aside])
        assert aside.read_bytes() == old


class Counted(FolderArchive):
    """Counts what it is given."""

    puts = 0

    async def put(self, name: str, data: bytes) -> None:
        self.puts += 1
        await super().put(name, data)


async def test_a_record_that_is_there_already_is_not_written_again(tmp_path):
    store = MemoryStore(Memory())
    async with server_over(store) as server:
        match_id = await play(server, 1)
        archive = Counted(tmp_path)
        for _ in range(2):
            assert await archiver(store, archive)[0].keep(match_id) is ArchiveResult.KEPT
            found = store.memory.matches[match_id]
            store.memory.matches[match_id] = found._replace(archived=b"")
        assert archive.puts == 1


async def test_a_match_that_is_seen_late_is_kept_until_everybody_has_seen_its_end(tmp_path):
    store = Remembers(memory_at())
    async with server_over(store) as server:
        table = await TimedServer(store.memory, server).table(delay=60)
        await give_up(table)
        job, _ = archiver(store, tmp_path, keep=KEEP)
        assert await job.keep(table.id) is ArchiveResult.KEPT
        assert store.kept == {table.id: KEEP + 120.0}


@pytest.mark.parametrize("delay", [0, 60])
async def test_a_match_that_never_began_is_forgotten_when_everybody_has_seen_its_end(
    tmp_path, delay
):
    store = Remembers(memory_at())
    async with server_over(store) as server:
        timed = TimedServer(store.memory, server)
        table = await timed.create(DELAYED if delay else PUBLIC, delay)
        await join(table, 0)
        timed.passes(1)
        request = pb.AbandonMatchRequest(match_id=table.id, request_id="no")
        await server.match.AbandonMatch(request, metadata=bearer(table.creator))
        await server.matches.idle(10)
        store.kept.clear()
        job, _ = archiver(store, tmp_path, keep=KEEP)
        if delay:
            timed.passes(2 * delay - 0.001)
            assert await job.keep(table.id) is ArchiveResult.MOVED
            assert store.memory.queues[DueQueue.ARCHIVE] == {table.id: START + 1000 + 2000 * delay}
            assert not store.kept
            assert len(store.memory.indexes[""]) == 1
            timed.passes(0.001)
        assert await job.keep(table.id) is ArchiveResult.MOVED
        assert store.kept == {table.id: KEEP}
        assert store.memory.indexes[""] == []
        assert not files(tmp_path)
