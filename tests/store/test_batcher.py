"""Group commit: every command gets a reply or an error, independently of those before it."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Sequence
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from redis.exceptions import NoScriptError, ResponseError
from structlog.testing import capture_logs

from taflhall_service.app.errors import DurabilityUnconfirmed, StoredDataDamaged, StoreUnavailable
from taflhall_service.observability.metrics import StoreMetrics
from taflhall_service.store.redis.batcher import MAX_BATCH, CommandBatcher, Script
from taflhall_service.store.redis.transports import SingleNodeTransport
from tests.waiting import LIMIT_SECONDS, settle

BATCH_AND_MORE = range(MAX_BATCH + 5)


class FailingOnce:
    """A transport that raises *error* once, and then replies to each command with itself."""

    def __init__(self, error: BaseException) -> None:
        self.error: BaseException | None = error

    async def exchange(self, commands: Sequence[Any]) -> list[Any]:
        await asyncio.sleep(0)
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        return list(commands)

    async def exchange_replicated(self, commands: Any, replicas: int, timeout_ms: int) -> Any:
        raise NotImplementedError


async def replies_to(batcher: CommandBatcher) -> list[Any]:
    sent = [batcher.send("GET", str(number)) for number in BATCH_AND_MORE]
    async with asyncio.timeout(LIMIT_SECONDS):
        return await asyncio.gather(*sent, return_exceptions=True)


@pytest.mark.parametrize("error", [ConnectionResetError(), ValueError("unexpected")])
async def test_commands_behind_a_failed_pipeline_are_sent(error):
    batcher = CommandBatcher(FailingOnce(error))
    replies = await replies_to(batcher)
    assert all(isinstance(reply, StoreUnavailable) for reply in replies[:MAX_BATCH])
    assert replies[MAX_BATCH:] == [("GET", str(number)) for number in BATCH_AND_MORE[MAX_BATCH:]]
    assert await batcher.send("GET", "one more") == ("GET", "one more")


async def test_waiting_commands_fail_when_the_sender_is_cancelled():
    batcher = CommandBatcher(FailingOnce(asyncio.CancelledError()))
    replies = await replies_to(batcher)
    assert all(isinstance(reply, StoreUnavailable) for reply in replies)
    assert await batcher.send("GET", "one more") == ("GET", "one more")


class SilentConnection:
    """A connection whose server never replies."""

    socket_timeout = 5.0

    async def send_packed_command(self, command: bytes) -> None: ...

    async def read_response(self, *, timeout: float | None = None) -> Any:
        await asyncio.Event().wait()

    async def disconnect(self, nowait: bool) -> None: ...


class LosesCancellations:
    """A client with a pool that hands out a connection when it is cancelled."""

    @property
    def connection_pool(self) -> Any:
        return self

    async def get_connection(self) -> SilentConnection:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return SilentConnection()
        raise AssertionError

    async def release(self, connection: SilentConnection) -> None: ...


async def test_a_limit_that_the_library_loses_ends_the_command_all_the_same():
    client: Any = LosesCancellations()
    batcher = CommandBatcher(SingleNodeTransport(client), timeout=0.01)
    async with asyncio.timeout(LIMIT_SECONDS):
        with pytest.raises(StoreUnavailable):
            await batcher.send("GET", "key")


class Scripted:
    """A transport that returns the given replies and records what is sent."""

    def __init__(self, *replies: Any, confirmed: bool = True) -> None:
        self.pipelines: list[list[Any]] = []
        self.replicated: list[tuple[int, int]] = []
        """For how many stores and how many milliseconds each pipeline with writes waited."""
        self._replies = [*replies]
        self._confirmed = confirmed

    async def exchange(self, commands: Sequence[Any]) -> list[Any]:
        self.pipelines.append(list(commands))
        await asyncio.sleep(0)
        return [self._replies.pop(0) for _ in commands]

    async def exchange_replicated(
        self, commands: Sequence[Any], replicas: int, timeout_ms: int
    ) -> list[tuple[Any, bool]]:
        self.replicated.append((replicas, timeout_ms))
        return [(reply, self._confirmed) for reply in await self.exchange(commands)]


class Counts:
    """What a store counts."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.metrics = StoreMetrics(self.registry)

    def failures(self) -> list[float | None]:
        """Return how often the store was unavailable, and how often a write was unconfirmed."""
        return [
            self.registry.get_sample_value("taflhall_store_errors_total", {"kind": kind})
            for kind in ("unavailable", "unconfirmed")
        ]


async def test_commands_of_one_turn_travel_together_and_later_ones_behind_them():
    transport = Scripted(1, 2, 3)
    batcher = CommandBatcher(transport)
    first, second = batcher.send("GET", "a"), batcher.send("GET", "b")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    third = batcher.send("GET", "c")
    assert [await reply for reply in (third, second, first)] == [3, 2, 1]
    assert transport.pipelines == [[("GET", "a"), ("GET", "b")], [("GET", "c")]]


async def test_commands_of_tasks_whose_turn_it_is_travel_with_the_first():
    transport = Scripted(1, 2)
    batcher = CommandBatcher(transport)

    async def later() -> Any:
        return await batcher.send("GET", "b")

    first, second = await asyncio.gather(batcher.send("GET", "a"), later())
    assert (first, second) == (1, 2)
    assert transport.pipelines == [[("GET", "a"), ("GET", "b")]]


async def test_nothing_is_written_to_a_store_that_may_not_be_written_to():
    counts, transport = Counts(), Scripted(b"value")
    batcher = CommandBatcher(transport, 0, counts.metrics, may_write=lambda: False)
    with pytest.raises(StoreUnavailable):
        await batcher.send("SET", "a", "b", write=True)
    assert await batcher.send("GET", "a") == b"value"
    assert transport.pipelines == [[("GET", "a")]]
    assert counts.failures() == [1, 0]


async def test_a_pipeline_with_a_write_waits_for_replicas():
    transport = Scripted(1, 2, 3)
    batcher = CommandBatcher(transport, 2, replication_timeout=0.25)
    assert await batcher.send("GET", "a") == 1
    assert transport.replicated == []
    written = [batcher.send("GET", "a"), batcher.send("SET", "a", "b", write=True)]
    assert await asyncio.gather(*written) == [2, 3]
    assert transport.replicated == [(2, 250)]


async def test_without_replicas_no_write_waits():
    transport = Scripted(1)
    assert await CommandBatcher(transport).send("SET", "a", "b", write=True) == 1
    assert transport.replicated == []


async def test_a_write_that_too_few_stores_have_is_not_confirmed():
    counts, transport = Counts(), Scripted(1, 2, confirmed=False)
    batcher = CommandBatcher(transport, 1, counts.metrics)
    read, written = batcher.send("GET", "a"), batcher.send("SET", "a", "b", write=True)
    with pytest.raises(DurabilityUnconfirmed) as raised:
        await written
    assert raised.value.metadata == {"durability": "disk"}
    assert await read == 1
    assert transport.replicated == [(1, 1000)]
    assert counts.failures() == [0, 1]


async def test_a_script_is_sent_in_full_where_it_is_not_known():
    script = Script("return 1")
    transport = Scripted(NoScriptError(), 5, 6)
    batcher = CommandBatcher(transport, 1)
    assert await batcher.run_script(script, 1, "key", 7) == 5
    assert await batcher.run_script(script, 1, "key", 8) == 6
    known = "EVALSHA", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", 1, "key"
    assert transport.pipelines == [
        [(*known, 7)],
        [("EVAL", "return 1", 1, "key", 7)],
        [(*known, 8)],
    ]
    assert len(transport.replicated) == 3


async def test_each_command_fails_with_what_its_own_reply_says():
    counts = Counts()
    replies = [
        ResponseError("WRONGTYPE Operation against a key"),
        ResponseError("OOM command not allowed"),
        b"value",
    ]
    batcher = CommandBatcher(Scripted(*replies), 0, counts.metrics)
    sent = [batcher.send("HGET", "taflhall:{match}:m", "a")]
    sent += [batcher.send("GET", name) for name in "bc"]
    damaged, refused, value = await asyncio.gather(*sent, return_exceptions=True)
    assert isinstance(damaged, StoredDataDamaged)
    assert damaged.metadata == {"match_id": "match"}
    assert isinstance(refused, StoreUnavailable)
    assert value == b"value"
    assert counts.failures() == [1, 0]


class Silent(Scripted):
    """It never replies."""

    async def exchange(self, commands: Sequence[Any]) -> list[Any]:
        self.pipelines.append(list(commands))
        await asyncio.Event().wait()
        raise AssertionError


async def test_commands_behind_one_that_gets_no_reply_fail_with_it():
    counts, transport = Counts(), Silent()
    batcher = CommandBatcher(transport, 0, counts.metrics, timeout=0.01)
    replies = await replies_to(batcher)
    assert all(isinstance(reply, StoreUnavailable) for reply in replies)
    assert [len(commands) for commands in transport.pipelines] == [MAX_BATCH]
    assert counts.failures() == [len(replies), 0]


async def test_a_failure_that_nobody_waits_for_is_no_error_of_the_loop():
    errors: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
    batcher = CommandBatcher(FailingOnce(ConnectionResetError()))
    batcher.send("GET", "a")
    batcher.send("GET", "b").cancel()
    await settle(10)
    gc.collect()
    assert await batcher.send("GET", "c") == ("GET", "c")
    assert errors == []


async def test_a_reply_that_nobody_waits_for_holds_up_no_other():
    batcher = CommandBatcher(Scripted(1, 2))
    given_up, awaited = batcher.send("GET", "a"), batcher.send("GET", "b")
    given_up.cancel()
    assert await awaited == 2


class Forgetful(Scripted):
    """It has a reply less than there were commands."""

    async def exchange(self, commands: Sequence[Any]) -> list[Any]:
        return (await super().exchange(commands))[:-1]


async def test_no_command_waits_for_a_reply_that_did_not_come():
    batcher = CommandBatcher(Forgetful(1, 2))
    sent = [batcher.send("GET", "a"), batcher.send("GET", "b")]
    async with asyncio.timeout(LIMIT_SECONDS):
        first, second = await asyncio.gather(*sent, return_exceptions=True)
    assert first == 1
    assert isinstance(second, StoreUnavailable)


async def test_a_failed_pipeline_is_logged_once():
    with capture_logs() as logged:
        await replies_to(CommandBatcher(FailingOnce(ConnectionResetError("reset " * 50))))
        await replies_to(CommandBatcher(Silent(), timeout=0.01))
    assert [(line["event"], line["kind"]) for line in logged] == [
        ("store_error", "ConnectionResetError"),
        ("store_error", "TimeoutError"),
    ]
    assert logged[0]["error"] == "reset " * 20


async def test_a_sender_that_is_cancelled_ends_and_sends_nothing_that_has_failed():
    class Cancelled(Scripted):
        async def exchange(self, commands: Sequence[Any]) -> list[Any]:
            await super().exchange(commands)
            raise asyncio.CancelledError

    transport = Cancelled(*BATCH_AND_MORE)
    batcher = CommandBatcher(transport)
    before = asyncio.all_tasks()
    sent = [batcher.send("GET", str(number)) for number in BATCH_AND_MORE]
    (sender,) = asyncio.all_tasks() - before
    await asyncio.gather(*sent, return_exceptions=True)
    await settle(3)
    assert sender.cancelled()
    with pytest.raises(StoreUnavailable):
        await batcher.send("GET", "one more")
    assert [len(commands) for commands in transport.pipelines] == [MAX_BATCH, 1]
