"""What a handler needs of its call, the same over gRPC, HTTP and WebSockets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn, Protocol, TypeVar

import grpc
from google.protobuf.message import Message

M = TypeVar("M", bound=Message)

Trailers = Sequence[tuple[str, str | bytes]]


class Context(Protocol):
    """A call; ``grpc.aio.ServicerContext`` is one."""

    def invocation_metadata(self) -> Any:
        """Return the metadata of the request as pairs of name and value."""

    def peer(self) -> str:
        """Return the caller's address as gRPC writes it: ``ipv4:127.0.0.1:50412``."""
        ...

    async def abort(
        self, code: grpc.StatusCode, details: str = "", trailing_metadata: Any = ()
    ) -> NoReturn:
        """End the call with a status."""

    async def read(self) -> Any:
        """Return the next request, or ``grpc.aio.EOF``."""

    async def write(self, message: Any) -> None:
        """Send a response of a stream as soon as the client takes it."""

    def cancelled(self) -> bool:
        """Return whether the client has cancelled the call."""
        ...

    def done(self) -> bool:
        """Return whether the call has ended."""
        ...


class Encoded(Protocol):
    """A request in another encoding than protobuf's binary one."""

    def __len__(self) -> int:
        """Return its size in bytes."""
        ...

    def decode(self, kind: type[M]) -> M:
        """Return the message, or raise ``DecodeError``."""
        ...
