"""A bounded buffer in front of a stream: what is put in while a message is written travels with
the next one.
"""

from __future__ import annotations

import asyncio
from typing import Final

from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.rpc.call import Call

ROOM_BYTES: Final = 1024 * 1024
"""Number of parts that may wait to be written; further writers wait."""

MESSAGE_BYTES: Final = 256 * 1024
"""A message ends with the part that makes it larger than this."""

_HEARTBEAT: Final = pb.PlayAllResponse(heartbeat=pb.StreamHeartbeat()).SerializeToString()


class Outbox:
    """Collects serialized parts of messages, and writes them to a stream.

    A silence of *heartbeat_seconds* is broken by *heartbeat*. A client that does not read for too
    long ends the stream with ``SlowConsumer``, as with any other.
    """

    def __init__(self, call: Call, heartbeat_seconds: float, heartbeat: bytes = _HEARTBEAT) -> None:
        self._call = call
        self._heartbeat_seconds = heartbeat_seconds
        self._heartbeat = heartbeat
        self._parts: list[bytes] = []
        self._size = 0
        self._finished = False
        self._stopped = False
        self._begun = False
        self._greeting = False
        self._filled = asyncio.Event()
        self._room = asyncio.Event()

    async def put(self, part: bytes) -> None:
        """Add a part as soon as there is room for it."""
        while self._size >= ROOM_BYTES and not self._stopped:
            self._room.clear()
            await self._room.wait()
        if self._stopped:
            return
        self._parts.append(part)
        self._size += len(part)
        self._filled.set()

    def greet(self) -> None:
        """Begin with a heartbeat if there is nothing else to write."""
        if not self._begun:
            self._greeting = True
            self._filled.set()

    def finish(self) -> None:
        """Let :meth:`run` return when everything has been written."""
        self._finished = True
        self._filled.set()

    def stop(self) -> None:
        """Let :meth:`run` return after the message that is being written; drop all else."""
        self._stopped = True
        self._parts.clear()
        self._room.set()
        self.finish()

    async def run(self) -> None:
        """Write until :meth:`finish` is called."""
        while self._parts or not self._finished:
            if not self._parts and not self._greeting:
                await self._wait()
            self._begun, self._greeting = True, False
            message = self._next()
            if message or not self._finished:
                await self._call.write(message or self._heartbeat)

    async def _wait(self) -> None:
        """Wait until there is something to write, at most until a heartbeat is due."""
        self._filled.clear()
        try:
            async with asyncio.timeout(self._heartbeat_seconds):
                await self._filled.wait()
        except TimeoutError:
            return
        await asyncio.sleep(0)  # collect what others put in in this turn

    def _next(self) -> bytes:
        """Take out the parts of the next message; nothing if there are none."""
        size = count = 0
        while count < len(self._parts) and size < MESSAGE_BYTES:
            size += len(self._parts[count])
            count += 1
        parts, self._parts = self._parts[:count], self._parts[count:]
        self._size -= size
        self._room.set()
        return b"".join(parts)
