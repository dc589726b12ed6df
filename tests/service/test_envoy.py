"""What misuses HTTP/2 costs others little through Envoy too, with the configuration of ``deploy/``.

``make deploy-check`` installs Envoy and runs this; elsewhere ``TAFLHALL_ENVOY`` names the program.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
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
from taflhall_client.ports import free_port
from tests.service.processes import Process
from tests.service.test_connections import (
    MEGABYTES,
    megabytes,
    open_and_reset,
    seconds_until_closed,
)
from tests.waiting import take, until

CONFIG = Path(__file__).parents[2] / "deploy" / "envoy" / "envoy.yaml"
ENVOY = os.environ.get("TAFLHALL_ENVOY", "")
CONNECTIONS = 20
RESETS = 2_000
"""Streams that an attacker would reset over each of these connections."""

pytestmark = pytest.mark.skipif(not ENVOY, reason="TAFLHALL_ENVOY names no Envoy")


class Envoy:
    """Envoy in front of a server."""

    def __init__(self, folder: Path, server: Process) -> None:
        self.server = server
        self.port, admin = free_port(), free_port()
        text = CONFIG.read_text("utf-8")
        for old, new in (
            ("0.0.0.0, port_value: 8080", f"127.0.0.1, port_value: {self.port}"),
            ("port_value: 9901", f"port_value: {admin}"),
            ("server, port_value: 50051", f"127.0.0.1, port_value: {server.port}"),
        ):
            assert text.count(old) == 1
            text = text.replace(old, new)
        file = folder / "envoy.yaml"
        file.write_text(text, "utf-8")
        flags = ["--concurrency", "1", "--disable-hot-restart", "--log-level", "error"]
        self.child = subprocess.Popen([ENVOY, "-c", str(file), *flags])

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
    started.child.terminate()
    started.child.wait()


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
    assert latencies[len(latencies) // 2] < 1.0


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
