"""Presence: who sees the match as it is now sees whose streams are open, on any server."""

from __future__ import annotations

import asyncio
from typing import Any

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.watching.presence import EXPIRY_MS, presence_in
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.local_server import LocalServer, Table, bearer, open_server
from tests.service.test_invitations import create
from tests.service.test_play_all import Bots
from tests.service.test_server_bots import add
from tests.service.timed_server import open_timed_server
from tests.waiting import LIMIT_SECONDS, until


def connected(presence: match_pb2.MatchPresence) -> list[bool]:
    return [seat.connected for seat in presence.seats]


async def present(server: LocalServer, match_id: str, secret: str = "") -> list[bool]:
    """Return which players are there, as GetMatch says."""
    request = pb.GetMatchRequest(match_id=match_id, with_presence=True)
    return connected((await server.match.GetMatch(request, metadata=bearer(secret))).presence)


async def becomes(server: LocalServer, match_id: str, wanted: list[bool]) -> None:
    async def is_so() -> bool:
        return await present(server, match_id) == wanted

    await until(is_so)


def watch(server: LocalServer, table: Table, person: int | None = None, **more: Any) -> Any:
    secret = "" if person is None else table.secrets[person]
    request = pb.WatchMatchRequest(match_id=table.id, **more)
    return server.match.WatchMatch(request, metadata=bearer(secret))


async def next_presence(stream: Any) -> list[bool]:
    """Return the next presence that a watch or a Play stream brings."""
    async with asyncio.timeout(LIMIT_SECONDS):
        while not (said := await stream.read()).HasField("presence"):
            pass
    return connected(said.presence)


async def test_a_player_is_there_while_a_stream_is_open():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as one, open_server(MemoryStore(memory)) as two:
        table = await one.table(2, 2)
        assert await present(two, table.id) == [False, False]
        watching = watch(one, table, 1)
        await watching.read()
        await becomes(two, table.id, [False, True])
        spectator = watch(two, table)
        await spectator.read()
        watching.cancel()
        await becomes(two, table.id, [False, False])
        seen = pb.GetMatchRequest(match_id=table.id, with_presence=True)
        seats = (await two.match.GetMatch(seen)).presence.seats
        assert not seats[0].HasField("last_seen_time")
        assert seats[1].HasField("last_seen_time")


async def test_presence_is_sent_only_to_those_who_ask(server: LocalServer):
    table = await server.table(2, 2)
    stream = watch(server, table)
    await stream.read()
    players = watch(server, table, 0)
    await players.read()
    await becomes(server, table.id, [True, False])
    await table.step()
    assert (await stream.read()).HasField("change")
    assert not (await table.get(0)).HasField("presence")


async def test_watch_play_and_play_all_say_who_is_there_by_one_rule():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as one, open_server(MemoryStore(memory)) as two:
        table = await one.table(2, 2)
        spectator = watch(one, table, with_presence=True)
        assert await next_presence(spectator) == [False, False]
        play = two.match.Play(metadata=bearer(table.secrets[0]))
        enter = pb.PlayEnter(match_id=table.id, with_presence=True)
        await play.write(pb.PlayRequest(enter=enter))
        assert await next_presence(spectator) == [True, False]
        while await next_presence(play) != [True, False]:
            pass
        bots = Bots(one, with_presence=True)
        await bots.enter(table, person=1)
        assert await next_presence(spectator) == [True, True]
        assert await next_presence(play) == [True, True]
        play.cancel()
        assert await next_presence(spectator) == [False, True]
        while not (heard := await bots.hear()).play.HasField("presence") or connected(
            heard.play.presence
        ) != [False, True]:
            pass


async def test_two_streams_of_a_seat_are_one_player(server: LocalServer):
    table = await server.table(2, 2)
    first, second = watch(server, table, 0), watch(server, table, 0)
    for stream in (first, second):
        await stream.read()
    spectator = watch(server, table, with_presence=True)
    while await next_presence(spectator) != [True, False]:
        pass
    first.cancel()
    third = watch(server, table, 1)
    await third.read()
    assert await next_presence(spectator) == [True, True]


async def test_whoever_acts_for_a_seat_is_its_player(server: LocalServer):
    table = await server.table(2, 2)
    holder = watch(server, table, 0)
    await holder.read()
    await becomes(server, table.id, [True, False])
    request = pb.DelegateSeatRequest(match_id=table.id, name="Deputy")
    deputy = await server.match.DelegateSeat(request, metadata=bearer(table.secrets[0]))
    await becomes(server, table.id, [False, False])
    watching = server.match.WatchMatch(
        pb.WatchMatchRequest(match_id=table.id), metadata=bearer(deputy.deputy_secret)
    )
    await watching.read()
    await becomes(server, table.id, [True, False])


async def test_a_bot_of_the_server_is_there(server: LocalServer):
    match = await create(server)
    await add(server, match)
    assert await present(server, match.id) == [True, False]


async def test_delayed_spectators_do_not_see_who_is_there():
    async with open_timed_server() as timed:
        table = await timed.table()
        player = watch(timed.server, table, 0)
        await player.read()
        stream = watch(timed.server, table, with_presence=True, with_reactions=True)
        assert (await stream.read()).HasField("snapshot")
        assert await present(timed.server, table.id) == []
        await becomes_for_player(timed.server, table)
        timed.passes(61)
        async with asyncio.timeout(LIMIT_SECONDS):
            assert (await stream.read()).HasField("snapshot")  # nothing else came before


async def becomes_for_player(server: LocalServer, table: Table) -> None:
    async def is_so() -> bool:
        return (await present(server, table.id, table.secrets[0]))[0]

    await until(is_so)


async def test_the_mark_of_a_server_that_has_died_expires(server: LocalServer):
    table = await server.table(2, 2)
    match, now = await server.matches.current(table.id), Moment(10_000_000)
    marks = {"dead:0": b"%d 1" % (now.ms - EXPIRY_MS), "alive:1": b"%d 1" % (now.ms - 1)}
    marks["dead:1"] = b"%d 0" % (now.ms - 5)
    seats = presence_in(match, marks, now.ms)
    assert [seat.connected for seat in seats] == [False, True]
    assert [seat.seen_ms for seat in seats] == [now.ms - EXPIRY_MS, now.ms - 1]
