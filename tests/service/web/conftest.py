"""A server in this process with a web port."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from taflhall_service.observability.metrics import Meter
from taflhall_service.rpc.tls import Tls
from taflhall_service.web.listener import WebServer
from tests.service.local_server import LocalServer, open_server
from tests.service.web.client import HttpClient


class Web:
    """A server, its web port and a client of it."""

    def __init__(self, server: LocalServer, listener: WebServer, port: int, meter: Meter) -> None:
        self.server = server
        self.listener = listener
        self.port = port
        self.meter = meter
        self.http = HttpClient(port)

    def metric(self, name: str, **labels: str) -> float:
        return self.meter.registry.get_sample_value(f"taflhall_{name}", labels) or 0.0


@asynccontextmanager
async def open_web(
    origins: str = "", tls: Tls | None = None, page: str = "none", **settings: Any
) -> AsyncIterator[Web]:
    meter = Meter()
    async with open_server(meter=meter, **settings) as server:
        listener = WebServer(server.rpc, meter, origins, page)
        port = await listener.start("127.0.0.1:0", tls)
        try:
            yield Web(server, listener, port, meter)
        finally:
            await listener.stop(1.0)


OpenWeb = Callable[..., AbstractAsyncContextManager[Web]]


@pytest.fixture
async def web() -> AsyncIterator[Web]:
    async with open_web() as opened:
        yield opened
