"""Clients of the web port as plain as curl: HTTP by the standard library, and frames by hand."""

from __future__ import annotations

import asyncio
import http.client
import json
import ssl
from base64 import b64decode
from collections.abc import AsyncGenerator, Iterator
from typing import Any

from google.protobuf.message import Message

MATCHES = "/taflhall.v1.MatchService/"
CATALOG = "/taflhall.v1.CatalogService/"


class Response:
    """A whole HTTP response."""

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def detail(self, kind: type[Message]) -> Any:
        """Return the detail of *kind* of an error in JSON."""
        for detail in self.json["details"]:
            if detail["type"] == kind.DESCRIPTOR.full_name:
                return kind.FromString(b64decode(detail["value"] + "=="))
        raise AssertionError(self.json)

    @property
    def frames(self) -> list[tuple[int, bytes]]:
        return list(frames(self.body))


def frames(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield flags and message of each envelope."""
    while data:
        end = 5 + int.from_bytes(data[1:5], "big")
        assert end <= len(data)
        yield data[0], data[5:end]
        data = data[end:]


def envelope(message: bytes, flags: int = 0) -> bytes:
    return bytes([flags]) + len(message).to_bytes(4, "big") + message


def bearer(secret: str | None) -> dict[str, str]:
    return {"authorization": f"Bearer {secret}"} if secret else {}


class HttpClient:
    """Calls one web port; each call has a connection of its own."""

    def __init__(self, port: int, tls: ssl.SSLContext | None = None) -> None:
        self.port = port
        self._tls = tls

    def connection(self) -> http.client.HTTPConnection:
        if self._tls is not None:
            return http.client.HTTPSConnection("127.0.0.1", self.port, context=self._tls)
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    async def request(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> Response:
        """Make a request; a header is given as ``content_type=...``."""
        return await asyncio.to_thread(self._request, method, path, body, spelt(headers))

    def _request(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> Response:
        connection = self.connection()
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Response(response.status, found, response.read())
        finally:
            connection.close()

    async def call(self, path: str, request: object, **headers: str) -> Response:
        """Call a unary method with *request* as JSON."""
        body = json.dumps(request).encode()
        return await self.request("POST", path, body, content_type="application/json", **headers)

    async def stream(
        self, path: str, content_type: str, message: bytes, **headers: str
    ) -> AsyncGenerator[tuple[int, bytes], None]:
        """Yield the envelopes of a stream as they come."""
        connection = self.connection()
        all_headers = {"content-type": content_type, **spelt(headers)}
        await asyncio.to_thread(connection.request, "POST", path, envelope(message), all_headers)
        try:
            response = await asyncio.to_thread(connection.getresponse)
            assert response.status == 200, response.read()
            while head := await asyncio.to_thread(response.read, 5):
                size = int.from_bytes(head[1:5], "big")
                yield head[0], await asyncio.to_thread(response.read, size)
        finally:
            connection.close()


def spelt(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}
