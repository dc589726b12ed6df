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
from redis.asyncio.cluster import PipelineCommand
from redis.exceptions import AskError, ClusterDownError, MovedError, ResponseError, TryAgainError
from redis.exceptions import ConnectionError as Broken
from redis.exceptions import TimeoutError as Silent

FENCE: Final = "taflhall:fence"

ELSEWHERE: Final = (MovedError, AskError, TryAgainError, ClusterDownError, Broken, Silent, OSError)
"""What a node of a cluster says, or does, when it is not the one to ask."""

AGAIN: Final = (0.02, 0.1)
"""Seconds before each repetition. A failover takes longer: then the caller is told."""


class Line(Protocol):
    """Somebody who carries commands to Redis."""

    async def exchange(self, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Return the answer to each command; one that was refused is its error."""
        ...

    async def confirmed(
        self, commands: Sequence[tuple[Any, ...]], copies: int, patience_ms: int
    ) -> list[tuple[Any, bool]]:
        """Do as :meth:`exchange` does, and say of each whether so many copies have it."""
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

    async def confirmed(
        self, commands: Sequence[tuple[Any, ...]], copies: int, patience_ms: int
    ) -> list[tuple[Any, bool]]:
        *answers, _, reached = await self.exchange(
            [*commands, fence(FENCE), ("WAIT", copies, patience_ms)]
        )
        safe = isinstance(reached, int) and reached >= copies
        return [(answer, safe) for answer in answers]

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
    """A line to a cluster.

    What has to be confirmed goes to each node over one connection, with WAIT at its end. Where
    a slot is just moving nothing can be confirmed in this way: the library finds the place,
    and the caller is told that it is uncertain; when he repeats it the record is found.
    """

    def __init__(self, cluster: Any) -> None:
        self._cluster = cluster

    async def exchange(self, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        pipeline = self._cluster.pipeline(transaction=False)
        for command in commands:
            pipeline.execute_command(*command)
        answers: list[Any] = await pipeline.execute(raise_on_error=False)
        return answers

    async def confirmed(
        self, commands: Sequence[tuple[Any, ...]], copies: int, patience_ms: int
    ) -> list[tuple[Any, bool]]:
        places: dict[Any, list[int]] = {}
        for number, command in enumerate(commands):
            node = self._cluster.get_node_from_key(_key(command))
            places.setdefault(node, []).append(number)
        found: list[tuple[Any, bool]] = [(Broken("unsent"), False)] * len(commands)
        wait = ("WAIT", copies, patience_ms)

        async def at(node: Any, numbers: list[int]) -> None:
            own = [commands[number] for number in numbers]
            sent = [*own, fence(f"taflhall:{{{_tag(_key(own[0]))}}}:f"), wait]
            calls = [PipelineCommand(place, *command) for place, command in enumerate(sent)]
            try:
                await node.execute_pipeline(calls)
            except (Broken, Silent, OSError) as error:
                for call in calls:
                    call.result = error
            *answers, _, reached = [call.result for call in calls]
            safe = isinstance(reached, int) and reached >= copies
            for number, answer in zip(numbers, answers, strict=True):
                found[number] = (answer, safe)

        await asyncio.gather(*[at(node, numbers) for node, numbers in places.items()])
        lost = [n for n, (answer, _) in enumerate(found) if isinstance(answer, ELSEWHERE)]
        if lost:
            answers = await self.exchange([commands[number] for number in lost])
            for number, answer in zip(lost, answers, strict=True):
                found[number] = (answer, False)
        return found


def fence(key: str) -> tuple[Any, ...]:
    """Return a write to send before WAIT, which waits only for what its own connection wrote.

    An answer that is repeated from the record was written over another one. It leaves nothing.
    """
    return ("SET", key, "", "PX", 1)


def _tag(key: str) -> str:
    """Return the part of a key that says in which slot of a cluster it lies."""
    return key.partition("{")[2].partition("}")[0] or key


def _key(command: tuple[Any, ...]) -> str:
    """Return the first key of a command."""
    return str(command[3] if command[0] in ("EVALSHA", "EVAL") else command[1])
