"""Connections that misuse HTTP/2: they end, and they cost others little."""

from __future__ import annotations

import asyncio
import select
import socket
import time
from contextlib import suppress
from pathlib import Path

import grpc
import h2.config
import h2.connection
import pytest

from taflhall.v1 import match_service_pb2 as pb
from taflhall.v1.match_service_pb2_grpc import MatchServiceStub
from tests.service.processes import Process
from tests.waiting import LIMIT_SECONDS, take

RESETS = 30_000
MEGABYTES = 150
"""What the attack may add to the server's memory; without limits it was 200 and more."""


@pytest.fixture
def server(processes: list[Process]) -> Process:
    started = Process("--store", "memory:", "--log-level", "error")
    processes.append(started)
    return started


@pytest.mark.parametrize("sent", [b"", b"PRI * HTTP/2.0\r\n"])
def test_a_connection_that_does_not_finish_its_preface_is_closed(server, sent):
    assert seconds_until_closed(server.port, sent) < LIMIT_SECONDS


def seconds_until_closed(port: int, sent: bytes) -> float:
    """Return how long a connection stays open over which only *sent* is said."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(sent)
        began = time.monotonic()
        with suppress(ConnectionResetError):
            while select.select([connection], [], [], LIMIT_SECONDS)[0] and connection.recv(4096):
                pass
        return time.monotonic() - began


async def test_streams_that_are_reset_at_once_neither_fill_memory_nor_stop_others(server):
    before = megabytes(server)
    attack = asyncio.create_task(asyncio.to_thread(open_and_reset, server.port, RESETS))
    latencies, highest = [], before
    async with server.channel() as channel:
        stub = MatchServiceStub(channel)
        while not attack.done():
            began = time.monotonic()
            await stub.ListMatches(pb.ListMatchesRequest(), timeout=LIMIT_SECONDS)
            latencies.append(time.monotonic() - began)
            highest = max(highest, megabytes(server))
            await take(0.01)  # a caller among others
    assert await attack > RESETS / 10
    assert highest - before < MEGABYTES
    latencies.sort()
    assert latencies[len(latencies) // 2] < 5.0


def open_and_reset(port: int, resets: int) -> int:
    """Open a stream and reset it, again and again; return how often the server allowed it."""
    config = h2.config.H2Configuration(client_side=True)
    attacker = h2.connection.H2Connection(config)
    attacker.initiate_connection()
    headers = [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", "/taflhall.v1.MatchService/GetMatch"),
        (":authority", "test"),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
    ]
    done = 0
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.settimeout(LIMIT_SECONDS)
        while done < resets:
            for _ in range(50):
                stream = attacker.get_next_available_stream_id()
                attacker.send_headers(stream, headers)
                attacker.reset_stream(stream, 8)
                done += 1
            try:
                connection.sendall(attacker.data_to_send())
                if select.select([connection], [], [], 0)[0]:
                    received = connection.recv(65536)
                    if not received:
                        break
                    attacker.receive_data(received)
            except OSError:
                break
    return done


def megabytes(server: Process) -> float:
    """Return the resident memory of the server."""
    pages = int(Path(f"/proc/{server.child.pid}/statm").read_text("ascii").split()[1])
    return pages * 4096 / 1e6


async def test_a_thousand_streams_fit_on_one_connection(server):
    async with server.channel() as channel:
        stub = MatchServiceStub(channel)
        made = await stub.CreateMatch(create_request())
        request = pb.WatchMatchRequest(match_id=made.match.id)
        streams = [stub.WatchMatch(request) for _ in range(1000)]
        firsts = await asyncio.gather(*[stream.read() for stream in streams])
        for stream in streams:
            stream.cancel()
    assert all(first is not grpc.aio.EOF for first in firsts)


def create_request() -> pb.CreateMatchRequest:
    request = pb.CreateMatchRequest()
    request.setup.game, request.setup.seats = "yggdrasil", 1
    return request
