"""A server inside this process: the wiring of ``taflhall_service.main`` without its process.

Handlers can be called directly, with a context of ours, for volume (``call``), or over a real
socket (``address``). Several may share what is stored.
"""

from __future__ import annotations

import asyncio
import io
from functools import lru_cache
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

import grpc
import structlog
from google.rpc import error_details_pb2, status_pb2

from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.model.limits import Limits, Rates
from taflhall_service.app.spectating.spectators import Spectators
from taflhall_service.app.watching.channels import Hub
from taflhall_service.observability.metrics import Meter
from taflhall_service.rpc.server import Server
from taflhall_service.store.memory import Memory, MemoryStore

LIMITS: Final = Limits(heartbeat_seconds=0.2, engine_plies=500, rates=Rates(0.0, 0.0, 0.0, 0.0))


class Inside:
    """One server over a store in memory. Use it as an asynchronous context manager."""

    def __init__(self, memory: Memory | None = None) -> None:
        self.memory: Final = memory or Memory()
        self.meter: Final = Meter()
        self.address = ""
        self.log = io.StringIO()
        self._store = MemoryStore(self.memory)
        self.matches: Matches
        self.server: Server

    async def __aenter__(self) -> Self:
        hub = Hub(self._store)
        self.matches = Matches(self._store, hub, LIMITS, await self._store.key(), 500)
        self.server = Server(
            Spectators(self.matches), LIMITS, self.meter, reflect=False, share_port=False
        )
        port = await self.server.start("127.0.0.1:0")
        self.address = f"127.0.0.1:{port}"
        self.handlers: dict[str, Any] = {
            f"/{method.descriptor.containing_service.full_name}/{method.descriptor.name}": (
                method.handler
            )
            for method in self.server.methods
        }
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.matches.hub.stop()
        await self.server.server.stop(0)
        await self._store.close()

    async def call(
        self, method: str, data: bytes, metadata: tuple[tuple[str, Any], ...] = ()
    ) -> Answer:
        """Call the handler of a unary *method* (``/package.Service/Method``) directly."""
        context = _Unary(metadata, data)
        try:
            answer = await self.handlers[method].stream_unary(None, context)
        except _Aborted:
            return context.answer
        return Answer(_OK, "", b"", answer)

    def stream(
        self, method: str, data: bytes, metadata: tuple[tuple[str, Any], ...] = ()
    ) -> Stream:
        """Call the handler of a *method* that streams its answers."""
        return Stream(self.handlers[method].unary_stream, data, metadata)


class Answer(NamedTuple):
    """How a call ended."""

    code: grpc.StatusCode
    reason: str
    details: bytes
    """The status with its details, as it travels."""
    body: bytes


_OK: Final = grpc.StatusCode.OK
_UNKNOWN: Final = Answer(grpc.StatusCode.UNKNOWN, "", b"", b"")


class _Aborted(Exception):
    pass


class _Context:
    """What a handler sees of a call."""

    __slots__ = ("_metadata", "answer")

    def __init__(self, metadata: tuple[tuple[str, Any], ...]) -> None:
        self._metadata = metadata
        self.answer = _UNKNOWN

    def invocation_metadata(self) -> tuple[tuple[str, Any], ...]:
        return self._metadata

    def peer(self) -> str:
        return "ipv4:127.0.0.1:1"

    def set_trailing_metadata(self, trailing: Any) -> None:
        """Drop what goes along with an answer."""

    def cancelled(self) -> bool:
        return False

    def done(self) -> bool:
        return False

    async def abort(self, code: grpc.StatusCode, text: str, trailing: Any = ()) -> None:
        details = dict(trailing).get("grpc-status-details-bin", b"")
        self.answer = Answer(code, reason_in(details), details, b"")
        raise _Aborted


class _Unary(_Context):
    """A call with one request."""

    __slots__ = ("_data",)

    def __init__(self, metadata: tuple[tuple[str, Any], ...], data: bytes) -> None:
        super().__init__(metadata)
        self._data = data

    async def read(self) -> bytes:
        return self._data


class Stream(_Context):
    """A call of a handler that streams its answers, and what it has said so far."""

    __slots__ = ("_said", "_task")

    def __init__(self, handler: Any, data: bytes, metadata: tuple[tuple[str, Any], ...]) -> None:
        super().__init__(metadata)
        self._said: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._task = asyncio.create_task(self._run(handler, data))

    async def _run(self, handler: Any, data: bytes) -> None:
        try:
            await handler(data, self)
            self.answer = Answer(_OK, "", b"", b"")
        except _Aborted:
            pass
        finally:
            self._said.put_nowait(None)

    async def write(self, message: bytes) -> None:
        self._said.put_nowait(message)

    async def read(self) -> bytes | None:
        """Return the next message; ``None`` after the last, when ``answer`` says how it ended."""
        return await self._said.get()

    async def leave(self) -> None:
        """Listen no more, and let the handler notice."""
        self._task.cancel()
        await asyncio.wait([self._task])


@lru_cache(4096)
def reason_in(details: bytes) -> str:
    """Return the reason that the details of a status name."""
    info = error_details_pb2.ErrorInfo()
    for detail in status_pb2.Status.FromString(details).details:
        if detail.Unpack(info):
            return str(info.reason)
    return ""


def quiet_logs(file: Any) -> None:
    """Let the service log into *file*."""
    structlog.configure(
        processors=[structlog.processors.add_log_level, structlog.processors.JSONRenderer()],
        logger_factory=structlog.PrintLoggerFactory(file),
        cache_logger_on_first_use=False,
    )
