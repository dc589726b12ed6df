"""The ASGI application: it routes each request to its method and protocol."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Final, NamedTuple

import grpc

from taflhall_service.observability.metrics import Meter
from taflhall_service.rpc.call import fault
from taflhall_service.rpc.server import Server
from taflhall_service.web import connect, grpc_web
from taflhall_service.web.asgi import (
    ClientDisconnected,
    Exchange,
    Receive,
    Scope,
    Send,
    headers_of,
)
from taflhall_service.web.codecs import BINARY, JSON, Codec
from taflhall_service.web.cors import PREFLIGHT, Origins
from taflhall_service.web.methods import WebMethod, by_path
from taflhall_service.web.page import Page
from taflhall_service.web.status import CallEnded, code_name, ended_with
from taflhall_service.web.websocket import Socket

LIVE: Final = "/livez"
READY: Final = "/readyz"

Serve = Callable[[WebMethod, Exchange, Codec, int], Awaitable[CallEnded | None]]


class WebProtocol(NamedTuple):
    """What a content type of a request means."""

    name: str
    serve: Serve
    codec: Codec
    unary: bool
    streams: bool


_BY_CONTENT_TYPE: Final = {
    "application/json": WebProtocol("connect", connect.unary, JSON, True, False),
    "application/proto": WebProtocol("connect", connect.unary, BINARY, True, False),
    "application/connect+json": WebProtocol("connect", connect.stream, JSON, False, True),
    "application/connect+proto": WebProtocol("connect", connect.stream, BINARY, False, True),
    "application/grpc-web": WebProtocol("grpc_web", grpc_web.serve, BINARY, True, True),
    "application/grpc-web+proto": WebProtocol("grpc_web", grpc_web.serve, BINARY, True, True),
    "application/grpc-web+json": WebProtocol("grpc_web", grpc_web.serve, JSON, True, True),
}


class WebApp:
    """The methods of a server over HTTP, and its page."""

    def __init__(self, server: Server, meter: Meter, origins: Origins, page: Page) -> None:
        self._server = server
        self._methods = by_path(server.methods)
        self._limit = 2 * server.calls.limits.request_bytes  # the handler refuses what is between
        self._enter_seconds = server.calls.limits.enter_seconds
        self._origins = origins
        self._page = page
        self._calls = meter.counter("web_calls", "Calls over HTTP by end", "protocol", "code")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        headers = headers_of(scope)
        if scope["type"] == "websocket":
            await self._serve_socket(Socket(scope, headers, receive, send))
            return
        extra = self._origins.response_headers(headers)
        exchange = Exchange(scope, headers, receive, send, extra)
        try:
            await self._serve(exchange)
        except ClientDisconnected:
            return
        except Exception as error:
            ended = ended_with(fault(exchange.path, error))
            if exchange.started:
                raise ConnectionAbortedError from None  # the end of the response is missing
            await connect.refuse(exchange, ended)

    async def _serve(self, exchange: Exchange) -> None:
        method = self._methods.get(exchange.path)
        if method is None:
            await self._serve_other(exchange)
        elif exchange.method == "OPTIONS":
            await exchange.start(HTTPStatus.NO_CONTENT, PREFLIGHT)
            await exchange.finish()
        elif method.client_streaming:
            hint = "this method needs gRPC over HTTP/2, or a WebSocket"
            await _refuse(exchange, HTTPStatus.HTTP_VERSION_NOT_SUPPORTED, hint)
        elif exchange.method == "GET" and method.safe and not method.server_streaming:
            self._count("connect_get", await connect.get(method, exchange, self._limit))
        elif exchange.method != "POST":
            hint = "this method is called by POST"
            await _refuse(exchange, HTTPStatus.METHOD_NOT_ALLOWED, hint, ("allow", "POST"))
        else:
            await self._serve_post(method, exchange)

    async def _serve_post(self, method: WebMethod, exchange: Exchange) -> None:
        kind = exchange.headers.get("content-type", "").partition(";")[0].strip().lower()
        fitting = {
            kind: protocol
            for kind, protocol in _BY_CONTENT_TYPE.items()
            if (protocol.streams if method.server_streaming else protocol.unary)
        }
        protocol = fitting.get(kind)
        if protocol is None:
            offered = ", ".join(fitting)
            hint, header = f"content types of this method: {offered}", ("accept-post", offered)
            await _refuse(exchange, HTTPStatus.UNSUPPORTED_MEDIA_TYPE, hint, header)
            return
        ended = await protocol.serve(method, exchange, protocol.codec, self._limit)
        self._count(protocol.name, ended)

    async def _serve_other(self, exchange: Exchange) -> None:
        """Answer a probe, serve the page, or say that there is nothing at this path."""
        if exchange.path in {LIVE, READY} and exchange.method in {"GET", "HEAD"}:
            ready = exchange.path == LIVE or self._server.is_ready
            status = HTTPStatus.OK if ready else HTTPStatus.SERVICE_UNAVAILABLE
            text = b"ok\n" if ready else b"not ready\n"
            await exchange.respond(status, [("content-type", "text/plain")], text)
        elif not await self._page.serve(exchange):
            await _refuse(exchange, HTTPStatus.NOT_FOUND, "there is no such method")

    async def _serve_socket(self, socket: Socket) -> None:
        method = self._methods.get(socket.path)
        if not self._origins.allow(socket.headers):
            await socket.refuse(HTTPStatus.FORBIDDEN)
        elif method is None or not method.server_streaming:
            await socket.refuse(HTTPStatus.NOT_FOUND)
        else:
            try:
                self._count("websocket", await socket.serve(method, self._enter_seconds))
            except ClientDisconnected:
                return
            except Exception as error:
                await socket.close(ended_with(fault(socket.path, error)))

    def _count(self, protocol: str, ended: CallEnded | None) -> None:
        self._calls.labels(protocol, "ok" if ended is None else code_name(ended.code)).inc()


async def _refuse(
    exchange: Exchange, status: HTTPStatus, message: str, *headers: tuple[str, str]
) -> None:
    ended = CallEnded(grpc.StatusCode.UNIMPLEMENTED, message)
    await connect.refuse(exchange, ended, status, headers)
