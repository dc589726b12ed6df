"""Lines to Redis: many commands out at once, their raw answers back in order.

:class:`Straight` speaks to the one server behind a client (or the primary that its Sentinels
name): one write, then the answers, without the library's cost for each command. What breaks is
repeated once or twice, which is safe since every change is named by its request id.
:class:`Parted` leaves a cluster's parting by node, and its moving slots, to the library.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final, Protocol

import hiredis
from redis.exceptions import ConnectionError as Broken
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as Silent

AGAIN: Final = (0.02, 0.1)
"""Seconds before each repetition. A failover takes longer: then the caller is told."""


class Line(Protocol):
    """Somebody who carries commands to Redis."""

    async def exchange(self, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Return the answer to each command; one that was refused is its error."""
        ...


class Straight:
    """A line over the connections of one client."""

    def __init__(self, client: Any) -> None:
        self._pool: Any = client.connection_pool

    async def exchange(self, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        packed = b"".join([hiredis.pack_command(command) for command in commands])
        for pause in AGAIN:
            try:
                return await self._exchange(packed, len(commands))
            except (Broken, Silent, OSError):
                await asyncio.sleep(pause)
        return await self._exchange(packed, len(commands))

    async def _exchange(self, packed: bytes, number: int) -> list[Any]:
        connection = await self._pool.get_connection()
        answers: list[Any] = []
        try:
            await connection.send_packed_command(packed)
            while len(answers) < number:
                try:
                    answers.append(await connection.read_response())
                except ResponseError as error:
                    answers.append(error)
        except BaseException:
            # Answers may still come: nobody else must find them on this connection.
            await connection.disconnect(nowait=True)
            raise
        finally:
            await self._pool.release(connection)
        return answers


class Parted:
    """A line to a cluster."""

    def __init__(self, cluster: Any) -> None:
        self._cluster = cluster

    async def exchange(self, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        pipeline = self._cluster.pipeline(transaction=False)
        for command in commands:
            pipeline.execute_command(*command)
        answers: list[Any] = await pipeline.execute(raise_on_error=False)
        return answers
