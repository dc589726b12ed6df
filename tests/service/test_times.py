"""Times of a match: its creation, start, last change and end, and what its clocks have left."""

from __future__ import annotations

from typing import Any

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.matches.clock_updates import PauseClocks
from taflhall_service.app.matches.transaction import act
from taflhall_service.app.model.limits import Limits
from tests.service.clocked import START, clocked, seconds
from tests.service.local_server import Table, bearer


def enter(table: Table, person: int) -> Any:
    """Return an open Play stream of a person at the table, and what to write first."""
    play = table.server.match.Play(metadata=bearer(table.secrets[person]))
    return play, pb.PlayRequest(enter=pb.PlayEnter(match_id=table.id))


async def test_a_match_says_when_it_was_created_started_changed_and_over() -> None:
    async with clocked() as made:
        server = made.servers[0]
        table = await server.table()
        opened = (await table.get()).match
        assert opened.create_time.ToMilliseconds() == START
        await made.passes(5)
        await server.match.StartMatch(
            pb.StartMatchRequest(match_id=table.id), metadata=bearer(table.creator)
        )
        started = (await table.get()).match
        assert started.start_time.ToMilliseconds() <= started.update_time.ToMilliseconds()
        assert not started.HasField("end_time")
        await made.passes(5)
        decision = (await table.get()).decisions[0]
        await table.submit(decision.id, person=decision.seat)
        answered = (await table.get()).match
        assert answered.start_time == started.start_time
        assert answered.update_time.ToMilliseconds() == made.ms
        await made.passes(5)
        resign = pb.ResignSeatRequest(match_id=table.id, request_id="gone")
        await server.match.ResignSeat(resign, metadata=bearer(table.secrets[0]))
        over = (await table.get()).match
        assert over.end_time.ToMilliseconds() == over.update_time.ToMilliseconds() == made.ms
        assert over.start_time == started.start_time
        assert over.create_time == opened.create_time


async def test_the_times_of_a_match_are_those_of_its_store() -> None:
    async with clocked(servers=2) as made:
        table = await made.table(base=60)
        await made.passes(5)
        decision = (await table.get()).decisions[0]
        await table.submit(decision.id, person=decision.seat)
        get = pb.GetMatchRequest(match_id=table.id)
        here = (await made.servers[0].match.GetMatch(get)).match
        assert (await made.servers[1].match.GetMatch(get)).match == here
        assert here.start_time.ToMilliseconds() == START


async def test_each_message_says_what_is_left_and_for_which_time() -> None:
    async with clocked() as made:
        table = await made.table(base=60, free=10)
        decision = (await table.get()).decisions[0]
        seat = decision.seat

        def left(clocks: match_pb2.MatchClocks) -> int:
            assert clocks.read_time.ToMilliseconds() == made.ms
            other = clocks.seats[1 - seat]
            assert other.remaining == other.bank == seconds(60)
            return clocks.seats[seat].remaining.ToMilliseconds()

        await made.passes(24)
        assert left((await table.get()).match.clocks) == 46_000
        watch = table.server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        assert left((await watch.read()).snapshot.match.clocks) == 46_000
        await made.passes(10)  # a snapshot that was made before is sent with the time of now
        again = table.server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        assert left((await again.read()).snapshot.match.clocks) == 36_000
        play, first = enter(table, seat)
        await play.write(first)
        assert left((await play.read()).prompt.clocks) == 36_000
        await table.submit(decision.id, person=seat)
        change = (await watch.read()).change
        (running,) = [clock for clock in change.clocks.seats if clock.HasField("deadline")]
        assert running.deadline.ToMilliseconds() == made.ms + running.remaining.ToMilliseconds()
        for stream in (again, watch, play):
            stream.cancel()


async def test_only_the_newest_of_several_changes_sent_at_once_has_the_clocks() -> None:
    async with clocked() as made:
        table = await made.table(base=60)
        token = (await table.get(None)).resume_token
        for _ in range(3):
            await table.step()
        request = pb.WatchMatchRequest(match_id=table.id, resume_token=token)
        watch = table.server.match.WatchMatch(request)
        changes = [(await watch.read()).change for _ in range(3)]
        assert [change.HasField("clocks") for change in changes] == [False, False, True]
        watch.cancel()


async def test_heartbeats_say_what_is_left() -> None:
    async with clocked(limits=Limits(heartbeat_seconds=0.05)) as made:
        table = await made.table(base=60)
        seat = (await table.get()).decisions[0].seat
        watch = table.server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        play, first = enter(table, 1 - seat)
        await play.write(first)
        await made.passes(20)
        for stream in (watch, play):
            while (clocks := (await stream.read()).heartbeat.clocks) == match_pb2.MatchClocks():
                continue
            assert clocks.read_time.ToMilliseconds() - START <= 20_000
            gone = clocks.read_time.ToMilliseconds() - START
            assert clocks.seats[seat].remaining.ToMilliseconds() == 60_000 - gone
            stream.cancel()


async def test_a_paused_clock_keeps_what_is_left() -> None:
    async with clocked() as made:
        table = await made.table(base=60, free=10)
        seat = (await table.get()).decisions[0].seat
        await made.passes(30)
        await act(made.servers[0].matches, table.id, PauseClocks(True))
        await made.passes(20)
        clock = (await table.get()).match.clocks.seats[seat]
        assert (clock.paused, clock.remaining) == (True, seconds(40))


async def test_an_outage_takes_nothing_of_what_is_left() -> None:
    async with clocked() as made:
        table = await made.table(base=60)
        seat = (await table.get()).decisions[0].seat
        await made.passes(10)
        before = (await table.get()).match.clocks.seats[seat].remaining.ToMilliseconds()
        await made.away(600)
        await made.servers[0].matches.store_clock.send_heartbeat()
        after = (await table.get()).match.clocks.seats[seat].remaining.ToMilliseconds()
        assert before - 3_000 <= after <= before
