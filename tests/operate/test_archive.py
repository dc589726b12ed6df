"""Finished matches go to the archive, and nothing is forgotten that is not there."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from taflhall.v1 import match_service_pb2 as pb
from taflhall_client.cli.records import to_text
from taflhall_engine import registry
from taflhall_engine.kernel.replay import replay
from taflhall_service.app.errors import MatchNotFound, StoreUnavailable
from taflhall_service.app.jobs.archiver import Archiver, ArchiveResult, name_of
from taflhall_service.app.jobs.queue_repair import QueueRepair
from taflhall_service.app.matches.indexes import CREATION_MS
from taflhall_service.app.model.limits import Rates
from taflhall_service.app.model.match import read_origin
from taflhall_service.app.ports.match_store import DueQueue
from taflhall_service.app.ports.record_archive import RecordArchive
from taflhall_service.store.archive.folder import FolderArchive
from taflhall_service.store.memory import Memory, MemoryStore
from tests.operate import killed
from tests.operate.matches import play, server_over
from tests.service.local_server import limits
from tests.store.servers import SAFE, Valkey
from tests.waiting import until

KEEP = 60.0
NO_RATES = Rates(0.0, 0.0, 0.0, 0.0)
"""So that no caller is remembered."""


def archiver(
    store: Any, archive: Path | RecordArchive, keep: float = KEEP, look_again: float = 3600.0
) -> tuple[Archiver, Counter[ArchiveResult]]:
    if isinstance(archive, Path):
        archive = FolderArchive(archive)
    results: Counter[ArchiveResult] = Counter()

    def report(kept: ArchiveResult) -> None:
        results[kept] += 1

    made = Archiver(store, archive, keep, report, share=1.0, look_again=look_again)
    return made, results


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


async def test_a_finished_match_is_written_as_the_client_exports_it(tmp_path, server):
    table = await server.table()
    for _ in range(3):
        await table.step()
    from taflhall_client.async_client import Client

    async with Client(f"127.0.0.1:{server.port}") as client:
        match = client.match(table.id, table.secrets[0])
        await match.resign()
        record = to_text(await match.record())
    request = pb.GetMatchRecordRequest(match_id=table.id, with_file=True)
    assert (await server.match.GetMatchRecord(request)).file == record
    job, _ = archiver(server.store, tmp_path)
    await job.scan()
    assert (tmp_path / name_of(table.id)).read_text("utf-8") == record


class Remembers(MemoryStore):
    """Notes how long it was asked to keep each match."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self.kept: dict[str, float | None] = {}

    async def set_field(self, match_id: str, *what: Any) -> bool:
        self.kept[match_id] = what[3]
        return await super().set_field(match_id, *what)


async def test_only_what_is_over_is_archived_and_marked_and_then_forgotten(tmp_path):
    store = Remembers(Memory())
    async with server_over(store) as server:
        over, going = await play(server), await play(server, finish=False)
        job, results = archiver(store, tmp_path, keep=KEEP)
        await job.scan()
        assert results == {ArchiveResult.KEPT: 1}
        (path,) = files(tmp_path)
        assert path == tmp_path / name_of(over)
        replay(registry.game("yggdrasil"), json.loads(path.read_bytes()))
        found = await store.load(over)
        assert found is not None
        assert found.archived.decode() == hashlib.sha256(path.read_bytes()).hexdigest()
        assert store.kept == {over: KEEP}
        store.memory.drop(over)  # as if that time were over
        assert await store.load(over) is None
        with pytest.raises(MatchNotFound):
            await server.matches.current(over)
        assert (await server.matches.current(going)).id == going
        later = store.memory.clock() + CREATION_MS
        store.memory.clock = lambda: later
        await QueueRepair(store).repair()
        assert [index_key[-26:] for index_key in await store.index_page("", 10)] == [going]


async def test_doing_it_again_or_at_the_same_time_changes_nothing(tmp_path):
    memory = Memory()
    async with server_over(MemoryStore(memory)) as server:
        ids = [await play(server, n) for n in range(5)]
        pairs = [archiver(MemoryStore(memory), tmp_path) for _ in range(3)]
        await asyncio.gather(*[job.scan() for job, _ in pairs])
        written = {path: path.read_bytes() for path in files(tmp_path)}
        assert len(written) == len(ids)
        job, results = pairs[0]
        results.clear()
        await job.scan()
        assert not results
        assert job.backlog == 0
        assert {path: path.read_bytes() for path in files(tmp_path)} == written


async def test_a_match_whose_log_is_not_true_stays(tmp_path):
    store = MemoryStore(Memory())
    async with server_over(store) as server:
        match_id = await play(server)
        entries = store.memory.entries[match_id]
        entries[1], entries[2] = entries[2], entries[1]
        job, results = archiver(store, tmp_path, keep=0.0)
        await job.scan()
        assert results == {ArchiveResult.DAMAGED: 1}
        assert job.backlog == 1
        found = await store.load(match_id)
        assert found is not None
        assert not found.archived
        assert not files(tmp_path)
        await job.scan()
        assert results == {ArchiveResult.DAMAGED: 1}  # it is left alone for a while
        entries[1], entries[2] = entries[2], entries[1]
        store.memory.queues[DueQueue.ARCHIVE][match_id] = 0  # as if that while were over
        await job.scan()
        assert results == {ArchiveResult.DAMAGED: 1, ArchiveResult.KEPT: 1}
        assert job.backlog == 0


async def test_a_damaged_match_is_tried_again_after_a_while(tmp_path):
    now = [1_000_000_000_000]
    store = MemoryStore(Memory(lambda: now[0]))
    async with server_over(store) as server:
        entries = store.memory.entries[await play(server)]
        entries[1], entries[2] = entries[2], entries[1]
        job, results = archiver(store, tmp_path, look_again=0.0)
        await job.scan()
        entries[1], entries[2] = entries[2], entries[1]
        now[0] += 1
        await job.scan()
        assert results == {ArchiveResult.DAMAGED: 1, ArchiveResult.KEPT: 1}


class Forgetful(FolderArchive):
    """An archive that gives back less than it was given."""

    async def get(self, name: str) -> bytes | None:
        data = await super().get(name)
        return None if data is None else data[:-1]


class Full(FolderArchive):
    """An archive without room."""

    async def put(self, name: str, data: bytes) -> None:
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("kind", [Forgetful, Full])
async def test_what_the_archive_does_not_keep_is_not_forgotten(tmp_path, kind):
    store = MemoryStore(Memory())
    async with server_over(store) as server:
        match_id = await play(server)
        job, results = archiver(store, kind(tmp_path), keep=0.0)
        await job.scan()
        assert results == {ArchiveResult.FAILED: 1}
        found = await store.load(match_id)
        assert found is not None
        assert not found.archived


async def test_what_another_history_left_in_the_archive_is_set_aside(tmp_path):
    store = MemoryStore(Memory())
    async with server_over(store) as server:
        match_id = await play(server)
        path = tmp_path / name_of(match_id)
        path.parent.mkdir()
        path.write_bytes(b"of a history that a failover undid")
        job, results = archiver(store, tmp_path)
        await job.scan()
        assert results == {ArchiveResult.KEPT: 1}
        aside = [found for found in files(tmp_path) if found != path]
        assert [found.read_bytes() for found in aside] == [b"of a history that a failover undid"]
        replay(registry.game("yggdrasil"), json.loads(path.read_bytes()))


async def test_a_match_that_rewinds_meanwhile_is_not_marked_as_archived(tmp_path):
    memory = Memory()
    store = MemoryStore(memory)
    async with server_over(store) as server:
        match_id = await play(server)

        class Interrupted(FolderArchive):
            """An archive; while it takes a record, the store loses acknowledged writes."""

            async def put(self, name: str, data: bytes) -> None:
                await super().put(name, data)
                now = memory.matches[match_id]
                other = now.version._replace(head=b"other")
                memory.matches[match_id] = now._replace(version=other)

        job, results = archiver(store, Interrupted(tmp_path), keep=0.0)
        await job.scan()
        assert results == {ArchiveResult.MOVED: 1}
        assert not memory.matches[match_id].archived


async def test_a_store_that_does_not_answer_ends_the_sweep_but_not_the_archiver(tmp_path):
    store = MemoryStore(Memory())
    async with server_over(store) as server:
        match_id = await play(server)
        job, results = archiver(store, tmp_path)
        load, failures = store.load, iter([True, True, False])

        async def shaky(match_id: str) -> Any:
            if next(failures, False):
                raise StoreUnavailable
            return await load(match_id)

        store.load = shaky  # type: ignore[method-assign]
        task = asyncio.create_task(job.run(0.01))
        await until(lambda: results)
        task.cancel()
        found = await load(match_id)
        assert found is not None
        assert found.archived


async def test_memory_stays_flat_over_many_finished_matches(tmp_path):
    memory = Memory()
    store = MemoryStore(memory)
    async with server_over(store, tables=4, limits=limits(rates=NO_RATES)) as server:
        job, results = archiver(store, tmp_path, keep=0.0)

        async def round_of(count: int) -> int:
            for _ in range(count):
                await play(server, 1)
            await job.scan()
            await until(lambda: not memory.matches)
            await job.scan()
            read_origin.cache_clear()  # it has a bound of its own
            memory.announced.clear()  # and so have the announcements
            gc.collect()
            return len(gc.get_objects())

        await round_of(10)
        before = await round_of(10)
        after = await round_of(40)
        assert results[ArchiveResult.KEPT] == 60
        assert not memory.matches
        assert not memory.entries
        assert not memory.records
        assert not any(memory.indexes.values())
        assert not any(memory.queues.values())
        assert after - before < 40 * 4


def test_killed_at_any_step_it_has_forgotten_nothing_that_is_not_archived(tmp_path):
    """The archiver dies at each of its steps; then another one does the rest."""
    valkey = Valkey(tmp_path / "store", *SAFE)
    try:
        folder = tmp_path / "archive"
        done = subprocess.run(
            [sys.executable, "-m", "tests.operate.killed", valkey.address, str(folder)],
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        report = json.loads(done.stdout)
    finally:
        valkey.stop()
    assert report["kills"] == len(killed.STEPS) + len(killed.WRITES)
    assert report["lost"] == []
    assert report["unarchived"] == []
    assert set(report["died_at"]) == set(killed.STEPS)
