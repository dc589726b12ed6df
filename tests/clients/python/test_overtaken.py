"""A refusal that overtakes what the client writes: the client raises it, and nothing else.

gRPC loses such a refusal now and then (https://github.com/grpc/grpc/issues/36066).
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest

from taflhall.v1.match_service_pb2_grpc import add_MatchServiceServicer_to_server
from taflhall_client import errors
from taflhall_client.async_client import Client
from taflhall_client.backoff import Timing
from taflhall_client.bots.random import Random
from taflhall_service.app.errors import ApiKeyInvalid
from taflhall_service.rpc.call import abort
from taflhall_service.rpc.status import status_of
from tests.clients.python.scripted import GAME, Scripted

LOST = (grpc.StatusCode.INTERNAL, "Internal error from Core")
"""What gRPC puts in the place of the refusal."""


class Refusing(Scripted):
    """Refuses streams before it reads anything; the first *lost* of them as gRPC garbles it."""

    def __init__(self, lost: int) -> None:
        super().__init__()
        self.lost = lost
        self.refused = 0

    async def Play(self, requests, context):
        self.refused += 1
        if self.refused <= self.lost:
            await context.abort(*LOST)
        await abort(context, status_of(ApiKeyInvalid()))
        yield

    PlayAll = Play


@asynccontextmanager
async def refusing(lost: int = 0) -> AsyncIterator[tuple[Refusing, Client]]:
    """Run a server that refuses all streams, and a client of it."""
    server = grpc.aio.server()
    servicer = Refusing(lost)
    add_MatchServiceServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    timing = Timing(first_pause=0.001, longest_pause=0.002)
    async with Client(f"127.0.0.1:{port}", timing=timing) as client:
        yield servicer, client
    await server.stop(0)


async def play(client: Client) -> None:
    await client.match("m", "secret").play(Random(GAME))


async def play_all(client: Client) -> None:
    await anext(client.play_all(lambda match: Random(GAME)))


LOOPS = [play, play_all]


@pytest.mark.parametrize("loop", LOOPS)
async def test_a_refusal_that_grpc_lost_is_asked_for_again(loop: Callable[[Client], Any]):
    async with refusing(lost=3) as (servicer, client):
        with pytest.raises(errors.ApiKeyInvalid):
            await loop(client)
        assert servicer.refused == 4


@pytest.mark.parametrize("loop", LOOPS)
async def test_a_refusal_before_anything_is_read_arrives_each_time(loop: Callable[[Client], Any]):
    async with refusing() as (_, client):
        for _ in range(200):
            with pytest.raises(errors.ApiKeyInvalid):
                await loop(client)


async def test_a_refusal_that_stays_lost_is_reported_as_such():
    async with refusing(lost=1_000_000) as (_, client):
        with pytest.raises(errors.StreamLost):
            await client.match("m", "secret").play(Random(GAME), patience=0.1)
