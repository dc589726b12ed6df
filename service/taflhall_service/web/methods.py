"""The methods of the contract by their paths."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from taflhall_service.rpc.server import ServedMethod


class WebMethod:
    """A method as the web calls it."""

    __slots__ = ("answers", "client_streaming", "handle", "path", "safe", "server_streaming")

    def __init__(self, served: ServedMethod) -> None:
        descriptor, handler = served.descriptor, served.handler
        self.path: Final = f"/{descriptor.containing_service.full_name}/{descriptor.name}"
        self.client_streaming: Final = descriptor.client_streaming
        self.server_streaming: Final = descriptor.server_streaming
        self.answers: Final[type[Message]] = GetMessageClass(descriptor.output_type)
        level = descriptor.GetOptions().idempotency_level
        self.safe: Final = level == MethodOptions.NO_SIDE_EFFECTS
        """Calling it changes nothing, so Connect may use GET."""
        self.handle: Final[Any] = (
            handler.stream_stream
            if self.client_streaming
            else handler.unary_stream
            if self.server_streaming
            else handler.stream_unary
        )


def by_path(served: Iterable[ServedMethod]) -> dict[str, WebMethod]:
    """Return the methods of a server by their paths."""
    return {method.path: method for method in map(WebMethod, served)}
