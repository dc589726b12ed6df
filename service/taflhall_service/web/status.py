"""How a call ends: its status as Connect, HTTP and gRPC-Web write it."""

from __future__ import annotations

import json
from base64 import b64encode
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final, NoReturn
from urllib.parse import quote

import grpc
from google.protobuf import descriptor_pool, json_format
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message_factory import GetMessageClass
from google.rpc import status_pb2

from taflhall_service.rpc.call import DETAILS, PUSHBACK
from taflhall_service.rpc.context import Trailers

CLIENT_CLOSED_REQUEST: Final = 499
"""The status of a call that its client has cancelled; nobody reads it."""

_HTTP: Final = {
    "CANCELLED": CLIENT_CLOSED_REQUEST,
    "INVALID_ARGUMENT": HTTPStatus.BAD_REQUEST,
    "DEADLINE_EXCEEDED": HTTPStatus.GATEWAY_TIMEOUT,
    "NOT_FOUND": HTTPStatus.NOT_FOUND,
    "ALREADY_EXISTS": HTTPStatus.CONFLICT,
    "PERMISSION_DENIED": HTTPStatus.FORBIDDEN,
    "RESOURCE_EXHAUSTED": HTTPStatus.TOO_MANY_REQUESTS,
    "FAILED_PRECONDITION": HTTPStatus.BAD_REQUEST,
    "ABORTED": HTTPStatus.CONFLICT,
    "OUT_OF_RANGE": HTTPStatus.BAD_REQUEST,
    "UNIMPLEMENTED": HTTPStatus.NOT_IMPLEMENTED,
    "UNAVAILABLE": HTTPStatus.SERVICE_UNAVAILABLE,
    "UNAUTHENTICATED": HTTPStatus.UNAUTHORIZED,
}
"""By the Connect protocol; codes that are not named are 500."""


class CallEnded(Exception):
    """A call has ended with another status than OK."""

    def __init__(self, code: grpc.StatusCode, message: str, trailers: Trailers = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.trailers = trailers

    @property
    def http_status(self) -> int:
        """The HTTP status of the call."""
        return int(_HTTP.get(self.code.name, HTTPStatus.INTERNAL_SERVER_ERROR))

    @property
    def pause_ms(self) -> int:
        """How many milliseconds to wait before the call is repeated; 0 if not stated."""
        return int(next((value for name, value in self.trailers if name == PUSHBACK), 0))

    def error(self) -> dict[str, Any]:
        """Return the error as Connect writes it in JSON."""
        found = next((value for name, value in self.trailers if name == DETAILS), b"")
        details = found if isinstance(found, bytes) else b""
        return _error(code_name(self.code), self.message, details)


def code_name(code: grpc.StatusCode) -> str:
    """Return *code* as Connect spells it."""
    return "canceled" if code is grpc.StatusCode.CANCELLED else code.name.lower()


@lru_cache(1024)
def _error(code: str, message: str, details: bytes) -> dict[str, Any]:
    error: dict[str, Any] = {"code": code, "message": message}
    found = [_detail(packed) for packed in status_pb2.Status.FromString(details).details]
    return error | {"details": found} if found else error


def _detail(packed: AnyMessage) -> dict[str, Any]:
    kind = GetMessageClass(descriptor_pool.Default().FindMessageTypeByName(packed.TypeName()))
    return {
        "type": packed.TypeName(),
        "value": unpadded(packed.value),
        "debug": json_format.MessageToDict(kind.FromString(packed.value)),
    }


def ended_with(status: status_pb2.Status) -> CallEnded:
    """Return the end of a call with *status* and its details."""
    code = next(code for code in grpc.StatusCode if code.value[0] == status.code)
    return CallEnded(code, status.message, ((DETAILS, status.SerializeToString()),))


def malformed(message: str) -> NoReturn:
    """Refuse a request that breaks the protocol."""
    raise CallEnded(grpc.StatusCode.INVALID_ARGUMENT, message)


def unimplemented(message: str) -> NoReturn:
    """Refuse what the server does not offer."""
    raise CallEnded(grpc.StatusCode.UNIMPLEMENTED, message)


def unpadded(value: bytes) -> str:
    """Return *value* in base64 without padding."""
    return b64encode(value).decode("ascii").rstrip("=")


def metadata_text(value: str | bytes) -> str:
    """Return the value of a trailer as text; that of a binary one in base64."""
    return value if isinstance(value, str) else unpadded(value)


def json_bytes(value: object) -> bytes:
    """Return *value* as compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def grpc_trailers(ended: CallEnded | None) -> bytes:
    """Return the trailers of gRPC-Web as lines; *ended* is unset for the status OK."""
    if ended is None:
        return b"grpc-status: 0\r\n"
    lines = [
        f"grpc-status: {ended.code.value[0]}",
        f"grpc-message: {quote(ended.message, safe=_UNESCAPED)}",
        *(f"{name}: {metadata_text(value)}" for name, value in ended.trailers),
    ]
    return "".join(f"{line}\r\n" for line in lines).encode("ascii")


_UNESCAPED: Final = " !\"#$&'()*+,-./:;<=>?@[\\]^_`{|}~"
