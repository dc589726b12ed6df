"""One call: its handler runs in a task of its own, until its deadline or the client's end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any, NoReturn

import grpc

from taflhall_service.rpc.context import Encoded, Trailers
from taflhall_service.web.asgi import ClientDisconnected
from taflhall_service.web.methods import WebMethod
from taflhall_service.web.status import CallEnded

Reader = Callable[[], Awaitable[bytes | Encoded | None]]
Writer = Callable[[bytes], Awaitable[None]]


async def _nothing_more() -> None:
    return None


async def _only(request: bytes | Encoded) -> bytes | Encoded:
    return request


async def _unary(_: bytes) -> None:
    raise NotImplementedError("a unary method returns its response")


class WebCall:
    """The context of a handler, as :class:`~taflhall_service.rpc.context.Context` has it."""

    __slots__ = ("_cancelled", "_metadata", "_peer", "_read", "_write")

    def __init__(
        self,
        metadata: Iterable[tuple[str, str]],
        peer: str,
        write: Writer = _unary,
        read: Reader = _nothing_more,
    ) -> None:
        self._metadata = metadata
        self._peer = peer
        self._write = write
        self._read = read
        self._cancelled = False

    async def run(
        self,
        method: WebMethod,
        request: bytes | Encoded | None,
        gone: Awaitable[None],
        timeout: float | None = None,
    ) -> Any:
        """Return what the handler of *method* returns; raise ``CallEnded`` for any other end.

        When the client is *gone*, or after *timeout* seconds, the handler is cancelled.
        """
        if request is not None:
            self._read = partial(_only, request)
        handler = asyncio.ensure_future(method.handle(request, self))
        watch = asyncio.ensure_future(gone)
        try:
            await asyncio.wait((handler, watch), timeout=timeout, return_when="FIRST_COMPLETED")
            if not handler.done():
                self._cancelled = True
                handler.cancel()
                await asyncio.wait((handler,))
        finally:
            handler.cancel()
            if watch.done():
                watch.exception()
            else:
                watch.cancel()
        if not handler.cancelled():
            return handler.result()
        if watch.done() or timeout is None:
            raise CallEnded(grpc.StatusCode.CANCELLED, "the client cancelled the call")
        raise CallEnded(grpc.StatusCode.DEADLINE_EXCEEDED, f"the call took over {timeout:g} s")

    def invocation_metadata(self) -> Iterable[tuple[str, str]]:
        """Return the headers of the request."""
        return self._metadata

    def peer(self) -> str:
        """Return the caller's address."""
        return self._peer

    async def abort(
        self, code: grpc.StatusCode, details: str = "", trailing_metadata: Trailers = ()
    ) -> NoReturn:
        """End the call with a status."""
        raise CallEnded(code, details, trailing_metadata)

    async def read(self) -> Any:
        """Return the next request, or ``grpc.aio.EOF``."""
        request = await self._read()
        return grpc.aio.EOF if request is None else request

    async def write(self, message: bytes) -> None:
        """Send a response of a stream as soon as the client takes it."""
        try:
            await self._write(message)
        except ClientDisconnected:
            self._cancelled = True
            raise

    def cancelled(self) -> bool:
        """Return whether the client has cancelled the call, or its deadline has passed."""
        return self._cancelled

    def done(self) -> bool:
        """Return whether the call has ended."""
        return self._cancelled
