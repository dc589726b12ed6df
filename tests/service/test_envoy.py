"""What misuses HTTP/2 costs others little through Envoy too, with the configuration of ``deploy/``.

``make deploy-check`` installs Envoy and runs this. It is spoken to in the clear, since it is HTTP/2
that is misused here; ``tests/deploy`` speaks TLS.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import h2.config
import h2.connection
import pytest

from taflhall.v1 import match_service_pb2 as pb
from taflhall.v1.match_service_pb2_grpc import MatchServiceStub
from tests.deploy import envoy as proxy
from tests.deploy.tools import needs_tools
from tests.service.processes import Process
from tests.service.test_connections import (
    MEGABYTES,
    megabytes,
    open_and_reset,
    seconds_until_closed,
)
from tests.waiting import take, until

USUAL_DEADLINE = 10.0
"""In seconds: what callers give a call at least."""
CONNECTIONS = 20
RESETS = 2_000
"""Streams that an attacker would reset over each of these connections."""

pytestmark = needs_tools


class Envoy:
    """Envoy in front of a server."""

    def __init__(self, folder: Path, server: Process) -> None:
        self.server = server
        config = proxy.without_tls(proxy.read(proxy.CONFIG.read_text("utf-8")))
        self._proxy = proxy.Envoy(folder, config, [server.port])
        self.port = self._proxy.port
        self.stop = self._proxy.stop

    async def list_matches(self, stub: Any) -> bool:
        try:
            await stub.ListMatches(pb.ListMatchesRequest(), timeout=60)
        except grpc.aio.AioRpcError:
            return False
        return True


@pytest.fixture
def envoy(tmp_path: Path, processes: list[Process]) -> Iterator[Envoy]:
    flags = ("--store", "memory:", "--public", "--behind-proxy", "--log-level", "error")
    server = Process(*flags, "--rate-reads", "0")
    processes.append(server)
    started = Envoy(tmp_path, server)
    yield started
    started.stop()


async def test_streams_that_are_reset_at_once_end_their_connection(envoy: Envoy):
    async with grpc.aio.insecure_channel(f"127.0.0.1:{envoy.port}") as channel:
        stub = MatchServiceStub(channel)
        await until(lambda: envoy.list_matches(stub))
        before = megabytes(envoy.server)
        attack = asyncio.create_task(asyncio.to_thread(attack_often, envoy.port))
        latencies, highest = [], before
        while not attack.done():
            began = time.monotonic()
            assert await envoy.list_matches(stub)
            latencies.append(time.monotonic() - began)
            highest = max(highest, megabytes(envoy.server))
            await take(0.01)  # a caller among others
    assert await attack < CONNECTIONS * RESETS, "no connection was closed"
    assert highest - before < MEGABYTES
    latencies.sort()
    assert latencies[len(latencies) // 2] < USUAL_DEADLINE


def attack_often(port: int) -> int:
    """Open streams and reset them over one connection after another; return their number."""
    return sum(open_and_reset(port, RESETS) for _ in range(CONNECTIONS))


@pytest.mark.parametrize("sent", [b"", b"PRI * HTTP/2.0\r\n"])
async def test_a_connection_that_does_not_finish_its_preface_is_closed(envoy: Envoy, sent: bytes):
    async with grpc.aio.insecure_channel(f"127.0.0.1:{envoy.port}") as channel:
        await until(lambda: envoy.list_matches(MatchServiceStub(channel)))
    assert seconds_until_closed(envoy.port, sent) < 15


async def test_a_connection_carries_a_hundred_calls_at_a_time(envoy: Envoy):
    async with grpc.aio.insecure_channel(f"127.0.0.1:{envoy.port}") as channel:
        await until(lambda: envoy.list_matches(MatchServiceStub(channel)))
    client = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True))
    client.initiate_connection()
    with socket.create_connection(("127.0.0.1", envoy.port)) as connection:
        connection.sendall(client.data_to_send())
        client.receive_data(connection.recv(4096))
    assert client.remote_settings.max_concurrent_streams == 100
