"""Copies of an embedded store, even while a server uses it.

The append-only folder can be copied file by file as long as no rewrite of it begins or ends
meanwhile: rewrites are switched off for that time, and the manifest is compared afterwards. A
copy holds everything that was acknowledged before it began, and perhaps some of what followed:
a prefix of the store's history. A torn end is cut off when the copy is loaded. ``backup.json``
holds the digest of every file.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import redis.asyncio

from taflhall_service.operate.folders import DISK, BackupError, Disk, require_no_file, require_store
from taflhall_service.store.embedded import ADDRESS, LOG

MANIFEST: Final = "appendonly.aof.manifest"
ABOUT: Final = "backup.json"
FORMAT: Final = 1
REWRITE: Final = "auto-aof-rewrite-percentage"
REWRITE_DEFAULT: Final = "100"
PATIENCE: Final = 300.0
"""Seconds to wait for the end of a rewrite that is under way."""

MAX_ATTEMPTS: Final = 40
PAUSE: Final = 0.25
"""Seconds until another try, while the files are replaced under the copy."""


async def backup(data: Path, to: Path, disk: Disk = DISK) -> dict[str, Any]:
    """Copy the store in the folder *data* to the new folder *to*; return its ``backup.json``."""
    partial = _begin(data, to)
    started = time.time()
    async with _without_rewrites(data):
        files = await asyncio.to_thread(_copy_log, data / LOG, partial / LOG, disk)
    about = {"format": FORMAT, "began": started, "ended": time.time(), "files": files}
    _end(partial, to, about, disk)
    return about


def _begin(data: Path, to: Path) -> Path:
    require_no_file(to.parent, "a folder for backups")
    if to.exists():
        raise BackupError(f"{to} exists already: each backup goes to a folder of its own")
    require_store(data)
    if data.resolve() in to.resolve().parents:
        raise BackupError(f"{to} is inside the store {data}, and would be lost with it")
    partial = to.with_name(f"{to.name}.partial")
    _clear(partial)
    partial.mkdir(mode=0o700, parents=True)  # it holds hidden hands
    (partial / LOG).mkdir()
    return partial


def _clear(partial: Path) -> None:
    """Remove the remains of a failed backup, and nothing else."""
    require_no_file(partial, "the folder of a backup that is being made")
    if not partial.exists():
        return
    strange = [path.name for path in partial.iterdir() if path.name not in (LOG, ABOUT)]
    if strange:
        raise BackupError(
            f"{partial} is where the backup is made, and holds {strange[0]!r}, which is not "
            "part of a backup. Choose another name."
        )
    shutil.rmtree(partial)


def _end(partial: Path, to: Path, about: dict[str, Any], disk: Disk) -> None:
    (partial / ABOUT).write_text(json.dumps(about, indent=2) + "\n")
    for path in (partial / ABOUT, partial / LOG, partial):
        disk.sync(path)
    disk.rename(partial, to)
    disk.sync(to.parent)


@asynccontextmanager
async def _without_rewrites(data: Path) -> AsyncIterator[None]:
    """Keep the files of the store in *data* from being replaced, in use or not."""
    address = running_at(data)
    if address is None:
        with _locked(data):
            yield
        return
    client = redis.asyncio.Redis.from_url(address)
    try:
        await client.config_set(REWRITE, "0")
        await _until_no_rewrite(client)
        yield
    except redis.RedisError as error:
        raise BackupError(f"the store of the running server does not answer: {error}") from None
    finally:
        with contextlib.suppress(redis.RedisError):
            await client.config_set(REWRITE, REWRITE_DEFAULT)
        await client.aclose()


async def _until_no_rewrite(client: Any) -> None:
    for _ in range(int(PATIENCE * 10)):
        found = await client.info("persistence")
        if not found["aof_rewrite_in_progress"] and not found["aof_rewrite_scheduled"]:
            return
        await asyncio.sleep(0.1)
    raise BackupError("a rewrite of the append-only file does not end")


def running_at(data: Path) -> str | None:
    """Return the address of the embedded store in *data* if a server uses it."""
    try:
        address = (data / ADDRESS).read_text()
    except OSError:
        return None
    return address if Path(address.removeprefix("unix://")).exists() else None


@contextlib.contextmanager
def _locked(data: Path) -> Any:
    """Keep servers from starting while the files are copied."""
    if sys.platform == "win32":
        raise BackupError("this platform has no embedded store")
    import fcntl

    with contextlib.ExitStack() as held:
        for name in ("lock", "valkey.lock"):
            lock = held.enter_context((data / name).open("a"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise BackupError(f"a server that cannot be asked uses {data}") from None
        yield


def _copy_log(source: Path, target: Path, disk: Disk) -> dict[str, str]:
    """Copy the files that the manifest names; return their digests."""
    manifest = source / MANIFEST
    for _ in range(MAX_ATTEMPTS):
        before = manifest.read_bytes()
        names = [line.split()[1] for line in before.decode().splitlines() if line]
        try:
            files = {name: disk.copy(source / name, target / name) for name in names}
        except FileNotFoundError:
            time.sleep(PAUSE)  # a rewrite was ordered by hand
            continue
        if manifest.read_bytes() == before:
            files[MANIFEST] = disk.copy(manifest, target / MANIFEST)
            for stray in [path for path in target.iterdir() if path.name not in files]:
                stray.unlink()
            return files
    raise BackupError("the append-only file is being rewritten again and again")
