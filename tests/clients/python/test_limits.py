"""The client waits as long as the server asks, and sends its API key where it has no secret."""

from __future__ import annotations

import asyncio
import time

import pytest

from taflhall_client import errors
from taflhall_client.async_client import Client
from taflhall_client.backoff import Backoff
from taflhall_client.bots.random import Random
from taflhall_service.app.model.limits import Rates
from tests.service.local_server import LocalServer, limits, open_server
from tests.waiting import LIMIT_SECONDS


def client_of(server: LocalServer) -> Client:
    return Client(f"127.0.0.1:{server.port}", deadline=30.0)


async def look(client: Client, times: int) -> None:
    for _ in range(times):
        await client.matches()


async def test_answers_above_the_rate_are_delayed_in_a_play_stream():
    rates = Rates(commands=0.0, joins=0.0, reads=40.0, streams=0.0)
    async with open_server(limits=limits(rates=rates)) as server, client_of(server) as client:
        before = time.monotonic()
        await look(client, 160 + 40)
        assert 0.8 < time.monotonic() - before < LIMIT_SECONDS


async def test_a_wait_beyond_the_deadline_is_an_error():
    rates = Rates(commands=0.0, joins=0.0, reads=0.01, streams=0.0)
    async with open_server(limits=limits(rates=rates)) as server, client_of(server) as client:
        with pytest.raises(errors.RateLimited) as caught:
            await look(client, 30)
        assert 30.0 < caught.value.retry_after <= 100.0


def test_a_pause_that_the_server_asks_for_is_kept():
    backoff = Backoff()
    error = errors.RateLimited("too often", retry_after=3.0)
    assert 3.0 < backoff.pause_for(error) < 4.0
    assert backoff.pause_for(errors.Draining("gone", retry_after=7.0)) == 7.0
    assert backoff.pause_for(errors.Draining("gone")) <= 5.0


async def test_watching_and_playing_resume_when_streams_are_allowed_again():
    rates = Rates(commands=0.0, joins=0.0, reads=0.0, streams=5.0)
    async with open_server(limits=limits(rates=rates)) as server, client_of(server) as client:
        match = await client.create("yggdrasil", setup={"seats": 1}, start_when_full=True)
        seat = await match.join("Ann")
        for _ in range(25):
            async for _ in seat.watch():
                break
        info = await asyncio.wait_for(seat.play(Random(client.game("yggdrasil"), seed=1)), 60)
        assert info.result is not None


async def test_a_key_opens_what_its_account_sits_at():
    async with open_server() as server:
        account, key = await server.key()
        async with Client(f"127.0.0.1:{server.port}", key=key) as client:
            match = await client.create("yggdrasil", setup={"seats": 2}, start_when_full=True)
            await match.join("Ann", seats=[0, 1])
            again = client.match(match.match_id)
            decision = await again.decision()
            assert decision is not None
            assert (await again.submit(0)).applied == 1
            assert [s.account for s in (await again.get()).match.seats] == [account, account]
        async with Client(f"127.0.0.1:{server.port}", key=f"{key}x") as client:
            with pytest.raises(errors.ApiKeyInvalid):
                await client.matches()
