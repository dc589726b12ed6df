"""The loop behind :meth:`taflhall_client.async_client.Match.watch`: a watch that reconnects."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, Final

import grpc

from taflhall.v1 import match_service_pb2 as rpc
from taflhall_client import errors
from taflhall_client.backoff import Backoff
from taflhall_client.channel import Transport
from taflhall_client.messages import MessageDecoder
from taflhall_client.results import Status, Update

OVER: Final = (rpc.STREAM_END_CAUSE_FINISHED, rpc.STREAM_END_CAUSE_ABANDONED)
"""Why a stream ends that is not to be opened again: so does the match."""


class Patience:
    """When to open a lost stream again, and when to give up."""

    def __init__(self, seconds: float, transport: Transport) -> None:
        self._seconds = seconds
        self._transport = transport
        self._alive = time.monotonic()
        self._backoff = Backoff(transport.timing)

    def heard(self) -> None:
        """The server spoke."""
        self._transport.notice()
        self._alive = time.monotonic()
        self._backoff.reset()

    async def wait(self, failure: errors.TaflhallError) -> None:
        """Pause before the next attempt, or raise *failure* if waiting does not help."""
        if not isinstance(failure, errors.Uncertain | errors.SlowConsumer | errors.RateLimited):
            raise failure
        pause = self._backoff.pause_for(failure)
        seconds = self._transport.patience_for(self._seconds)
        if time.monotonic() + pause - self._alive > seconds:
            raise failure
        await asyncio.sleep(pause)


async def watch(
    transport: Transport,
    decoder_of: Callable[[], Awaitable[MessageDecoder]],
    request: rpc.WatchMatchRequest,
    secret: str | None,
    patience: float,
) -> AsyncGenerator[Update, None]:
    """Yield the updates that *request* asks for until the match is over.

    Each change comes once: one that is repeated is dropped, and where one is missing the stream
    is opened again.
    """
    decoder = await decoder_of()
    waiting = Patience(patience, transport)
    at: int | None = None
    status = Status.UNKNOWN
    while True:
        failure: errors.TaflhallError = errors.Unreachable("the stream ended")
        call = transport.open(transport.match_stub.WatchMatch, request, secret=secret)
        try:
            while True:
                message = await _read(call, transport.timing.silence)
                if message is grpc.aio.EOF:
                    break
                waiting.heard()
                kind = message.WhichOneof("update")
                if kind == "change" and at is not None and message.revision != at + 1:
                    if message.revision <= at:
                        continue
                    failure = errors.Unreachable(f"the stream skipped revision {at + 1}")
                    break
                if kind in ("snapshot", "change"):
                    at = message.revision
                request.resume_token = message.resume_token or request.resume_token
                if kind == "end":
                    if message.end.cause in OVER:
                        yield _last(message, decoder.match(message.end.match))
                        return
                    if message.end.cause == rpc.STREAM_END_CAUSE_REPLACED:
                        raise errors.Replaced("another caller holds this seat now")
                    failure = errors.Draining("the server closed the stream")
                    break
                update = decoder.update(message) or decoder.live_update(message, status)
                if update is not None:
                    status = update.status
                    yield update
        except grpc.aio.AioRpcError as error:
            failure = await transport.failure(error)
        except TimeoutError:
            failure = errors.Unreachable("the stream fell silent")
        finally:
            call.cancel()
        await waiting.wait(failure)


async def _read(call: Any, silence: float) -> Any:
    async with asyncio.timeout(silence):
        return await call.read()


def _last(message: rpc.WatchMatchResponse, info: Any) -> Update:
    return Update(message.revision, [], [], None, info.status, message.resume_token, match=info)
