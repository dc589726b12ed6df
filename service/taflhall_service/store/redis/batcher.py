"""Group commit: commands issued in the same turn of the event loop travel together.

One pipeline, one round trip and one fsync serve all commands that arrive while the previous
pipeline is under way; each gets its own reply. The pipeline is not a transaction: every atomic
change is one script. In a cluster the transport splits a pipeline by node.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from typing import Final

import structlog
from redis.exceptions import NoScriptError, RedisError, ResponseError

from taflhall_service.app.errors import DurabilityUnconfirmed, StoredDataDamaged, StoreUnavailable
from taflhall_service.observability.metrics import StoreMetrics
from taflhall_service.store.redis.client import Argument, Command, Reply
from taflhall_service.store.redis.transports import Transport, hash_tag, key_of

MAX_BATCH: Final = 256
"""Commands in one pipeline."""

COMMAND_SECONDS: Final = 5.0
"""How long a command may take: a store that is silent for longer does not answer."""

CONNECTION_ERRORS: Final = (RedisError, OSError, RuntimeError)
"""Raised when a connection breaks; uvloop raises ``RuntimeError`` for one that is closed."""

_log = structlog.get_logger("store")


class Script:
    """A script that is called by its digest, and sent in full where that is not known."""

    def __init__(self, source: str) -> None:
        self.source: Final = source
        self.sha: Final = hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest()


class PendingCommand:
    """A command that waits for its pipeline."""

    __slots__ = ("command", "reply", "write")

    def __init__(self, command: Command, write: bool, reply: asyncio.Future[Reply]) -> None:
        self.command = command
        self.write = write
        self.reply = reply


class CommandBatcher:
    """Sends commands over a transport, and counts those that fail.

    With *replicas* above 0 each pipeline that writes ends with WAIT on the same connection; if
    fewer further stores have the writes within *replication_timeout* seconds, its commands fail
    with ``DurabilityUnconfirmed``. No command waits longer than about *timeout* seconds. While
    *may_write* returns false no write is sent.
    """

    def __init__(
        self,
        transport: Transport,
        replicas: int = 0,
        metrics: StoreMetrics | None = None,
        *,
        may_write: Callable[[], bool] = lambda: True,
        timeout: float = COMMAND_SECONDS,
        replication_timeout: float = 1.0,
    ) -> None:
        self._transport = transport
        self._may_write = may_write
        self._timeout = timeout
        self._replicas = replicas
        self._replication_timeout = replication_timeout
        self._metrics = metrics or StoreMetrics()
        self._waiting: list[PendingCommand] = []
        self._busy = False
        self._sender: asyncio.Task[None] | None = None

    def send(self, *command: Argument, write: bool = False) -> asyncio.Future[Reply]:
        """Send a command with the next pipeline; await its reply."""
        loop = asyncio.get_running_loop()
        pending = PendingCommand(command, write, loop.create_future())
        if write and not self._may_write():
            self._fail(pending, StoreUnavailable())
            return pending.reply
        self._waiting.append(pending)
        if not self._busy:
            self._busy = True
            self._sender = loop.create_task(self._send_all())
        return pending.reply

    async def run_script(self, script: Script, keys: int, *arguments: Argument) -> Reply:
        """Run *script*; the first *keys* of *arguments* are its keys."""
        try:
            return await self.send("EVALSHA", script.sha, keys, *arguments, write=True)
        except NoScriptError:  # new to this server, or the server has restarted
            return await self.send("EVAL", script.source, keys, *arguments, write=True)

    async def _send_all(self) -> None:
        try:
            await asyncio.sleep(0)  # collect all commands of this turn
            while self._waiting:
                batch, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
                await self._send_or_fail(batch)
        finally:
            self._busy = False

    async def _send_or_fail(self, batch: list[PendingCommand]) -> None:
        try:
            async with asyncio.timeout(self._timeout):
                await self._send(batch)
        except TimeoutError as error:  # the commands behind would find the same
            unavailable(error)
            self._fail_all([*batch, *self._waiting])
            self._waiting.clear()
        except CONNECTION_ERRORS as error:
            unavailable(error)
            self._fail_all(batch)
        except Exception as error:  # the commands behind this batch are sent all the same
            _log.error("store_failed", kind=type(error).__name__)
            self._fail_all(batch)
        except BaseException:
            self._fail_all([*batch, *self._waiting])
            self._waiting.clear()
            raise

    async def _send(self, batch: list[PendingCommand]) -> None:
        commands = [pending.command for pending in batch]
        if self._replicas > 0 and any(pending.write for pending in batch):
            timeout_ms = int(self._replication_timeout * 1000)
            replies = await self._transport.exchange_replicated(
                commands, self._replicas, timeout_ms
            )
        else:
            replies = [(reply, True) for reply in await self._transport.exchange(commands)]
        for pending, (reply, confirmed) in zip(batch, replies, strict=True):
            if not isinstance(reply, Exception) and (confirmed or not pending.write):
                if not pending.reply.done():
                    pending.reply.set_result(reply)
            elif isinstance(reply, NoScriptError):
                self._fail(pending, reply)
            elif isinstance(reply, ResponseError) and str(reply).startswith("WRONGTYPE"):
                self._fail(pending, StoredDataDamaged(match_id=hash_tag(key_of(pending.command))))
            elif isinstance(reply, Exception):
                self._fail(pending, unavailable(reply))
            else:
                self._fail(pending, DurabilityUnconfirmed(durability="disk"))

    def _fail_all(self, batch: list[PendingCommand]) -> None:
        for pending in batch:
            self._fail(pending, StoreUnavailable())

    def _fail(self, pending: PendingCommand, error: Exception) -> None:
        if isinstance(error, StoreUnavailable):
            self._metrics.unavailable.inc()
        elif isinstance(error, DurabilityUnconfirmed):
            self._metrics.unconfirmed.inc()
        if not pending.reply.done():
            pending.reply.set_exception(error)
            pending.reply.exception()  # its caller may have given up waiting


def unavailable(error: BaseException) -> StoreUnavailable:
    """Log the error of Redis, without its arguments, and return the one that callers get."""
    _log.warning("store_error", kind=type(error).__name__, error=str(error)[:120])
    return StoreUnavailable()
