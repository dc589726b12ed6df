"""``systemctl`` and ``redis-server`` as the commands of a runbook find them: they act on the rig.

Both are the same small program, put into a folder in front of the path. It sends its name and
arguments here and ends with the status that comes back. ``systemctl start`` and ``stop`` act on the
units of this supervisor, ``redis-server`` is a child of the rig: so nothing outlives it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from taflhall_client.ports import HOST
from tests.faults.control.children import Children
from tests.faults.control.store import program

PROGRAMS: Final = ("systemctl", "redis-server")

FOREVER: Final = 86_400.0

STAND_IN: Final = """\
#!{python} -SE
import json, os, socket, sys

with socket.create_connection(({host!r}, {port})) as connection:
    order = [os.path.basename(sys.argv[0]), *sys.argv[1:]]
    connection.sendall(json.dumps(order).encode() + b"\\n")
    status = connection.makefile().readline()
sys.exit(int(status or 1))
"""


class Unit(NamedTuple):
    """What ``systemctl`` starts and stops."""

    start: Callable[[], Awaitable[Any]]
    stop: Callable[[], Awaitable[Any]]


class Supervisor:
    """Carries out what the two programs are asked for; their folder is :attr:`path`."""

    def __init__(self, folder: Path, children: Children) -> None:
        self.path: Final = folder / "bin"
        self.units: Final[dict[str, Unit]] = {}
        self._folder = folder
        self._children = children
        self._server: asyncio.Server | None = None
        self._started = 0

    async def open(self) -> None:
        """Listen, and write the two programs."""
        self._server = await asyncio.start_server(self._serve, HOST)
        port = self._server.sockets[0].getsockname()[1]
        self.path.mkdir()
        for name in PROGRAMS:
            file = self.path / name
            file.write_text(STAND_IN.format(python=sys.executable, host=HOST, port=port), "utf-8")
            file.chmod(0o755)

    def close(self) -> None:
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        name, *arguments = json.loads(await reader.readline())
        carry_out = self._systemctl if name == "systemctl" else self._redis
        try:
            status = await carry_out(*arguments)
            writer.write(b"%d\n" % status)
            await writer.drain()
        finally:
            writer.close()

    async def _systemctl(self, *arguments: str) -> int:
        action, unit = arguments
        await getattr(self.units[unit], action)()
        return 0

    async def _redis(self, *arguments: str) -> int:
        self._started += 1
        log = self._folder / f"redis-server{self._started}.log"
        child = self._children.execute([program(), *arguments], log)
        while not await child.ended(FOREVER):
            pass
        return child.status or 0
