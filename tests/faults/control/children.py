"""The rig's end of the spawner: children that can be killed, frozen and waited for."""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import select
import signal
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

PATIENCE: Final = 60.0
"""Seconds to wait for the spawner; a busy machine takes its time to import."""


class SpawnerGone(Exception):
    """The process that forks the others does not answer."""


class Child:
    """A process that was forked by the spawner."""

    def __init__(self, spawner: _Spawner, pid: int) -> None:
        self.pid: Final = pid
        self.status: int | None = None
        """The exit status once it has ended; negative: the signal that ended it."""
        self._spawner = spawner
        self._handle = os.pidfd_open(pid)

    @property
    def alive(self) -> bool:
        return self.status is None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, unless it has ended."""
        if self.alive:
            signal.pidfd_send_signal(self._handle, number)

    def freeze(self) -> None:
        self.signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.signal(signal.SIGCONT)

    async def kill(self) -> None:
        """End it as a power cut would, and wait until it is gone."""
        self.signal(signal.SIGKILL)
        await self.ended(PATIENCE)

    async def ended(self, seconds: float) -> bool:
        """Wait until it has ended, at most *seconds*; return whether it has."""
        if not self.alive or self._gone():
            self.reap()
            return True
        loop = asyncio.get_running_loop()
        gone: asyncio.Future[None] = loop.create_future()
        loop.add_reader(self._handle, _settle, gone)
        try:
            async with asyncio.timeout(seconds):
                await gone
        except TimeoutError:
            return False
        finally:
            loop.remove_reader(self._handle)
        self.reap()
        return True

    def _gone(self) -> bool:
        poll = select.poll()
        poll.register(self._handle, select.POLLIN)
        return bool(poll.poll(0))

    def reap(self) -> None:
        """Take the exit status of a process that has ended, or is about to."""
        if self.alive:
            self.status = int(self._spawner.order(reap=self.pid)["status"])
            os.close(self._handle)


def _settle(gone: asyncio.Future[None]) -> None:
    if not gone.done():
        gone.set_result(None)


class Children:
    """The children of one rig; :meth:`close` ends all of them."""

    def __init__(self) -> None:
        self._children: list[Child] = []

    def run(self, place: str, argv: list[str], log: Path, env: dict[str, str]) -> Child:
        """Fork a process that calls the function at *place* (``module:function``)."""
        return self._fork(run=place, argv=argv, log=str(log), env=env)

    def execute(self, program: list[str], log: Path, env: dict[str, str] | None = None) -> Child:
        """Fork a process that becomes *program*."""
        return self._fork(exec=program, log=str(log), env=env or {})

    def close(self) -> None:
        """Kill every child that is left."""
        for child in self._children:
            child.signal(signal.SIGKILL)
        for child in self._children:
            child.reap()
        self._children.clear()

    def _fork(self, **what: Any) -> Child:
        spawner = _shared()
        child = Child(spawner, spawner.order(**what)["pid"])
        self._children = [other for other in self._children if other.alive]
        self._children.append(child)
        return child


@lru_cache(maxsize=1)
def _shared() -> _Spawner:
    """Return the one spawner of this process."""
    spawner = _Spawner()
    atexit.register(spawner.close)
    return spawner


class _Spawner:
    """Forks processes. All of them end when it is closed, or when the rig itself dies."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.control.spawner"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=Path(__file__).resolve().parents[3],
            bufsize=0,
        )
        self._answer()

    def order(self, **what: Any) -> dict[str, Any]:
        """Give an order and return the answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(what).encode() + b"\n")
        return self._answer()

    def close(self) -> None:
        """End the spawner and with it every process it forked."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = b""
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([self._process.stdout], [], [], PATIENCE)
            part = self._process.stdout.read(4096) if ready else b""
            if not part:
                raise SpawnerGone
            line += part
        answer: dict[str, Any] = json.loads(line)
        return answer
