"""Streams that are opened again when they are lost."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Iterable
from typing import Any, Final, Protocol, TypeVar

import grpc

from taflhall_client import errors
from taflhall_client.backoff import Backoff
from taflhall_client.channel import Transport

M_contra = TypeVar("M_contra", contravariant=True)
U = TypeVar("U")
U_co = TypeVar("U_co", covariant=True)

TEMPORARY: Final = (errors.Uncertain, errors.SlowConsumer, errors.RateLimited)
"""Failures of a stream that a new one may mend."""


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
        if not isinstance(failure, TEMPORARY):
            raise failure
        pause = self._backoff.pause_for(failure)
        seconds = self._transport.patience_for(self._seconds)
        if time.monotonic() + pause - self._alive > seconds:
            raise failure
        await asyncio.sleep(pause)


class Source(Protocol[M_contra, U_co]):
    """Opens the streams of one watch, and says what is new in their messages."""

    over: bool
    """Whether nothing follows what was taken."""

    async def open(self) -> Any:
        """Open a stream that begins after the last message."""
        ...

    def take(self, message: M_contra) -> Iterable[U_co]:
        """Return what is new in *message*, or raise why the stream has to be opened again."""
        ...


async def updates(
    transport: Transport, source: Source[Any, U], patience: float
) -> AsyncGenerator[U, None]:
    """Yield what is new until the source is over.

    Raise the last error if it does not pass, or no server answers for *patience* seconds.
    """
    waiting: Final = Patience(patience, transport)
    while True:
        call = await source.open()
        try:
            while not source.over:
                message = await _read(call, transport)
                waiting.heard()
                for update in source.take(message):
                    yield update
            return
        except errors.TaflhallError as error:
            failure = error
        finally:
            call.cancel()
        await waiting.wait(failure)


async def _read(call: Any, transport: Transport) -> Any:
    """Return the next message of a stream, or raise why it is lost."""
    try:
        async with asyncio.timeout(transport.silence):
            message = await call.read()
    except grpc.aio.AioRpcError as error:
        raise await transport.failure(error) from None
    except TimeoutError:
        silent = errors.Unreachable("the stream fell silent")
        raise await transport.explained(silent) from None
    if message is grpc.aio.EOF:
        raise errors.Unreachable("the stream ended")
    return message
