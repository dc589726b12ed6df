"""Serving bots: many matches over one stream, none of which waits for ever."""

import asyncio
import random
import threading
from typing import Any

import grpc
import pytest

from taflhall_client.async_client import Client, Match
from taflhall_client.bots import load
from taflhall_client.errors import Replaced
from taflhall_client.play_all_loop import BotOffer
from taflhall_client.results import MatchInfo, SeatKind, Status
from taflhall_client.sync import Client as SyncClient
from taflhall_engine import registry
from taflhall_service.app.access.accounts import Role
from taflhall_testing.server import running_server
from tests.waiting import LIMIT_SECONDS


@pytest.fixture
async def server():
    async with running_server(random_bytes=random.Random(1).randbytes) as running:
        yield running


async def key_of(server: Any, role: Role = Role.BOT, name: str = "Robo") -> tuple[str, str]:
    account = await server.accounts.create(name, role)
    return account.id, (await server.accounts.create_key(account.id))[1]


def random_bot(match: MatchInfo) -> Any:
    return load("random", registry.game(match.game))


async def over(served: Any, matches: int) -> dict[str, MatchInfo]:
    """Return the first matches that are over."""
    found: dict[str, MatchInfo] = {}
    async with asyncio.timeout(LIMIT_SECONDS):
        async for each in served:
            assert each.failure is None
            if not each.entered:
                found[each.match_id] = each.match
            if len(found) == matches:
                break
    await served.aclose()
    return found


async def test_a_bot_plays_every_match_that_it_is_invited_to(server):
    account, key = await key_of(server)
    async with Client(server.address) as host, Client(server.address, key=key) as robo:
        matches = []
        for _ in range(4):
            match = await host.create("yggdrasil", {"seats": 1}, start_when_full=True)
            await match.invite(account)
            matches.append(match.match_id)
        found = await over(robo.play_all(random_bot, offer=BotOffer(max_matches=2)), 4)
        assert sorted(found) == sorted(matches)
        assert all(info.status is Status.FINISHED for info in found.values())


async def test_seats_are_played_by_their_secrets_until_all_matches_are_over(server):
    async with Client(server.address) as client:
        seats: list[Match] = []
        for _ in range(3):
            match = await client.create("yggdrasil", {"seats": 2}, start_when_full=True)
            seat = await match.join("Robo", [0, 1], SeatKind.BOT)
            seats.append(seat)
        ended = [
            each.match_id
            async for each in client.play_all(random_bot, seats=seats, in_thread=False)
            if not each.entered
        ]
        assert sorted(ended) == sorted(seat.match_id for seat in seats)


class Cut:
    """A stream that is lost with its third message."""

    def __init__(self, call: Any) -> None:
        self._call = call
        self._reads = 0
        self.write = call.write
        self.cancel = call.cancel

    async def read(self) -> Any:
        self._reads += 1
        if self._reads == 3:
            self._call.cancel()
            none = grpc.aio.Metadata()
            raise grpc.aio.AioRpcError(grpc.StatusCode.UNAVAILABLE, none, none)
        return await self._call.read()


async def test_a_stream_that_is_lost_is_opened_again(server):
    async with Client(server.address) as client:
        match = await client.create("yggdrasil", {"seats": 1}, start_when_full=True)
        seat = await match.join("Robo", [0], SeatKind.BOT)
        calls: list[Any] = []
        opened = client.open

        def open_first_to_be_cut(*args: Any, **more: Any) -> Any:
            call = opened(*args, **more)
            calls.append(call if calls else Cut(call))
            return calls[-1]

        client.open = open_first_to_be_cut  # type: ignore[method-assign]
        found = await over(client.play_all(random_bot, seats=[seat]), 1)
        assert found[seat.match_id].status is Status.FINISHED
        assert len(calls) == 2


async def test_a_bot_that_fails_is_replaced_and_asked_again(server):
    async with Client(server.address) as client:
        match = await client.create("yggdrasil", {"seats": 1}, start_when_full=True)
        seat = await match.join("Robo", [0], SeatKind.BOT)
        made: list[Any] = []

        class Weary:
            """Fails at its fifth decision."""

            def __init__(self) -> None:
                self.left = 4

            def choose(self, view: Any, decision: Any) -> Any:
                self.left -= 1
                if self.left < 0:
                    raise RuntimeError("enough")
                return decision.options[0]

        def make(match: MatchInfo) -> Any:
            made.append(Weary())
            return made[-1]

        found = await over(client.play_all(make, seats=[seat]), 1)
        assert found[seat.match_id].status is Status.FINISHED
        assert len(made) > 2


async def test_a_bot_that_hangs_holds_no_match_up(server):
    release = threading.Event()

    class Hanging:
        """Never answers."""

        def choose(self, view: Any, decision: Any) -> Any:
            release.wait(60)
            return decision.options[0]

    async with Client(server.address) as client:
        match = await client.create("yggdrasil", {"seats": 1}, start_when_full=True)
        seat = await match.join("Robo", [0], SeatKind.BOT)
        found = await over(
            client.play_all(
                lambda match: Hanging(),
                seats=[seat],
                think_seconds=0.001,
                on_failure="resign",
            ),
            1,
        )
        release.set()
        assert found[seat.match_id].finished


async def test_a_match_that_another_plays_is_reported_as_lost(server):
    _, key = await key_of(server)
    async with Client(server.address, key=key) as client, Client(server.address) as host:
        match = await host.create("yggdrasil", {"seats": 1}, start_when_full=True)
        await client.match(match.match_id).join("Robo", [0], SeatKind.BOT)
        thinking = threading.Event()

        class Waiting:
            """Thinks until it is stopped."""

            def choose(self, view: Any, decision: Any) -> Any:
                thinking.wait(60)
                return decision.options[0]

        served = client.play_all(lambda match: Waiting())
        assert (await anext(served)).entered
        rival = asyncio.create_task(
            client.match(match.match_id).play(load("random", registry.game("yggdrasil")))
        )
        lost = await anext(served)
        assert isinstance(lost.failure, Replaced)
        thinking.set()
        assert (await rival).finished
        await served.aclose()


async def test_people_find_each_other_and_pass_codes_on(server):
    async with Client(server.address) as client:
        one = await client.find_match("yggdrasil", "Ann", {"seats": 2})
        two = await client.find_match("yggdrasil", "Bob", {"seats": 2})
        assert (two.match_id, two.seats) == (one.match_id, [1])
        closed = await client.create(
            "yggdrasil", {"seats": 2}, unlisted=True, invitation_required=True
        )
        joined = await client.join_by_code(closed.join_code.lower(), "Cyd")
        assert joined.match_id == closed.match_id
        assert not (await closed.remove(0)).seats[0].name
        assert [m.match_id for m in await client.matches()] == [one.match_id]


async def test_an_invitation_is_declined(server):
    account, key = await key_of(server, Role.PLAYER, "Ann")
    async with Client(server.address) as host, Client(server.address, key=key) as ann:
        match = await host.create("yggdrasil", {"seats": 2})
        assert (await match.invite(account)).seats[0].name == ""
        await ann.match(match.match_id).decline()
        assert (await match.join("Bob")).seats == [0]


async def test_the_same_without_asyncio(server):
    account, key = await key_of(server)

    def play() -> Status:
        with SyncClient(server.address) as host, SyncClient(server.address, key=key) as robo:
            match = host.create("yggdrasil", {"seats": 1}, start_when_full=True)
            match.invite(account)
            served = robo.play_all(random_bot, offer=BotOffer())
            for each in served:
                if not each.entered:
                    served.close()
                    assert each.match is not None
                    return each.match.status
        raise AssertionError("the stream has ended")

    assert await asyncio.to_thread(play) is Status.FINISHED
