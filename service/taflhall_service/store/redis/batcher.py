"""Group commit: calls that are ready in the same turn of the event loop travel together.

One pipeline, one round trip and one fsync serve all calls that come up while the pipeline
before it is under way; each gets its own answer. The pipeline is no transaction: what has to
be atomic is one script. In a cluster the client parts a pipeline by node.
"""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any, Final

import structlog
from redis.exceptions import NoScriptError, RedisError

from taflhall_service.app.errors import DurabilityUnconfirmed, StoreUnavailable
from taflhall_service.store.redis.transports import Line

MOST: Final = 256
"""Calls that one pipeline carries at the most."""

GONE: Final = (RedisError, OSError, RuntimeError)
"""What is raised when the connection breaks; uvloop says ``RuntimeError`` to one that is closed."""

_log = structlog.get_logger("store")


class Script:
    """A script that is called by its digest, and sent whole where that is not known."""

    def __init__(self, source: str) -> None:
        self.source: Final = source
        self.sha: Final = hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest()


class Call:
    """One call that waits for its pipeline."""

    __slots__ = ("answer", "args", "write")

    def __init__(self, args: tuple[Any, ...], write: bool, answer: asyncio.Future[Any]) -> None:
        self.args = args
        self.write = write
        self.answer = answer


class Calls:
    """Sends calls over a line.

    With *copies* above 0 each pipeline that writes ends with WAIT on the same connection; if
    fewer further stores have what was written within *patience* seconds, its calls fail with
    ``DurabilityUnconfirmed``.
    """

    def __init__(self, line: Line, copies: int = 0, patience: float = 1.0) -> None:
        self._line = line
        self._copies = copies
        self._patience = patience
        self._waiting: list[Call] = []
        self._busy = False
        self._sender: asyncio.Task[None] | None = None

    def call(self, *args: Any, write: bool = False) -> asyncio.Future[Any]:
        """Send a command with the next pipeline; await the answer."""
        loop = asyncio.get_running_loop()
        call = Call(args, write, loop.create_future())
        self._waiting.append(call)
        if not self._busy:
            self._busy = True
            self._sender = loop.create_task(self._send_all())
        return call.answer

    async def run(self, script: Script, keys: int, *args: Any) -> Any:
        """Run *script*; the first *keys* of *args* are its keys."""
        try:
            return await self.call("EVALSHA", script.sha, keys, *args, write=True)
        except NoScriptError:  # it is new there, or the store has restarted
            return await self.call("EVAL", script.source, keys, *args, write=True)

    async def _send_all(self) -> None:
        try:
            await asyncio.sleep(0)  # whoever is ready in this turn comes along
            while self._waiting:
                calls, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
                await self._send_or_fail(calls)
        finally:
            self._busy = False

    async def _send_or_fail(self, calls: list[Call]) -> None:
        try:
            await self._send(calls)
        except GONE as error:
            unavailable(error)
            for call in calls:
                _fail(call, StoreUnavailable())
        except Exception as error:  # those who wait behind it are sent all the same
            _log.error("store_failed", kind=type(error).__name__)
            for call in calls:
                _fail(call, StoreUnavailable())
        except BaseException:
            for call in [*calls, *self._waiting]:
                _fail(call, StoreUnavailable())
            self._waiting.clear()
            raise

    async def _send(self, calls: list[Call]) -> None:
        commands = [call.args for call in calls]
        if self._copies > 0 and any(call.write for call in calls):
            patience = int(self._patience * 1000)
            answers = await self._line.confirmed(commands, self._copies, patience)
        else:
            answers = [(answer, True) for answer in await self._line.exchange(commands)]
        for call, (answer, safe) in zip(calls, answers, strict=True):
            if isinstance(answer, NoScriptError):
                _fail(call, answer)
            elif isinstance(answer, Exception):
                _fail(call, unavailable(answer))
            elif call.write and not safe:
                _fail(call, DurabilityUnconfirmed(durability="disk"))
            elif not call.answer.done():
                call.answer.set_result(answer)


def _fail(call: Call, error: Exception) -> None:
    if not call.answer.done():
        call.answer.set_exception(error)
        call.answer.exception()  # it may be that nobody waits any more


def unavailable(error: BaseException) -> StoreUnavailable:
    """Log what Redis said, without its arguments, and return what callers are told."""
    _log.warning("store_error", kind=type(error).__name__, said=str(error)[:120])
    return StoreUnavailable()
