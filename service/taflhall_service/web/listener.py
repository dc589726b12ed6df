"""The web port: uvicorn's HTTP and WebSocket protocols with limits of our own."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from functools import partial
from typing import Any, Final

from uvicorn import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from taflhall_service.observability.metrics import Meter
from taflhall_service.rpc.server import Server
from taflhall_service.rpc.tls import Tls
from taflhall_service.web.app import WebApp
from taflhall_service.web.cors import Origins
from taflhall_service.web.page import Page
from taflhall_service.web.tls import ssl_context

HEAD_BYTES: Final = 32 * 1024
"""The size of the first line and the headers of a request, with the message of a GET."""

HEAD_SECONDS: Final = 10
"""How long a client may take to send them."""

IDLE_SECONDS: Final = 60
"""How long a connection may stay open between two requests."""

PING_SECONDS: Final = 20.0
"""How often a WebSocket is pinged, and how long its pong may take."""

DEAD_MS: Final = 40_000
"""After how long a connection is closed whose peer does not confirm what was sent."""

BACKLOG: Final = 512


class WebServer:
    """The methods of a server over a port of its own."""

    def __init__(self, server: Server, meter: Meter, origins: str = "", page: str = "") -> None:
        limits = server.calls.limits
        self._state = ServerState()
        self._config = Config(
            WebApp(server, meter, Origins(origins), Page(page)),
            http=BoundedHttp,
            ws=RefusableWebSocket,
            ws_max_size=2 * limits.request_bytes,
            ws_ping_interval=PING_SECONDS,
            ws_ping_timeout=PING_SECONDS,
            ws_per_message_deflate=False,
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            limit_concurrency=limits.streams,
            timeout_keep_alive=IDLE_SECONDS,
        )
        self._config.load()
        self._listener: asyncio.Server | None = None
        meter.gauge_from(
            "web_connections",
            "Open connections of the web port",
            lambda: len(self._state.connections),
        )

    async def start(self, address: str, tls: Tls | None = None, share_port: bool = False) -> int:
        """Listen at *address*, in the clear without *tls*, and return the port."""
        host, _, port = address.rpartition(":")
        loop = asyncio.get_running_loop()
        secured: dict[str, Any] = {}
        if tls is not None:
            secured = {"ssl": ssl_context(tls), "ssl_handshake_timeout": HEAD_SECONDS}
        bound = _bind(host.strip("[]"), int(port), share_port)
        protocol = partial(BoundedHttp, config=self._config, server_state=self._state, app_state={})
        self._listener = await loop.create_server(protocol, sock=bound, backlog=BACKLOG, **secured)
        return int(bound.getsockname()[1])

    async def stop(self, grace: float) -> None:
        """Take no more connections; let the calls under way finish for *grace* seconds."""
        if self._listener is not None:
            self._listener.close()
        for connection in list(self._state.connections):
            connection.shutdown()
        tasks = set(self._state.tasks)
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=grace)
            for task in late:
                task.cancel()


class BoundedHttp(HttpToolsProtocol):
    """One connection; it is closed when a request's head is too large or takes too long."""

    _head_bytes = 0
    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]
        self._begin_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_head()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._begin_head()

    def on_headers_complete(self) -> None:
        self._end_head()
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._head_timer is not None:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES:
                self.transport.close()

    def _begin_head(self) -> None:
        self._end_head()
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _end_head(self) -> None:
        self._head_bytes = 0
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None


class RefusableWebSocket(WebSocketsSansIOProtocol):
    """One WebSocket. Uvicorn logs an error for a handshake that is refused with a status."""

    async def send(self, message: Any) -> None:
        await super().send(message)
        self.handshake_complete = self.handshake_complete or self.close_sent


def _bind(host: str, port: int, share_port: bool) -> socket.socket:
    """Return a socket bound to an address; with *share_port* other processes may have it too."""
    family, kind, protocol, _, place = socket.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if share_port:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        with contextlib.suppress(AttributeError):  # Linux only; connections inherit it
            bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_MS)
        bound.bind(place)
    except OSError:
        bound.close()
        raise
    return bound
