"""The queues of what is due, over every kind of store."""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from taflhall_service.app.jobs.archiver import Archiver, ArchiveResult
from taflhall_service.app.jobs.pruning import Pruner
from taflhall_service.app.jobs.queue_repair import QueueRepair
from taflhall_service.app.model.codec import index_key_of
from taflhall_service.app.ports.match_store import Commit, DueQueue, MatchStore, Version
from taflhall_service.operate.verify import verify
from taflhall_service.store.archive.folder import FolderArchive
from tests.operate.matches import give_up, server_over

LATER: int = 10**13


@pytest.mark.parametrize("queue", list(DueQueue))
async def test_a_queue_gives_its_names_in_the_order_of_their_times(store: MatchStore, queue):
    names = [secrets.token_hex(8) for _ in range(8)]
    before = await store.queue_length(queue)
    for number, name in enumerate(names):
        await store.schedule(name, -100 + number, queue)
    assert await store.queue_length(queue) == before + 8
    assert await store.due(-96, 100, queue) == names[:5]
    assert await store.due(-1, 3, queue) == names[:3]
    await store.schedule(names[0], LATER, queue)
    await store.schedule(names[1], None, queue)
    assert await store.due(-1, 100, queue) == names[2:]
    assert await store.due_times(names[:3], queue) == [LATER, None, -98]
    for other in set(DueQueue) - {queue}:
        assert await store.due_times(names, other) == [None] * 8
    for name in names:
        await store.schedule(name, None, queue)
    assert await store.queue_length(queue) == before


async def where(store: MatchStore, match_id: str, index_key: str) -> list[DueQueue]:
    """Return the queues that have a match."""
    names = {DueQueue.EXPIRY: index_key}
    found = [
        (queue, (await store.due_times([names.get(queue, match_id)], queue))[0])
        for queue in DueQueue
    ]
    return [queue for queue, due in found if due is not None]


async def test_a_match_waits_in_one_queue_after_another(store: MatchStore, tmp_path: Path):
    async with server_over(store) as server:
        table = await server.table()
        index_key = index_key_of((await server.matches.current(table.id)).origin)
        assert await where(store, table.id, index_key) == [DueQueue.IDLE]
        await give_up(table)
        assert await where(store, table.id, index_key) == [DueQueue.ARCHIVE]
        archiver = Archiver(store, FolderArchive(tmp_path), 60.0, lambda _: None, share=1.0)
        assert await archiver.keep(table.id) is ArchiveResult.KEPT
        assert await where(store, table.id, index_key) == [DueQueue.EXPIRY]


async def test_matches_that_no_queue_has_are_queued_again(store: MatchStore, tmp_path: Path):
    async with server_over(store) as server:
        going, over, kept = [await server.table() for _ in range(3)]
        await give_up(over)
        await give_up(kept)
        archiver = Archiver(store, FolderArchive(tmp_path), 60.0, lambda _: None, share=1.0)
        assert await archiver.keep(kept.id) is ArchiveResult.KEPT
        expected = {going.id: DueQueue.IDLE, over.id: DueQueue.ARCHIVE, kept.id: DueQueue.EXPIRY}
        index_keys = {
            match_id: index_key_of((await server.matches.current(match_id)).origin)
            for match_id in expected
        }
        for match_id, queue in expected.items():
            name = index_keys[match_id] if queue is DueQueue.EXPIRY else match_id
            await store.schedule(name, None, queue)
        assert (await verify(store)).unlisted >= 3
        await QueueRepair(store).repair()
        for match_id, queue in expected.items():
            assert await where(store, match_id, index_keys[match_id]) == [queue]


async def test_an_archived_match_is_deleted_while_the_store_uses_too_much_memory(
    store: MatchStore, tmp_path: Path
):
    async with server_over(store) as server:
        over, going = await server.table(), await server.table()
        index_key = index_key_of((await server.matches.current(over.id)).origin)
        await give_up(over)
        archiver = Archiver(store, FolderArchive(tmp_path), 60.0, lambda _: None, share=1.0)
        assert await archiver.keep(over.id) is ArchiveResult.KEPT
        used = await store.memory_used()
        await Pruner(store, 60.0, 1000 * used).scan()
        assert await store.load(over.id) is not None
        await Pruner(store, 60.0, 1).scan()
        assert await store.load(over.id) is None
        assert await where(store, over.id, index_key) == []
        assert await store.load(going.id) is not None


async def test_a_store_says_how_much_memory_it_uses(store: MatchStore):
    before = await store.memory_used()
    kept = {"schema": b"1", "origin": b"o" * 8_000_000, "seats": b"[]", "status": b"open"}
    made = Version(0, b"start", 0)
    match_id = secrets.token_hex(8)
    await store.commit(Commit(match_id, None, "create:", b"d" * 16, b"", made, kept, ()))
    assert await store.memory_used() > before + 4_000_000
    assert await store.set_field(match_id, made, "archived", b"", keep=0.0)
    assert await store.load(match_id) is None
