"""How commands reach Redis, and their unparsed replies come back.

:class:`SingleNodeTransport` writes straight to the connections of one client (or of the primary
that its Sentinels name): one write, then the replies, without the library's cost per command. A
broken exchange is repeated once or twice, which is safe since every change is named by its
request id. :class:`ClusterTransport` leaves routing and moving slots to the library.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from typing import Final, Protocol

import hiredis
from redis.asyncio.cluster import PipelineCommand
from redis.exceptions import AskError, ClusterDownError, MovedError, ResponseError, TryAgainError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from taflhall_service.store.redis.client import (
    ClusterClient,
    ClusterNode,
    Command,
    Connection,
    RedisClient,
    Reply,
)

FENCE_KEY: Final = "taflhall:fence"

CONNECTION_ERRORS: Final = (RedisConnectionError, RedisTimeoutError, OSError)

REDIRECT_ERRORS: Final = (MovedError, AskError, TryAgainError, ClusterDownError, *CONNECTION_ERRORS)
"""Errors of a cluster node that is not, or no longer, the right one."""

RETRY_DELAYS: Final = (0.02, 0.1)
"""Seconds before each repetition. A failover takes longer: that is reported to the caller."""

PARSED_BY_LIBRARY: Final = ("XRANGE", "HGETALL", "ZRANGEBYSCORE")
"""Commands whose replies the library would reshape: on a cluster only, so it must not."""


class Transport(Protocol):
    """Carries commands to Redis."""

    async def exchange(self, commands: Sequence[Command]) -> list[Reply]:
        """Return the reply to each command; a refused command's reply is its error."""
        ...

    async def exchange_replicated(
        self, commands: Sequence[Command], replicas: int, timeout_ms: int
    ) -> list[tuple[Reply, bool]]:
        """Do as :meth:`exchange`, and report for each whether *replicas* further stores have it."""
        ...


class SingleNodeTransport:
    """A transport over a connection of one client; its caller limits the time.

    The connection is kept from one exchange to the next, for the pool takes longer to hand one
    out than to send a pipeline over it.
    """

    def __init__(self, client: RedisClient) -> None:
        self._pool = client.connection_pool
        self._idle: Connection | None = None
        """The connection, while no exchange uses it."""
        self._timeout: float | None = None
        """The seconds that others may write to a connection of the pool."""

    async def exchange(self, commands: Sequence[Command]) -> list[Reply]:
        packed = b"".join(
            [
                hiredis.pack_command(tuple(command))  # type: ignore[arg-type]  # of any length
                for command in commands
            ]
        )
        for delay in RETRY_DELAYS:
            try:
                return await self._exchange(packed, len(commands))
            except CONNECTION_ERRORS:
                await asyncio.sleep(delay)
        return await self._exchange(packed, len(commands))

    async def exchange_replicated(
        self, commands: Sequence[Command], replicas: int, timeout_ms: int
    ) -> list[tuple[Reply, bool]]:
        *replies, _, reached = await self.exchange(
            [*commands, replication_fence(FENCE_KEY), ("WAIT", replicas, timeout_ms)]
        )
        replicated = isinstance(reached, int) and reached >= replicas
        return [(reply, replicated) for reply in replies]

    async def _exchange(self, packed: bytes, number: int) -> list[Reply]:
        connection, self._idle = self._idle, None
        if connection is None:
            connection = await self._pool.get_connection()
            self._timeout = connection.socket_timeout
            connection.socket_timeout = None  # with one, each write is a task of its own
        replies: list[Reply] = []
        try:
            _raise_if_cancelled()
            await connection.send_packed_command(packed)
            while len(replies) < number:
                try:
                    replies.append(await connection.read_response(timeout=math.inf))
                except ResponseError as error:
                    replies.append(error)
        except BaseException:
            # Replies may still arrive: the next user of this connection must not read them.
            await connection.disconnect(nowait=True)
            await self._give_back(connection)
            raise
        if self._idle is None:
            self._idle = connection
        else:  # another exchange has left its own
            await self._give_back(connection)
        return replies

    async def _give_back(self, connection: Connection) -> None:
        connection.socket_timeout = self._timeout
        await self._pool.release(connection)


class ClusterTransport:
    """A transport to a cluster.

    Commands to be replicated go to each node over one connection that ends with WAIT. While a
    slot moves this confirms nothing: the library then finds the node, the caller gets an error that
    replication is uncertain, and a repeated call finds the remembered reply.
    """

    def __init__(self, cluster: ClusterClient) -> None:
        self._cluster = cluster
        for name in PARSED_BY_LIBRARY:
            cluster.response_callbacks.pop(name, None)

    async def exchange(self, commands: Sequence[Command]) -> list[Reply]:
        pipeline = self._cluster.pipeline(transaction=False)
        for command in commands:
            pipeline.execute_command(*command)
        return await pipeline.execute(raise_on_error=False)

    async def exchange_replicated(
        self, commands: Sequence[Command], replicas: int, timeout_ms: int
    ) -> list[tuple[Reply, bool]]:
        by_node: dict[ClusterNode, list[int]] = {}
        for number, command in enumerate(commands):
            node = self._cluster.get_node_from_key(key_of(command))
            by_node.setdefault(node, []).append(number)
        results: list[tuple[Reply, bool]] = [(RedisConnectionError("unsent"), False)] * len(
            commands
        )
        wait = ("WAIT", replicas, timeout_ms)

        async def send_to(node: ClusterNode, numbers: list[int]) -> None:
            own = [commands[number] for number in numbers]
            fence = replication_fence(f"taflhall:{{{hash_tag(key_of(own[0]))}}}:f")
            pipeline = [
                PipelineCommand(place, *command)
                for place, command in enumerate([*own, fence, wait])
            ]
            try:
                await node.execute_pipeline(pipeline)
            except CONNECTION_ERRORS as error:
                for sent in pipeline:
                    sent.result = error
            *replies, _, reached = [sent.result for sent in pipeline]
            replicated = isinstance(reached, int) and reached >= replicas
            for number, reply in zip(numbers, replies, strict=True):
                results[number] = (reply, replicated)

        await asyncio.gather(*[send_to(node, numbers) for node, numbers in by_node.items()])
        lost = [n for n, (reply, _) in enumerate(results) if isinstance(reply, REDIRECT_ERRORS)]
        if lost:
            replies = await self.exchange([commands[number] for number in lost])
            for number, reply in zip(lost, replies, strict=True):
                results[number] = (reply, False)
        return results


def _raise_if_cancelled() -> None:
    """Raise the cancellation that the library has lost: nothing else would end a read."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def replication_fence(key: str) -> Command:
    """Return a write to send before WAIT, which waits only for writes of its own connection.

    A remembered reply that is read here may have been written over another connection. The
    fence makes WAIT cover it, and leaves nothing in the store.
    """
    return ("SET", key, "", "PX", 1)


def hash_tag(key: str) -> str:
    """Return the part of *key* that decides its slot in a cluster; for a match, its id."""
    return key.partition("{")[2].partition("}")[0] or key


def key_of(command: Command) -> str:
    """Return the first key of a command."""
    return str(command[3] if command[0] in ("EVALSHA", "EVAL") else command[1])
