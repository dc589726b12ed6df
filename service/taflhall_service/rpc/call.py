"""Handling common to all calls: bytes to messages, errors to statuses.

Handlers take raw bytes, so that a malformed message gets a typed error and no traceback. This
is the outermost layer: every unexpected exception is logged with a correlation id, and the
caller gets only the id.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from time import monotonic
from typing import Any, NamedTuple, NoReturn

import grpc
import structlog
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import status_pb2

from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.errors import (
    ApiKeyInvalid,
    Draining,
    Forbidden,
    Malformed,
    Refused,
    SlowConsumer,
    TooLarge,
    TooManyStreams,
)
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.watching.cursor import Cursor
from taflhall_service.observability.logging import frames
from taflhall_service.observability.metrics import Meter, MethodMeter
from taflhall_service.observability.tracing import Tracer
from taflhall_service.rpc.actions import action_of
from taflhall_service.rpc.admission import AdmissionControl, CallerContext
from taflhall_service.rpc.context import Context, Encoded, M
from taflhall_service.rpc.status import internal, pause_of, reason_of, status_of

DETAILS = "grpc-status-details-bin"

PUSHBACK = "grpc-retry-pushback-ms"
"""Time that stock clients wait before they repeat a call."""


class Priced(NamedTuple):
    """An answer that cost more than a call of its kind usually does."""

    answer: Message
    cost: float
    """How many further calls it counts for."""


Unary = Callable[[Any, Identity], Awaitable[Message | Priced | bytes]]
"""A method: takes a message and who calls, returns the answer."""
Stream = Callable[["Call"], Awaitable[None]]
"""A streaming method: reads and writes through its call until it returns."""
Handler = Callable[[Any, Context], Coroutine[Any, Any, Any]]
"""What gRPC calls."""

_log = structlog.get_logger("rpc")


class CallHandlers:
    """Makes the handlers of all calls: they share the limits, the metrics and the drain."""

    def __init__(
        self, limits: Limits, meter: Meter, admission: AdmissionControl, tracer: Tracer
    ) -> None:
        self.limits = limits
        self.meter = meter
        self.admission = admission
        self._tracer = tracer
        self.closing = False
        admission.accounts.on_end.append(self.cancel_revoked)
        self._calls: set[Call] = set()
        self._unary: set[asyncio.Task[Any]] = set()
        """The unary calls under way."""
        self._cut = False
        self._checker: asyncio.Task[None] | None = None

    @property
    def lag(self) -> int:
        """Number of commands that the slowest watcher has not been sent.

        The metrics are read by a thread, so calls may come and go meanwhile.
        """
        cursors = [call.cursor for call in tuple(self._calls)]
        behind = [cursor.behind for cursor in cursors if cursor is not None]
        return max(behind, default=0)

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return len(self._calls)

    async def _check_writes(self) -> None:
        while self._calls:
            await asyncio.sleep(min(1.0, self.limits.write_seconds / 4))
            now = monotonic()
            for call in list(self._calls):
                call.check(now)
        self._checker = None

    async def finish(self, seconds: float) -> None:
        """Wait until no call is under way, at most *seconds*."""
        for _ in range(int(seconds * 50)):
            if not self._calls and not self._unary:
                break
            await asyncio.sleep(0.02)

    def cut(self) -> None:
        """End the calls under way, since the server shuts down; they say so."""
        self._cut = True
        for call in list(self._calls):
            call.cancel_with(Draining())
        for task in list(self._unary):
            task.cancel()

    def cancel_revoked(self) -> None:
        """End the streams whose API key has ended."""
        for call in list(self._calls):
            if call.identity.key is not None and not call.identity.key.alive:
                call.cancel_with(ApiKeyInvalid())

    def parse(self, kind: type[M], data: bytes | Encoded) -> M:
        """Return the message that *data* is, or raise ``TooLarge`` or ``Malformed``."""
        if len(data) > self.limits.request_bytes:
            raise TooLarge(limit=self.limits.request_bytes)
        try:
            return kind.FromString(data) if isinstance(data, bytes) else data.decode(kind)
        except DecodeError as error:
            expected = kind.DESCRIPTOR.full_name
            if not isinstance(data, bytes):  # a person may have written it
                expected += f" ({error})"
            raise Malformed(expected=expected) from None

    def unary(self, method: MethodDescriptor, respond: Unary) -> grpc.RpcMethodHandler[Any, Any]:
        """Return the handler of a unary method of the contract, which *respond* answers.

        gRPC calls it as one whose requests are a stream, so that a caller who is not admitted is
        refused before the request is read: that saves a good part of what a refusal costs.
        """
        name, meter = name_of(method), self._meter_of(method)
        kind, action = GetMessageClass(method.input_type), action_of(name)
        admission, tracer = self.admission, self._tracer

        async def handle(_: object, context: Context) -> bytes:
            started = meter.start()
            caller = admission.identify_host(action, context)
            pause, task = 0, asyncio.current_task()
            assert task is not None
            self._unary.add(task)
            try:
                if self.closing:
                    raise Draining
                with tracer.admission():
                    identity = await admission.admit(action, caller, context)
                data = await context.read()
                if data is grpc.aio.EOF:  # the client has ended the call, or its half of it
                    raise asyncio.CancelledError
                answer = await respond(self.parse(kind, data), identity)
                if not caller.own:
                    admission.charge_result(caller)
                if isinstance(answer, Priced):
                    caller.buckets.penalize(caller.kind, answer.cost)
                    answer = answer.answer
                meter.done(started, "OK")
                return answer if isinstance(answer, bytes) else answer.SerializeToString()
            except Refused as refused:
                admission.charge_result(caller, refused)
                name_method(refused, name)
                status, pause = status_of(refused), pause_of(refused)
                meter.done(started, reason_of(refused).name)
            except asyncio.CancelledError:
                if not self._cut or client_gone(context):
                    meter.done(started, "CANCELLED")
                    raise
                task.uncancel()
                status = status_of(Draining())
                meter.done(started, reason_of(Draining()).name)
            except Exception as error:
                if client_gone(context):
                    meter.done(started, "CANCELLED")
                    raise asyncio.CancelledError from None
                status = fault(name, error)
                meter.done(started, "INTERNAL")
            finally:
                self._unary.discard(task)
            if status.code == _TOO_OFTEN and pause:
                await admission.delay_refusal(caller)
            return await abort(context, status, pause)

        return grpc.stream_unary_rpc_method_handler(self._traced(method, handle))

    def streaming(
        self, method: MethodDescriptor, stream: Stream
    ) -> grpc.RpcMethodHandler[Any, Any]:
        """Return the handler of a method that streams its answers, or both ways."""
        name, meter = name_of(method), self._meter_of(method)
        action = action_of(name)
        opened = self.meter.streams.labels(method.name)

        async def handle(data: Any, context: Context) -> None:
            started = meter.start()
            opened.inc()
            call = Call(self, context, data, self.admission.identify_host(action, context))
            self._calls.add(call)
            if self._checker is None:
                self._checker = asyncio.create_task(self._check_writes())
            reason, pause = "CANCELLED", 0
            try:
                if self.closing:
                    raise Draining
                if self.streams > self.limits.streams:
                    raise TooManyStreams(limit=self.limits.streams)
                with self._tracer.admission():
                    await self.admission.admit(action, call.caller, context)
                with self.admission.stream(call.caller, context.peer()):
                    await stream(call)
                reason = "OK"
                return
            except Refused as refused:
                self.admission.charge_result(call.caller, refused)
                name_method(refused, name)
                status, pause = status_of(refused), pause_of(refused)
                reason = reason_of(refused).name
            except asyncio.CancelledError:
                why = call.cancel_reason()
                if why is None:
                    raise
                status = status_of(why)
                reason = reason_of(why).name
            except Exception as error:
                if client_gone(context):
                    raise asyncio.CancelledError from None
                status = fault(name, error)
                reason = "INTERNAL"
            finally:
                self._calls.discard(call)
                opened.dec()
                meter.done(started, reason)
                self.meter.closed.labels(method.name, call.ending or reason).inc()
            await abort(context, status, pause)

        if method.client_streaming:
            return grpc.stream_stream_rpc_method_handler(self._traced(method, handle))
        return grpc.unary_stream_rpc_method_handler(self._traced(method, handle))

    def _meter_of(self, method: MethodDescriptor) -> MethodMeter:
        return self.meter.method(method.name, self._tracer.end_call)

    def _traced(self, method: MethodDescriptor, handle: Handler) -> Handler:
        """Return *handle* within the span of its call, or as it is if none is recorded."""
        tracer = self._tracer
        if not tracer.is_on:
            return handle

        name = f"{method.containing_service.full_name}/{method.name}"

        async def traced(data: Any, context: Context) -> Any:
            with tracer.call(name, context.invocation_metadata):
                return await handle(data, context)

        return traced


class Call:
    """A streaming call."""

    __slots__ = (
        "_cancel_reason",
        "_context",
        "_data",
        "_handlers",
        "_since",
        "_slow",
        "_task",
        "_writer",
        "caller",
        "cursor",
        "ending",
    )

    def __init__(
        self, handlers: CallHandlers, context: Context, data: Any, caller: CallerContext
    ) -> None:
        self._handlers = handlers
        self._context = context
        self._data = data
        self.caller = caller
        self._task = asyncio.current_task()
        self._cancel_reason: Refused | None = None
        self._writer: asyncio.Task[Any] | None = None
        self._since = 0.0
        self._slow = False
        self.ending = ""
        """Why the last message says that the stream ends; empty if none does."""
        self.cursor: Cursor | None = None
        """How far a watcher is."""

    @property
    def identity(self) -> Identity:
        """The caller."""
        return self.caller.identity

    def request(self, kind: type[M]) -> M:
        """Return the one request of a method that streams only its answers."""
        message = self._handlers.parse(kind, self._data)
        self._data = None
        return message

    async def read(self, kind: type[M]) -> M | None:
        """Return the next request; ``None`` if the client has sent its last."""
        data = await self._context.read()
        if data is grpc.aio.EOF:
            return None
        wait = self._handlers.admission.throttle(self.caller)
        if wait > 0.0:  # answers faster than allowed are slowed down
            await asyncio.sleep(wait)
        return self._handlers.parse(kind, data)

    async def charge(self, answers: int) -> None:
        """Count further answers of one message, and wait until they are allowed."""
        wait = self._handlers.admission.throttle(self.caller, answers)
        if wait > 0.0:
            await asyncio.sleep(wait)

    def spend_lookup(self) -> None:
        """Count a further credential of one message as a read, or raise ``RateLimited``."""
        self._handlers.admission.spend_lookup(self.caller)

    def charge_lookup(self, refused: Refused) -> None:
        """Charge a further credential of one message that was wrong."""
        self._handlers.admission.charge_lookup(self.caller, refused)

    async def write(self, answer: bytes) -> None:
        """Write an answer as soon as the client takes it, or raise ``SlowConsumer``."""
        self._writer = asyncio.current_task()
        self._since = monotonic()
        try:
            await self._context.write(answer)
        except asyncio.CancelledError:
            if not self._slow or self._writer is None:
                raise
            self._writer.uncancel()
            raise SlowConsumer from None
        finally:
            self._writer = None

    def observe_lag(self, ms: int) -> None:
        """Record that a viewer was sent a command *ms* milliseconds after it was committed."""
        self._handlers.meter.fanout.observe(max(0, ms) / 1000)

    def cancel_with(self, why: Refused) -> None:
        """End the call from outside."""
        if self._cancel_reason is None and self._task is not None:
            self._cancel_reason = why
            self._task.cancel()

    def cancel_reason(self) -> Refused | None:
        """Return why the call was ended from outside, if it was; it may then say so."""
        if self._cancel_reason is not None and self._task is not None:
            self._task.uncancel()
        return self._cancel_reason

    def check(self, now: float) -> None:
        """Break off a write that takes too long."""
        if self._writer is not None and now - self._since > self._handlers.limits.write_seconds:
            self._slow = True
            self._writer.cancel()


def name_of(method: MethodDescriptor) -> str:
    """Return the name of a method without its package: ``Service.Method``."""
    return f"{method.containing_service.name}.{method.name}"


def mark_retrieved(task: asyncio.Future[Any]) -> None:
    """Let asyncio not log the error of a task that nobody awaits once its call is cancelled."""
    if not task.cancelled():
        task.exception()


async def abort(context: Context, status: status_pb2.Status, pause_ms: int = 0) -> NoReturn:
    """End the call with *status* and its details, and say how long to wait before the next."""
    trailers: list[tuple[str, str | bytes]] = [(DETAILS, status.SerializeToString())]
    if pause_ms:
        trailers.append((PUSHBACK, str(pause_ms)))
    await context.abort(_CODES[status.code], status.message, tuple(trailers))


def client_gone(context: Context) -> bool:
    """Return whether the client has ended the call; later failures are then expected."""
    return context.cancelled() or context.done()


def name_method(refused: Refused, name: str) -> None:
    """Say in the metadata of ``Forbidden`` which method it is about."""
    if isinstance(refused, Forbidden):
        refused.metadata["method"] = name


def fault(name: str, error: Exception) -> status_pb2.Status:
    """Log an unexpected exception and return a status that does not reveal it."""
    correlation = secrets.token_hex(8)
    kind = type(error).__name__
    _log.error("fault", method=name, correlation=correlation, kind=kind, frames=frames(error))
    return internal(correlation)


_TOO_OFTEN = grpc.StatusCode.RESOURCE_EXHAUSTED.value[0]
_CODES = {code.value[0]: code for code in grpc.StatusCode}
