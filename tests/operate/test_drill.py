"""Backup, restore and verification, on a store that is written to meanwhile."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import redis

from taflhall_service.app.model import codec as stored
from taflhall_service.app.ports.match_store import DueQueue, Durability, MatchStore
from taflhall_service.operate.backup import MANIFEST, backup
from taflhall_service.operate.command import run_tool
from taflhall_service.operate.folders import BackupError, Disk
from taflhall_service.operate.restore import restore
from taflhall_service.operate.verify import VerifyReport, compare, verify
from taflhall_service.store.address import open_store
from taflhall_service.store.archive.folder import FolderArchive
from taflhall_service.store.embedded import ADDRESS, LOG, RESTORING, Embedded, EmbeddedStoreError
from tests.operate.matches import play, server_over
from tests.operate.test_archive import archiver
from tests.service.clocked import clocked
from tests.service.local_server import Table
from tests.waiting import until, wait_until


@asynccontextmanager
async def running(data: Path) -> AsyncIterator[MatchStore]:
    """Run an embedded store in *data*, as a server does, and yield a door to it."""
    server = Embedded(data)
    await server.start()
    store = await open_store(server.address, Durability.DISK)
    try:
        yield store
    finally:
        await store.close()
        await server.stop()


def valkey_in(data: Path) -> redis.Redis:
    """Return a client of the Valkey that serves the embedded store in *data*."""
    return redis.Redis.from_url((data / ADDRESS).read_text())


async def checked(data: Path, against: MatchStore | None = None, **more: Any) -> VerifyReport:
    store = await open_store(f"embedded:{data}", Durability.DISK)
    found = await verify(store, **more)
    if against is not None:
        await compare(store, against, found)
    await store.close()
    return found


async def test_a_copy_made_under_load_holds_all_that_was_acknowledged_before(tmp_path):
    data, copy, new = (tmp_path / name for name in ("data", "copy", "new"))
    async with running(data) as store, server_over(store) as server:
        ids = [await play(server, n, finish=n % 2 == 0) for n in range(6)]
        acked = {ids[n]: version for n, version in enumerate(await store.versions(ids))}
        stop = asyncio.Event()

        async def write() -> int:
            count = 0
            while not stop.is_set():
                ids.append(await play(server, 3, finish=False))
                count += 1
            return count

        writer = asyncio.create_task(write())
        await until(lambda: len(ids) > 6)
        await backup(data, copy)
        stop.set()
        assert await writer > 0
        settings: Any = valkey_in(data).config_get("auto-aof-rewrite-percentage")
        assert list(settings.values()) in ([b"100"], ["100"])
        assert restore(copy, new) > 1000
        found = await checked(new, store)
        assert found.sound, found.faults
        assert 6 <= found.matches <= len(ids)
        assert not [line for line in found.differences if line.partition(":")[0] in acked]
        assert all("missing" in line or "behind" in line for line in found.differences)


async def test_a_restored_store_resumes_and_announces_lost_history(tmp_path):
    """A match that went on after the backup has another history in the restored store."""
    async with running(tmp_path / "data") as store, server_over(store) as server:
        table = await server.table()
        await table.step()
        await backup(tmp_path / "data", tmp_path / "copy")
        before = await server.matches.current(table.id)
        await table.step()
        restore(tmp_path / "copy", tmp_path / "new")
        async with running(tmp_path / "new") as later, server_over(later) as again:
            assert again.matches.server_key == server.matches.server_key
            assert (await again.matches.current(table.id)).version == before.version
            found = await verify(later)
            await compare(later, store, found)
            assert found.differences == [f"{table.id}: 1 commands behind"]
            await Table(again, table.id, table.secrets, table.creator).step(1)
            await compare(later, store, found := VerifyReport())
            assert found.differences == [f"{table.id}: another history at revision 2"]


async def test_a_rewrite_in_the_midst_of_a_copy_spoils_nothing(tmp_path):
    async with running(tmp_path / "data") as store, server_over(store) as server:
        for n in range(3):
            await play(server, n)
        tries: list[Path] = []

        class Rewriting(Disk):
            """A disk on which the store is rewritten as soon as a copy begins."""

            def copy(self, source: Path, target: Path) -> str:
                if not tries:
                    valkey_in(tmp_path / "data").bgrewriteaof()
                    wait_until(lambda: not source.exists())
                tries.append(source)
                return super().copy(source, target)

        await backup(tmp_path / "data", tmp_path / "copy", Rewriting())
        assert len(tries) > 3
        restore(tmp_path / "copy", tmp_path / "new")
        found = await checked(tmp_path / "new", store)
        assert found.sound
        assert found.matches == 3
        assert not found.differences


async def test_without_a_server_the_folder_is_copied_under_its_lock(tmp_path):
    async with running(tmp_path / "data") as store, server_over(store) as server:
        await play(server)
    await backup(tmp_path / "data", tmp_path / "copy")
    restore(tmp_path / "copy", tmp_path / "new")
    assert (await checked(tmp_path / "new")).matches == 1


async def test_what_cannot_be_copied_or_restored_is_said_and_nothing_is_written(tmp_path):
    data, copy = tmp_path / "data", tmp_path / "copy"
    with pytest.raises(BackupError, match="no embedded store"):
        await backup(tmp_path, copy)
    async with running(data) as store, server_over(store) as server:
        await play(server)
        await backup(data, copy)
        with pytest.raises(BackupError, match="exists already"):
            await backup(data, copy)
        with pytest.raises(BackupError, match="holds a store already"):
            restore(copy, data)
    with pytest.raises(BackupError, match="not a complete backup"):
        restore(tmp_path / "nothing", tmp_path / "new")
    (log,) = (copy / "appendonlydir").glob("*.incr.aof")
    with log.open("r+b") as file:
        file.seek(-5, os.SEEK_END)
        file.write(b"spoil")
    with pytest.raises(BackupError, match="not what was backed up"):
        restore(copy, tmp_path / "new")
    assert not (tmp_path / "new").exists()
    (tmp_path / "empty").mkdir()
    log.unlink()
    with pytest.raises(BackupError, match="is missing"):
        restore(copy, tmp_path / "empty")
    assert list((tmp_path / "empty").iterdir()) == []


async def test_a_backup_never_overwrites_another_folder(tmp_path):
    data = tmp_path / "data"
    (data / LOG).mkdir(parents=True)
    (data / LOG / MANIFEST).touch()
    with pytest.raises(BackupError, match="is inside the store"):
        await backup(data, data / "copy")
    partial = tmp_path / "copy.partial"
    partial.mkdir()
    (partial / "letters").touch()
    with pytest.raises(BackupError, match="holds 'letters', which is not part of a backup"):
        await backup(data, tmp_path / "copy")
    assert (partial / "letters").exists()
    (partial / "letters").rename(partial / LOG)
    await backup(data, tmp_path / "copy")  # that is left of one that failed
    assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o700
    (tmp_path / "file").touch()
    for place in (tmp_path / "file" / "copy", tmp_path / "other"):
        (tmp_path / "other.partial").touch()
        with pytest.raises(BackupError, match="is a file, where"):
            await backup(data, place)


async def test_a_restore_that_was_killed_is_no_store(tmp_path, capsys):
    (tmp_path / "new" / RESTORING).mkdir(parents=True)
    with pytest.raises(EmbeddedStoreError, match=r"a restore into .* was interrupted"):
        await Embedded(tmp_path / "new").start()
    assert not (tmp_path / "new" / "appendonlydir").exists()
    verify = ["verify-store", "--store", f"embedded:{tmp_path / 'new'}"]
    assert await asyncio.to_thread(run_tool, verify) == 2


async def test_where_no_folder_can_be_there_is_no_store(tmp_path):
    (tmp_path / "file").write_text("a file")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(EmbeddedStoreError, match="file is a file, where a folder is expected"):
            await Embedded(place).start()


async def test_damage_is_named_and_only_what_passes_is_unfrozen(tmp_path):
    async with running(tmp_path / "data") as store, server_over(store) as server:
        sound, damaged = [await play(server, 4, finish=False) for _ in range(2)]
        client, key = valkey_in(tmp_path / "data"), f"taflhall:{{{damaged}}}:m"
        snapshot: Any = client.hget(key, "snapshot")
        client.hset(key, "snapshot", snapshot[:-1] + b"?")
        for match_id in (sound, damaged):
            version = (await store.versions([match_id]))[0]
            assert version is not None
            assert await store.set_field(match_id, version, "frozen", b"looked at")
        found = await verify(store, unfreeze=True)
        assert [line.partition(":")[0] for line in found.faults] == [damaged]
        assert (found.matches, found.frozen, found.unfrozen) == (2, 2, 1)
        frozen = [(await store.load(match_id)) for match_id in (sound, damaged)]
        assert [match.frozen for match in frozen if match] == [b"", b"looked at"]


async def test_what_a_server_froze_cost_nobody_time():
    async with clocked() as made:
        table, store = await made.table(policy=3, base=60), made.servers[0].store
        await made.passes(20)
        version = (await made.servers[0].matches.fresh(table.id)).version
        assert await store.set_field(table.id, version, "frozen", b"looked at")
        await made.passes(600)
        assert made.ups == []
        assert (await verify(store, unfreeze=True)).unfrozen == 1
        match = await made.servers[0].matches.fresh(table.id)
        assert match.clocks is not None
        assert match.clocks.paused
        assert made.memory.queues[DueQueue.DEADLINES] == {table.id: made.ms + 60_000}
        await made.passes(118)
        assert made.ups == []
        await made.passes(4)
        assert [policy for policy, _ in made.ups] == [3]


async def test_a_deadline_that_its_queue_lacks_is_found_and_put_back():
    async with clocked() as made:
        table, store = await made.table(policy=3, base=60), made.servers[0].store
        made.memory.queues[DueQueue.DEADLINES].clear()
        await made.passes(120)
        assert made.ups == []
        assert (await verify(store)).unlisted == 1
        assert (await verify(store, reindex=True)).unlisted == 1
        assert table.id in made.memory.queues[DueQueue.DEADLINES]
        assert (await verify(store)).unlisted == 0
        await made.passes(1)
        assert [policy for policy, _ in made.ups] == [3]


async def test_matches_that_no_list_names_and_records_that_are_gone_are_found(tmp_path):
    async with running(tmp_path / "data") as store, server_over(store) as server:
        over, unlisted = await play(server, 1), await play(server, 1, finish=False)
        folder = tmp_path / "archive"
        job, _ = archiver(store, folder)
        await job.scan()
        for index_key in await store.index_page("", 10):
            if stored.match_of(index_key) == unlisted:
                await store.index_remove(index_key)
        archive = FolderArchive(folder)
        found = await verify(store, archive, reindex=True)
        assert found.sound
        assert found.unlisted == 1
        assert len(await store.index_page("", 10)) == 2
        (record,) = folder.rglob("*.json")
        record.unlink()
        found = await verify(store, archive)
        assert [line.partition(":")[0] for line in found.faults] == [over]
        assert found.unlisted == 0


async def test_the_drill_says_that_all_is_well_or_what_is_not(tmp_path, capsys):
    data = tmp_path / "data"
    async with running(data) as store, server_over(store) as server:
        match_id = await play(server, 4, finish=False)
        await play(server, 2)
        drill = ["drill", "--store", f"embedded:{data}", "--work", str(tmp_path)]
        assert await asyncio.to_thread(run_tool, drill) == 0
        output = capsys.readouterr().out
        assert "2 matches, 7 commands replayed; everything that was checked is sound" in output
        assert "drill: " in output
        valkey_in(data).xdel(f"taflhall:{{{match_id}}}:e", "2-0")
        assert await asyncio.to_thread(run_tool, drill) == 1
        output = capsys.readouterr().out
        assert f"{match_id}: the log lacks revision 2" in output
        assert "1 damaged" in output
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_the_tools_say_why_they_cannot_work(tmp_path, capsys):
    assert run_tool(["backup", "--store", "redis://h:1", "--to", str(tmp_path / "x")]) == 2
    assert "deploy/README.md" in capsys.readouterr().err
    assert run_tool(["verify-store", "--store", f"embedded:{tmp_path / 'none'}"]) == 2
    assert run_tool(["verify-store", "--store", "redis://127.0.0.1:1"]) == 2
    assert "does not answer" in capsys.readouterr().err
    for tool in (["verify-store"], ["admin", "list-accounts"], ["admin", "disable", "x"]):
        (tmp_path / "none").mkdir(exist_ok=True)
        assert run_tool([*tool, "--store", f"embedded:{tmp_path / 'none'}"]) == 2
        assert "holds no embedded store" in capsys.readouterr().err
        assert list((tmp_path / "none").iterdir()) == []
    assert run_tool(["admin", "create-account", "--store", "memory:", "Ann"]) == 2
    assert "ends with it" in capsys.readouterr().err
    store = f"embedded:{tmp_path / 'first'}"
    assert run_tool(["admin", "create-account", "--store", store, "Ann"]) == 0
    assert "tfk_" in capsys.readouterr().out
    assert run_tool(["verify-store", "--store", store, "--archive", str(tmp_path / "no")]) == 2
    assert "there is no folder" in capsys.readouterr().err


async def test_a_backup_holds_no_secret_of_a_seat(tmp_path):
    async with running(tmp_path / "data") as store, server_over(store) as server:
        (secret,) = (await server.table()).secrets
        await backup(tmp_path / "data", tmp_path / "copy")
    written = b"".join(p.read_bytes() for p in (tmp_path / "copy").rglob("*") if p.is_file())
    assert secret.encode() not in written
    about = json.loads((tmp_path / "copy" / "backup.json").read_text())
    assert set(about["files"]) == {p.name for p in (tmp_path / "copy" / "appendonlydir").iterdir()}
