"""A server that begins to follow a long match late does not play it from its start."""

from __future__ import annotations

from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.model.records import KEYFRAME_INTERVAL
from taflhall_service.app.spectating.delayed_match import BATCH, SKIP_MARGIN_MS
from tests.service.delayed import DELAY, MARGIN
from tests.service.local_server import LocalServer, Table, bearer, open_server
from tests.service.test_past import LONG, CountingStore, prolonged
from tests.service.timed_server import DELAYED, TimedServer, memory_at
from tests.waiting import until

SKIPPED = DELAY + MARGIN + SKIP_MARGIN_MS / 1000
"""Seconds after which entries need not be played one by one."""


async def ice_garden(timed: TimedServer) -> Table:
    """Begin a match of one person with delayed spectators; most answers can be taken back."""
    server = timed.server
    request = pb.CreateMatchRequest()
    request.setup.game, request.setup.seats = "ice_garden", 4
    request.spectators.policy = DELAYED
    request.spectators.delay.seconds = DELAY
    made = await server.match.CreateMatch(request)
    join = pb.JoinMatchRequest(match_id=made.match.id, seats=range(4), name="Ann")
    secret = (await server.match.JoinMatch(join)).seat_secret
    start = pb.StartMatchRequest(match_id=made.match.id)
    await server.match.StartMatch(start, metadata=bearer(made.creator_secret))
    return Table(server, made.match.id, [secret], made.creator_secret)


async def seen_late(server: LocalServer, match_id: str) -> pb.GetMatchResponse:
    """Return what somebody without a seat sees of a match."""
    request = pb.GetMatchRequest(match_id=match_id, with_view=True)
    found: pb.GetMatchResponse = await server.match.GetMatch(request)
    return found


async def test_a_long_match_costs_no_more_than_a_short_one():
    memory = memory_at()
    async with open_server(CountingStore(memory)) as server:
        timed = TimedServer(memory, server)
        table = await ice_garden(timed)
        await prolonged(server, table.id, LONG)
        timed.passes(SKIPPED)
        await table.step()  # what nobody may see yet
        server.store.read = 0
        assert (await seen_late(server, table.id)).match.revision == LONG
        (delayed,) = server.spectators.delayed_matches
        assert delayed.moves == 0
        assert server.store.read < BATCH + 3 * KEYFRAME_INTERVAL


async def test_a_match_that_was_entered_late_is_seen_as_by_those_who_have_followed_it():
    memory = memory_at()
    async with (
        open_server(CountingStore(memory)) as server,
        open_server(CountingStore(memory), poll=0.02) as follower,
    ):
        timed = TimedServer(memory, server)
        table = await ice_garden(timed)
        for number in range(1, 9):
            timed.passes(SKIPPED, follower)
            at = memory.clock()
            await prolonged(server, table.id, 70 * number, seed=number, at_ms=at)
            timed.passes(DELAY + MARGIN, follower)
            await prolonged(server, table.id, 70 * number + 3, seed=number, at_ms=memory.clock())
            for watched in follower.spectators.delayed_matches:
                await until(lambda: watched.known.revision == 70 * number + 3)  # noqa: B023
            followed = await seen_late(follower, table.id)
            assert followed.match.revision == 70 * number
            async with open_server(CountingStore(memory)) as newcomer:
                entered = await seen_late(newcomer, table.id)
                (delayed,) = newcomer.spectators.delayed_matches
                assert delayed.moves < 3 * KEYFRAME_INTERVAL
            assert entered.view == followed.view
            assert entered.match == followed.match
            assert list(entered.decisions) == list(followed.decisions)
        (delayed,) = follower.spectators.delayed_matches
        assert delayed.moves > 300
