"""Streams over a WebSocket: each message of the stream is a message of the socket.

A client offers subprotocols: ``taflhall.json`` or ``taflhall.proto`` for the encoding of what it
gets, and, in a browser, which cannot send headers, ``taflhall.bearer.<secret>``. It may send text
(JSON) and binary messages. When the stream ends, one text says how, in both encodings, and the
socket is closed:

``{"endStream": {"error": {...}, "metadata": {...}}}``, as in Connect's streams.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Final

import grpc

from taflhall_service.rpc.context import Encoded
from taflhall_service.web.asgi import ClientDisconnected, Receive, Scope, Send, peer_of
from taflhall_service.web.call import WebCall, Writer
from taflhall_service.web.codecs import BINARY, JSON, Codec
from taflhall_service.web.connect import stream_end
from taflhall_service.web.methods import WebMethod
from taflhall_service.web.status import CallEnded, json_bytes

SUBPROTOCOLS: Final = {f"taflhall.{codec.name}": codec for codec in (JSON, BINARY)}
BEARER: Final = "taflhall.bearer."
END: Final = "endStream"

CLOSED_OK: Final = 1000
CLOSED_WITH_ERROR: Final = 4000
"""And the number of the gRPC status code."""


class Socket:
    """One WebSocket and the stream that it carries."""

    def __init__(self, scope: Scope, headers: dict[str, str], receive: Receive, send: Send) -> None:
        self.path: Final[str] = scope["path"]
        self.headers: Final = headers
        self._peer = peer_of(scope)
        self._offered: list[str] = scope["subprotocols"]
        self._receive = receive
        self._send_event = send
        self._requests: asyncio.Queue[bytes | Encoded | None] = asyncio.Queue(1)

    async def refuse(self, status: HTTPStatus) -> None:
        """Refuse the handshake."""
        await self._send(type="websocket.http.response.start", status=int(status), headers=[])
        await self._send(type="websocket.http.response.body", body=b"")

    async def serve(self, method: WebMethod, enter_seconds: float) -> CallEnded | None:
        """Serve one call, and return how it ended: unset for the status OK."""
        await self._receive()  # the handshake
        subprotocol = next((name for name in SUBPROTOCOLS if name in self._offered), None)
        await self._send(type="websocket.accept", subprotocol=subprotocol)
        codec = SUBPROTOCOLS.get(subprotocol or "", JSON)
        call = WebCall(self._metadata(), self._peer, self._writer(method, codec), self._read)
        ended: CallEnded | None = None
        reader = asyncio.create_task(self._read_all())
        try:
            first = None if method.client_streaming else await self._first(enter_seconds)
            await call.run(method, first, reader)
        except CallEnded as end:
            ended = end
        finally:
            reader.cancel()
        await self.close(ended)
        return ended

    async def close(self, ended: CallEnded | None) -> None:
        """Say how the stream ended, and close."""
        end = json_bytes({END: stream_end(ended)}).decode()
        code = CLOSED_OK if ended is None else CLOSED_WITH_ERROR + ended.code.value[0]
        try:
            await self._send(type="websocket.send", text=end)
            await self._send(type="websocket.close", code=code, reason="")
        except ClientDisconnected:
            return

    def _metadata(self) -> list[tuple[str, str]]:
        secrets = [name.removeprefix(BEARER) for name in self._offered if name.startswith(BEARER)]
        bearer = [("authorization", f"Bearer {secret}") for secret in secrets[:1]]
        return [*bearer, *self.headers.items()]

    def _writer(self, method: WebMethod, codec: Codec) -> Writer:
        async def write(response: bytes) -> None:
            data = await codec.response(method.answers, response)
            if codec is JSON:
                await self._send(type="websocket.send", text=data.decode())
            else:
                await self._send(type="websocket.send", bytes=data)

        return write

    async def _first(self, seconds: float) -> bytes | Encoded:
        """Return the one request of a method that streams only its responses."""
        try:
            async with asyncio.timeout(seconds):
                first = await self._read()
        except TimeoutError:
            code = grpc.StatusCode.DEADLINE_EXCEEDED
            raise CallEnded(code, f"no request came within {seconds:g} s") from None
        if first is None:
            raise ClientDisconnected
        return first

    async def _read(self) -> bytes | Encoded | None:
        return await self._requests.get()

    async def _read_all(self) -> None:
        """Read until the client closes the socket."""
        while True:
            event = await self._receive()
            if event["type"] == "websocket.disconnect":
                if self._requests.empty():
                    self._requests.put_nowait(None)
                return
            text, data = event.get("text"), event.get("bytes")
            request = JSON.request(text.encode()) if text is not None else data
            await self._requests.put(request)

    async def _send(self, **event: object) -> None:
        try:
            await self._send_event(event)
        except OSError:
            raise ClientDisconnected from None
