"""One HTTP request and its response, over ASGI."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

import grpc

from taflhall_service.web.status import CallEnded

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Headers = Iterable[tuple[str, str]]
EncodedHeaders = tuple[tuple[bytes, bytes], ...]

BODY_SECONDS: Final = 20.0
"""How long a client may take to send the body of a request."""


def headers_of(scope: Scope) -> dict[str, str]:
    """Return the headers of a request; names are in lower case."""
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


def peer_of(scope: Scope) -> str:
    """Return the caller's address as gRPC writes it."""
    host, port = scope["client"] or ("", 0)
    return f"ipv6:[{host}]:{port}" if ":" in host else f"ipv4:{host}:{port}"


class ClientDisconnected(Exception):
    """The client has closed the connection; nothing can be sent to it."""


class Exchange:
    """One request and its response."""

    __slots__ = (
        "_extra",
        "_receive",
        "_send",
        "headers",
        "method",
        "path",
        "peer",
        "query",
        "started",
    )

    def __init__(
        self,
        scope: Scope,
        headers: dict[str, str],
        receive: Receive,
        send: Send,
        extra: EncodedHeaders,
    ) -> None:
        self.method: Final[str] = scope["method"]
        self.path: Final[str] = scope["path"]
        self.query: Final[bytes] = scope["query_string"]
        self.headers: Final = headers
        self.peer: Final = peer_of(scope)
        self._receive = receive
        self._send = send
        self._extra = extra
        self.started = False
        """The status of the response has been sent."""

    async def body(self, limit: int) -> bytes:
        """Return the body of the request, or refuse one of more than *limit* bytes."""
        if int(self.headers.get("content-length") or 0) > limit:
            raise _too_large(limit)
        body, more = b"", True
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while more:
                    event = await self._receive()
                    if event["type"] == "http.disconnect":
                        raise ClientDisconnected
                    body += event["body"]
                    more = event["more_body"]
                    if len(body) > limit:
                        raise _too_large(limit)
        except TimeoutError:
            code = grpc.StatusCode.DEADLINE_EXCEEDED
            raise CallEnded(code, f"the request did not arrive within {BODY_SECONDS:g} s") from None
        return body

    async def disconnected(self) -> None:
        """Return when the client has closed the connection, after the whole body was read."""
        await self._receive()

    async def start(self, status: int, headers: Headers) -> None:
        """Send the status and the headers of a response whose body follows in parts."""
        self.started = True
        pairs = [(name.encode(), value.encode("latin-1")) for name, value in headers]
        await self._send(
            {"type": "http.response.start", "status": status, "headers": [*self._extra, *pairs]}
        )

    async def write(self, part: bytes) -> None:
        """Send a part of the body as soon as the client takes it."""
        await self._send({"type": "http.response.body", "body": part, "more_body": True})

    async def finish(self, last: bytes = b"") -> None:
        """Send the last part of the body."""
        await self._send({"type": "http.response.body", "body": last, "more_body": False})

    async def respond(self, status: int, headers: Headers, body: bytes = b"") -> None:
        """Send a whole response."""
        await self.start(status, [*headers, ("content-length", str(len(body)))])
        await self.finish(body)


def _too_large(limit: int) -> CallEnded:
    return CallEnded(grpc.StatusCode.RESOURCE_EXHAUSTED, f"a request has at most {limit} bytes")
