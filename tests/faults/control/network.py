"""A link between a server and its store that can be cut, slowed or half closed."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from enum import Enum
from typing import Final

from taflhall_client.ports import HOST, free_port


class State(Enum):
    """What a link does with the bytes that come in."""

    OPEN = "open"
    """It passes them on."""
    CUT = "cut"
    """It holds them back in both directions, as a partition does, and accepts no connection."""
    DEAF = "deaf"
    """What the server sends arrives, what the store answers does not."""
    SLOW = "slow"
    """It passes them on after :data:`DELAY` seconds."""


DELAY: Final = 0.3


class Link:
    """A TCP proxy in front of *port*; :attr:`address` is what the server connects to."""

    def __init__(self, port: int) -> None:
        self.port: Final = free_port()
        self._store_port = port
        self._state = State.OPEN
        self._changed = asyncio.Condition()
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    @property
    def address(self) -> str:
        return f"redis://{HOST}:{self.port}"

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._accept, HOST, self.port)

    async def become(self, state: State) -> None:
        """Change what happens to all connections, those that are open included."""
        async with self._changed:
            self._state = state
            self._changed.notify_all()

    async def half_close(self) -> None:
        """End the store's side of every connection; the server may still send."""
        for writer in list(self._writers):
            with suppress(OSError):
                writer.write_eof()

    async def reset(self) -> None:
        """Abort every connection, in the middle of a message if need be."""
        for writer in list(self._writers):
            writer.transport.abort()

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._passing(State.CUT)
        try:
            up_reader, up_writer = await asyncio.open_connection(HOST, self._store_port)
        except OSError:
            writer.transport.abort()
            return
        self._writers.add(writer)
        ways = [
            asyncio.create_task(self._pump(reader, up_writer, State.CUT)),
            asyncio.create_task(self._pump(up_reader, writer, State.CUT, State.DEAF)),
        ]
        self._tasks.update(ways)
        await asyncio.gather(*ways, return_exceptions=True)
        self._tasks.difference_update(ways)
        self._writers.discard(writer)

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *held: State
    ) -> None:
        try:
            while data := await reader.read(1 << 16):
                if self._state is State.SLOW:
                    await asyncio.sleep(DELAY)
                await self._passing(*held)
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()

    async def _passing(self, *held: State) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self._state not in held)
