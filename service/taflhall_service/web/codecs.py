"""The encodings of messages: protobuf's binary one, which passes through, and JSON."""

from __future__ import annotations

import asyncio
import re
from json import JSONDecodeError
from typing import Final, Protocol, TypeVar

from google.protobuf import json_format
from google.protobuf.message import DecodeError, Message

from taflhall_service.rpc.context import Encoded
from taflhall_service.web.status import json_bytes

M = TypeVar("M", bound=Message)

_FIELD: Final = re.compile(r"Failed to parse (\w+) field: ", re.ASCII)
_PATH: Final = re.compile(f"(?:{_FIELD.pattern})+", re.ASCII)
"""How protobuf names the field whose value does not fit: from the outermost message inwards."""

LARGE: Final = 16 * 1024
"""A response of more bytes is written as JSON by a thread, not by the event loop."""


class Codec(Protocol):
    """An encoding of messages."""

    name: str
    """Its name in content types: ``application/<name>``."""

    def request(self, data: bytes) -> bytes | Encoded:
        """Return a request as handlers take it."""
        ...

    async def response(self, kind: type[Message], data: bytes) -> bytes:
        """Return a response of *kind*, which a handler returned in binary form."""
        ...


class Binary:
    """Protobuf's binary encoding."""

    name = "proto"

    def request(self, data: bytes) -> bytes:
        return data

    async def response(self, kind: type[Message], data: bytes) -> bytes:
        return data


class Json:
    """Protobuf's JSON encoding; fields that a request should not have are ignored."""

    name = "json"

    def request(self, data: bytes) -> Encoded:
        return JsonRequest(data)

    async def response(self, kind: type[Message], data: bytes) -> bytes:
        if len(data) > LARGE:
            return await asyncio.to_thread(_to_json, kind, data)
        return _to_json(kind, data)


class JsonRequest:
    """A request in JSON; an empty one has no fields."""

    __slots__ = ("_text",)

    def __init__(self, text: bytes) -> None:
        self._text = text

    def __len__(self) -> int:
        return len(self._text)

    def decode(self, kind: type[M]) -> M:
        try:
            return json_format.Parse(self._text or b"{}", kind(), ignore_unknown_fields=True)
        except (json_format.ParseError, UnicodeDecodeError) as error:
            raise DecodeError(_fault_of(error)) from None


def _fault_of(error: Exception) -> str:
    """Return what is wrong with a request; the exception's own text does not leave the server."""
    cause, path = error.__cause__, _PATH.match(str(error))
    if path is not None:
        return f"the value of {'.'.join(_FIELD.findall(path[0]))} does not fit"
    if isinstance(error, UnicodeDecodeError):
        return "the text is not UTF-8"
    if isinstance(cause, JSONDecodeError):
        return f"the text is not JSON at line {cause.lineno}, column {cause.colno}"
    if isinstance(cause, RecursionError):
        return "the text is nested too deeply"
    return "the text is not the JSON of this message"


def _to_json(kind: type[Message], data: bytes) -> bytes:
    return json_bytes(json_format.MessageToDict(kind.FromString(data)))


BINARY: Final[Codec] = Binary()
JSON: Final[Codec] = Json()
CODECS: Final = {codec.name: codec for codec in (BINARY, JSON)}
