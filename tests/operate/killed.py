"""An archiver that is killed at each of its steps; started by ``test_archive``.

For each step and each of its first calls a process is forked that runs the archiver and ends
at once, as by SIGKILL, when it comes there. After each death every match must still be in the
store, or be in the archive with a record that replays.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import sys
from pathlib import Path
from typing import Any, Final

import redis

from taflhall_engine import registry
from taflhall_engine.kernel.replay import replay
from taflhall_service.app.jobs.archiver import Archiver, name_of
from taflhall_service.app.matches import history
from taflhall_service.app.ports.match_store import Durability
from taflhall_service.observability.logging import configure_logs
from taflhall_service.store.address import open_store
from taflhall_service.store.archive import folder as folders
from taflhall_service.store.archive.folder import FolderArchive
from taflhall_service.store.redis.store import RedisStore
from tests.operate.matches import play, server_over
from tests.waiting import block

STEPS: Final = {
    "load": (RedisStore, "load"),
    "entries": (RedisStore, "entries"),
    "replay": (history, "recording"),
    "proved": (Archiver, "_proved"),
    "get": (FolderArchive, "_get"),
    "put": (FolderArchive, "_put"),
    "fsync": (os, "fsync"),
    "rename": (Path, "replace"),
    "sync folder": (folders, "_sync"),
    "set_field": (RedisStore, "set_field"),
    "schedule": (RedisStore, "schedule"),
    "index_remove": (RedisStore, "index_remove"),
}
WRITES: Final = ("fsync", "rename", "put", "set_field", "schedule", "index_remove")
"""Steps that change something: it also dies after them."""

KEEP: Final = 0.1
MATCHES: Final = 6


def die_at(step: str, after: bool) -> None:
    """End this process at *step*."""
    owner, name = STEPS[step]
    real = getattr(owner, name)

    def dying(*args: Any, **more: Any) -> Any:
        if after:
            found = real(*args, **more)
            if inspect.iscoroutine(found):
                return _then_die(found)
        os._exit(9)

    setattr(owner, name, dying)


async def _then_die(work: Any) -> None:
    await work
    os._exit(9)


async def scan(address: str, folder: Path) -> None:
    store = await open_store(address, Durability.DISK)
    await Archiver(store, FolderArchive(folder), KEEP, print_nothing, share=1.0).scan()
    await store.close()


def print_nothing(_: object) -> None:
    """Report to nobody."""


def in_a_fork(work: Any) -> int:
    """Run *work* in a process of its own and return how it ended."""
    pid = os.fork()
    if not pid:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


async def more_matches(address: str, count: int, pipe: int) -> None:
    store = await open_store(address, Durability.DISK)
    async with server_over(store) as server:
        ids = [await play(server, 2) for _ in range(count)]
    await store.close()
    os.write(pipe, " ".join(ids).encode())


def played(address: str, count: int) -> list[str]:
    """Play matches in a process of its own: gRPC must not have run in one that forks."""
    reader, writer = os.pipe()
    assert in_a_fork(lambda: asyncio.run(more_matches(address, count, writer))) == 0
    os.close(writer)
    ids = os.read(reader, 65536).decode().split()
    os.close(reader)
    return ids


def missing(address: str, folder: Path, ids: list[str]) -> list[str]:
    """Return the matches that are neither in the store nor, whole, in the archive."""
    with redis.Redis.from_url(address) as client:
        gone = [match_id for match_id in ids if not client.exists(f"taflhall:{{{match_id}}}:m")]
    return [match_id for match_id in gone if not _replays(folder / name_of(match_id))]


def _replays(path: Path) -> bool:
    try:
        replay(registry.game("yggdrasil"), json.loads(path.read_bytes()))
    except Exception:
        return False
    return True


def main() -> None:
    """Kill, look, and go on."""
    configure_logs("critical")
    address, folder = sys.argv[1], Path(sys.argv[2])
    ids = played(address, MATCHES)
    lost: list[str] = []
    died_at: list[str] = []
    kills = 0
    for step in STEPS:
        for after in (False, True) if step in WRITES else (False,):

            def work(step: str = step, after: bool = after) -> None:
                die_at(step, after)
                asyncio.run(scan(address, folder))

            block(KEEP if step == "index_remove" else 0)
            if in_a_fork(work) == 9:
                kills += 1
                died_at.append(step)
            lost += missing(address, folder, ids)
    asyncio.run(scan(address, folder))
    unarchived = [match_id for match_id in ids if not _replays(folder / name_of(match_id))]
    report = {"kills": kills, "lost": lost, "unarchived": unarchived, "died_at": died_at}
    print(json.dumps(report))


if __name__ == "__main__":
    main()
