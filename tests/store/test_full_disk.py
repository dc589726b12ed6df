"""A full disk under a store that syncs each write, as the runbook in docs/runbooks.md has it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.app.ports.match_store import (
    Commit,
    CommitResult,
    CommitStatus,
    Durability,
    MatchStore,
    Version,
)
from taflhall_service.store.address import open_store
from tests.store.servers import SAFE, Valkey
from tests.store.small_disk import CannotMount, fill, small_disk
from tests.store.test_commits import START, command, creation, name
from tests.waiting import until


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Return a folder with a small file system of its own."""
    try:
        with small_disk(tmp_path / "disk") as place:
            yield place
    except CannotMount as error:
        pytest.skip(str(error))


async def commit_until_it_fails(store: MatchStore, match_id: str, at: Version) -> Version:
    """Return the last version that was acknowledged."""
    for number in range(10_000):
        change = command(match_id, at, f"0:{number}", b"%d" % number)
        try:
            await store.commit(change)
        except StoreUnavailable:
            return at
        at = change.version
    raise AssertionError("the disk was never full")


async def committed(store: MatchStore, change: Commit) -> CommitResult:
    """Repeat a commit until the store answers."""
    results: list[CommitResult] = []

    async def answered() -> bool:
        with suppress(StoreUnavailable):
            results.append(await store.commit(change))
        return bool(results)

    await until(answered)
    return results[0]


async def test_an_embedded_store_comes_back_when_there_is_room_again(disk):
    store = await open_store(f"embedded:{disk / 'store'}", Durability.DISK)
    match_id = name()
    await store.commit(creation(match_id))
    with capture_logs() as logs:
        filler = fill(disk)
        at = await commit_until_it_fails(store, match_id, START)
        await until(lambda: any(line["event"] == "embedded_store_died" for line in logs))
    filler.unlink()
    more = command(match_id, at, "0:more", b"more")
    done = await committed(store, more)
    assert done.status in (CommitStatus.COMMITTED, CommitStatus.CONFLICT)
    found = await store.load(match_id)
    assert found is not None
    assert found.version.revision >= at.revision  # what failed at the full disk may have come in
    assert [e.revision for e in await store.entries(match_id, 1, None)] == list(
        range(1, found.version.revision + 1)
    )
    await store.close()


async def test_a_redis_that_syncs_each_write_exits_and_starts_again_with_everything(disk):
    server = Valkey(disk / "store", *SAFE)
    store = await open_store(server.address, Durability.DISK)
    match_id = name()
    await store.commit(creation(match_id))
    filler = fill(disk)
    at = await commit_until_it_fails(store, match_id, START)
    await until(lambda: server.child.poll() is not None)
    filler.unlink()
    server.restart()
    (found,) = await store.versions([match_id])
    assert found is not None
    assert found.revision >= at.revision
    await store.close()
    server.kill()
