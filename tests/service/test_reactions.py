"""SendReaction: players and live watchers are shown it, nobody else; nothing keeps it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.errors import RateLimited
from taflhall_service.app.matches.reactions import AT_ONCE, SECONDS_EACH, ReactionLimiter
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.local_server import LocalServer, Table, bearer, open_server, reason_of, refused
from tests.service.test_play_all import Bots
from tests.service.test_presence import watch
from tests.service.test_rematch import over
from tests.service.timed_server import open_timed_server
from tests.waiting import LIMIT_SECONDS

HELLO, WOW = match_pb2.REACTION_HELLO, match_pb2.REACTION_WOW


async def react(
    server: LocalServer, table: Table, person: int | None = 0, reaction: Any = HELLO, **more: Any
) -> None:
    request = pb.SendReactionRequest(match_id=table.id, reaction=reaction, **more)
    secret = "" if person is None else table.secrets[person]
    await server.match.SendReaction(request, metadata=bearer(secret))


async def next_reaction(stream: Any) -> tuple[int, int]:
    async with asyncio.timeout(LIMIT_SECONDS):
        while not (said := await stream.read()).HasField("reaction"):
            pass
    return said.reaction.seat, said.reaction.reaction


async def test_players_and_watchers_on_any_server_see_a_reaction():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as one, open_server(MemoryStore(memory)) as two:
        table = await one.table(2, 2)
        spectator = watch(two, table, with_reactions=True)
        assert (await spectator.read()).HasField("snapshot")
        play = one.match.Play(metadata=bearer(table.secrets[0]))
        enter = pb.PlayEnter(match_id=table.id, with_reactions=True)
        await play.write(pb.PlayRequest(enter=enter))
        assert (await play.read()).HasField("prompt")
        bots = Bots(two, with_reactions=True)
        await bots.enter(table, person=1)
        assert (await bots.hear()).HasField("entered")
        await table.get(1)
        await react(one, table, 1, WOW)
        assert await next_reaction(spectator) == (1, WOW)
        assert await next_reaction(play) == (1, WOW)
        while not (heard := await bots.hear()).play.HasField("reaction"):
            pass
        assert heard.play.reaction.seat == 1


async def test_a_reaction_changes_nothing_and_is_shown_to_those_who_ask(server: LocalServer):
    table = await server.table(2, 2)
    silent, asking = watch(server, table), watch(server, table, with_reactions=True)
    for stream in (silent, asking):
        await stream.read()
    before = await server.matches.current(table.id)
    await react(server, table)
    assert await next_reaction(asking) == (0, HELLO)
    assert (await server.matches.fresh(table.id)).version == before.version
    await table.step()
    assert (await silent.read()).HasField("change")


async def test_a_watch_resumes_after_a_reaction_without_a_snapshot(server: LocalServer):
    table = await server.table(2, 2)
    stream = watch(server, table, with_reactions=True)
    await stream.read()
    await react(server, table)
    said = await stream.read()
    assert said.HasField("reaction")
    stream.cancel()
    await table.step()
    again = watch(server, table, resume_token=said.resume_token)
    assert (await again.read()).HasField("change")


async def test_delayed_spectators_see_no_reaction():
    async with open_timed_server() as timed:
        table = await timed.table()
        late = watch(timed.server, table, with_reactions=True)
        assert (await late.read()).HasField("snapshot")
        live = watch(timed.server, table, 0, with_reactions=True)
        await live.read()
        await react(timed.server, table)
        assert await next_reaction(live) == (0, HELLO)
        assert not timed.server.spectators.delayed(
            await timed.server.matches.current(table.id)
        ).channel.signals


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"reaction": 0}, "MALFORMED"),
        ({"reaction": 999}, "MALFORMED"),
        ({"person": None}, "SECRET_MISSING"),
        ({"seat": 1}, "NOT_YOUR_SEAT"),
    ],
)
async def test_invalid_requests_are_refused(
    server: LocalServer, given: dict[str, Any], reason: str
):
    table = await server.table(2, 2)
    assert (await refused(react(server, table, **given))).reason == reason


async def test_nobody_reacts_when_the_match_is_over(server: LocalServer):
    match, secrets = await over(server, ("", ""))
    table = Table(server, match.id, secrets, "")
    assert (await refused(react(server, table))).reason == "MATCH_OVER"


async def test_a_seat_sends_few_at_once(server: LocalServer):
    table = await server.table(2, 2)
    reasons = [await reason_of(react(server, table)) for _ in range(AT_ONCE + 1)]
    assert reasons == ["OK"] * AT_ONCE + ["RATE_LIMITED"]
    refusal = await refused(react(server, table))
    assert refusal.metadata["limit"] == "reactions"
    assert await reason_of(react(server, table, 1)) == "OK"


def test_a_seat_that_has_sent_many_waits_two_seconds_for_each():
    now = [100.0]
    limiter = ReactionLimiter(lambda: now[0])
    for _ in range(AT_ONCE):
        limiter.spend("m", 0)
    with pytest.raises(RateLimited) as limited:
        limiter.spend("m", 0)
    assert limited.value.metadata == {"retry_after_ms": "2000", "limit": "reactions"}
    now[0] += SECONDS_EACH
    limiter.spend("m", 0)
    with pytest.raises(RateLimited):
        limiter.spend("m", 0)
