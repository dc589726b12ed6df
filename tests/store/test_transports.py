"""How commands travel: over which connection, how often, and what is made of a broken one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from redis.exceptions import AskError, MovedError, ResponseError
from redis.exceptions import ConnectionError as RedisConnectionError

from taflhall_service.store.redis.transports import (
    RETRY_DELAYS,
    ClusterTransport,
    SingleNodeTransport,
    hash_tag,
    key_of,
)
from tests.virtual_time import in_virtual_time, now_ms
from tests.waiting import settle

PING: list[Any] = [("PING",)]


class Connection:
    """A connection that replies with what it is given, and breaks at an exception."""

    def __init__(self, *replies: Any) -> None:
        self.socket_timeout: float | None = 5.0
        self.replies = [*replies]
        self.sent: list[bytes] = []
        self.disconnected = 0
        self.gate = asyncio.Event()
        self.gate.set()

    async def send_packed_command(self, command: bytes) -> None:
        assert self.socket_timeout is None  # each write would be a task of its own
        self.sent.append(command)

    async def read_response(self, *, timeout: float | None = None) -> Any:
        await self.gate.wait()
        reply = self.replies.pop(0)
        if isinstance(reply, BaseException):
            raise reply
        return reply

    async def disconnect(self, nowait: bool) -> None:
        assert nowait
        self.disconnected += 1


class Pool:
    """A client with a pool that hands out its connections one after the other."""

    def __init__(self, *connections: Connection) -> None:
        self._free = [*connections]
        self.released: list[Connection] = []
        self.taken_at: list[int] = []

    @property
    def connection_pool(self) -> Any:
        return self

    async def get_connection(self) -> Connection:
        self.taken_at.append(now_ms())
        return self._free.pop(0)

    async def release(self, connection: Connection) -> None:
        assert connection.socket_timeout == 5.0  # as others expect it
        self.released.append(connection)


def over(*connections: Connection) -> tuple[SingleNodeTransport, Pool]:
    pool: Any = Pool(*connections)
    return SingleNodeTransport(pool), pool


def gone() -> Exception:
    return RedisConnectionError("gone")


@in_virtual_time
async def test_commands_are_sent_with_one_write_and_the_connection_is_kept():
    connection = Connection(b"a", ResponseError("refused"), 3, b"PONG")
    transport, pool = over(connection)
    first, second, third = await transport.exchange([("GET", "a"), ("GET", b"b"), ("INCR", 7)])
    assert (first, third) == (b"a", 3)
    assert isinstance(second, ResponseError)
    assert connection.sent == [
        b"*2\r\n$3\r\nGET\r\n$1\r\na\r\n*2\r\n$3\r\nGET\r\n$1\r\nb\r\n*2\r\n$4\r\nINCR\r\n$1\r\n7\r\n"
    ]
    assert await transport.exchange(PING) == [b"PONG"]
    assert (pool.taken_at, pool.released, connection.disconnected) == ([0], [], 0)


@in_virtual_time
async def test_a_broken_exchange_is_repeated_twice_and_then_fails():
    broken = [Connection(gone()), Connection(OSError()), Connection(gone())]
    transport, pool = over(*broken, Connection(b"PONG"))
    with pytest.raises(RedisConnectionError):
        await transport.exchange(PING)
    assert pool.taken_at == [0, 20, 120]
    assert len(RETRY_DELAYS) == 2
    assert pool.released == broken
    assert [connection.disconnected for connection in broken] == [1, 1, 1]
    assert await transport.exchange(PING) == [b"PONG"]


@in_virtual_time
async def test_a_repeated_exchange_starts_anew():
    transport, pool = over(Connection(b"a", gone()), Connection(b"c", b"d"))
    assert await transport.exchange([*PING, *PING]) == [b"c", b"d"]
    assert pool.taken_at == [0, 20]


@in_virtual_time
async def test_what_is_no_connection_error_is_not_repeated():
    connection = Connection(ValueError("odd"))
    transport, pool = over(connection)
    with pytest.raises(ValueError, match="odd"):
        await transport.exchange(PING)
    assert (pool.taken_at, pool.released, connection.disconnected) == ([0], [connection], 1)


@in_virtual_time
async def test_exchanges_at_once_use_connections_of_their_own_and_one_is_kept():
    one, two = Connection(b"one", b"again"), Connection(b"two")
    transport, pool = over(one, two)
    for connection in (one, two):
        connection.gate.clear()
    first = asyncio.create_task(transport.exchange(PING))
    second = asyncio.create_task(transport.exchange(PING))
    await settle(3)
    one.gate.set()
    assert await first == [b"one"]
    two.gate.set()
    assert await second == [b"two"]
    assert pool.released == [two]
    assert await transport.exchange(PING) == [b"again"]
    assert two.disconnected == one.disconnected == 0


@in_virtual_time
async def test_a_connection_whose_exchange_was_cancelled_is_not_used_again():
    connection, other = Connection(b"late"), Connection(b"PONG")
    transport, pool = over(connection, other)
    connection.gate.clear()
    task = asyncio.create_task(transport.exchange(PING))
    await settle(3)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert (pool.released, connection.disconnected) == ([connection], 1)
    assert await transport.exchange(PING) == [b"PONG"]


@in_virtual_time
@pytest.mark.parametrize(
    ("reached", "confirmed"), [(2, True), (3, True), (1, False), (None, False)]
)
async def test_writes_are_confirmed_if_enough_replicas_have_them(reached: Any, confirmed: bool):
    connection = Connection(b"a", b"b", b"OK", reached)
    transport, _ = over(connection)
    found = await transport.exchange_replicated([("SET", "a", "b"), ("GET", "a")], 2, 250)
    assert found == [(b"a", confirmed), (b"b", confirmed)]
    fence = b"*5\r\n$3\r\nSET\r\n$14\r\ntaflhall:fence\r\n$0\r\n\r\n$2\r\nPX\r\n$1\r\n1\r\n"
    wait = b"*3\r\n$4\r\nWAIT\r\n$1\r\n2\r\n$3\r\n250\r\n"
    assert connection.sent[0].endswith(fence + wait)


@pytest.mark.parametrize(
    ("key", "tag"),
    [("taflhall:{abc}:m", "abc"), ("plain", "plain"), ("{}x", "{}x"), ("a{b}c{d}", "b")],
)
def test_the_slot_of_a_key_follows_from_its_tag(key: str, tag: str):
    assert hash_tag(key) == tag


def test_the_first_key_of_a_script_stands_behind_their_number():
    assert key_of(("GET", "a", "b")) == "a"
    for script in ("EVAL", "EVALSHA"):
        assert key_of((script, "source", 1, "key")) == "key"


# ---------------------------------------------------------------- clusters


class ClusterNode:
    """A node that replies with what it is given, or fails as a whole."""

    def __init__(self, *replies: Any, error: Exception | None = None) -> None:
        self.pipelines: list[list[Any]] = []
        self._replies = [*replies]
        self._error = error

    async def execute_pipeline(self, pipeline: Sequence[Any]) -> bool:
        self.pipelines.append([command.args for command in pipeline])
        if self._error is not None:
            raise self._error
        for command in pipeline:
            command.result = self._replies.pop(0)
        return True


class Cluster:
    """A cluster that has a key on the node which its last letter names."""

    def __init__(self, **nodes: ClusterNode) -> None:
        self.nodes = nodes
        self.response_callbacks: dict[str, Any] = {"XRANGE": list, "SET": bool}
        self.exchanged: list[Any] = []
        """What was left to the library."""
        self._queued: list[Any] = []

    def get_node_from_key(self, key: str) -> ClusterNode:
        return self.nodes[key[-1]]

    def pipeline(self, *, transaction: bool) -> Any:
        assert not transaction
        return self

    def execute_command(self, *command: Any) -> Any:
        self._queued.append(command)
        return self

    async def execute(self, *, raise_on_error: bool) -> list[Any]:
        assert not raise_on_error
        queued, self._queued = self._queued, []
        self.exchanged += queued
        return [b"found " + str(command[1]).encode() for command in queued]


def in_cluster(**nodes: ClusterNode) -> tuple[ClusterTransport, Cluster]:
    cluster: Any = Cluster(**nodes)
    return ClusterTransport(cluster), cluster


async def test_a_cluster_finds_the_nodes_and_reshapes_no_replies():
    transport, cluster = in_cluster()
    assert list(cluster.response_callbacks) == ["SET"]
    assert await transport.exchange([("GET", "a"), ("GET", "b")]) == [b"found a", b"found b"]
    assert cluster.exchanged == [("GET", "a"), ("GET", "b")]


async def test_each_node_of_a_cluster_confirms_what_it_was_sent():
    one, two = ClusterNode(1, 3, b"OK", 2), ClusterNode(2, b"OK", 1)
    transport, cluster = in_cluster(a=one, b=two)
    commands = [("SET", "xa"), ("SET", "{t}b"), ("SET", "ya")]
    found = await transport.exchange_replicated(commands, 2, 250)
    assert found == [(1, True), (2, False), (3, True)]
    assert one.pipelines == [
        [("SET", "xa"), ("SET", "ya"), ("SET", "taflhall:{xa}:f", "", "PX", 1), ("WAIT", 2, 250)]
    ]
    assert two.pipelines[0][1:] == [("SET", "taflhall:{t}:f", "", "PX", 1), ("WAIT", 2, 250)]
    assert cluster.exchanged == []


async def test_the_library_finds_what_a_node_no_longer_has_and_nothing_confirms_it():
    moved, asked = MovedError("5 127.0.0.1:1"), AskError("5 127.0.0.1:1")
    one = ClusterNode(moved, 1, asked, ResponseError("refused"), b"OK", 2)
    two = ClusterNode(error=gone())
    transport, cluster = in_cluster(a=one, b=two)
    commands = [("SET", name) for name in ("1a", "2a", "3a", "4a", "5b")]
    found = await transport.exchange_replicated(commands, 2, 250)
    assert [confirmed for _, confirmed in found] == [False, True, False, True, False]
    assert [reply for reply, _ in found[:3]] == [b"found 1a", 1, b"found 3a"]
    assert isinstance(found[3][0], ResponseError)
    assert found[4][0] == b"found 5b"
    assert cluster.exchanged == [commands[0], commands[2], commands[4]]
