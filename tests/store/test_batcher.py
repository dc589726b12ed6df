"""Group commit: every command gets a reply or an error, independently of those before it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.store.redis.batcher import MAX_BATCH, CommandBatcher
from taflhall_service.store.redis.transports import SingleNodeTransport
from tests.waiting import LIMIT_SECONDS

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
