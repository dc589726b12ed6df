"""A stand-in plays for a late seat until its player is back."""

from __future__ import annotations

import grpc
import pytest

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine.kernel.meta_commands import FORFEIT, TIMEOUT
from taflhall_service.app.model.clocks import TimeoutPolicy
from taflhall_service.app.ports.match_store import DueQueue
from tests.service.clocked import START, actions_of, clocked, seconds
from tests.service.local_server import Refusal, bearer

NEUTRAL, STAND_IN = 1, 2


async def test_a_stand_in_plays_until_the_player_answers():
    async with clocked(servers=2) as made:
        table = await made.table(policy=STAND_IN, base=60)
        seat = (await table.get(None)).decisions[0].seat
        await made.passes(60)
        match = (await table.get(None)).match
        assert match.clocks.seats[seat].stand_in
        assert not match.clocks.seats[seat].HasField("deadline")
        assert match.revision == 0
        await made.work(8)
        played = [entry for entry in await actions_of(made, table) if entry.seat == seat]
        assert played
        assert all(entry.command not in (TIMEOUT, FORFEIT) for entry in played)
        for _ in range(200):
            decision = (await table.get(None)).decisions[0]
            if decision.seat == seat:
                break
            await table.step()
        else:
            pytest.fail("the seat has nothing to decide any more")
        await table.submit(decision.id, person=seat)
        back = (await table.get(None)).match
        assert not back.clocks.seats[seat].stand_in
        before = back.revision
        await made.work(3)
        assert (await table.get(None)).match.revision == before
        assert [policy for policy, _ in made.ups] == [TimeoutPolicy.STAND_IN]


async def test_a_stand_in_is_sent_for_again_when_its_seat_is_late_again():
    async with clocked() as made:
        table = await made.table(policy=STAND_IN, people=1, base=60, increment=2)
        await made.passes(60)
        decision = (await table.get(None)).decisions[0]
        await table.submit(decision.id)
        assert (await table.get()).match.clocks.seats[0].bank == seconds(4)
        await made.passes(4)
        assert (await table.get()).match.clocks.seats[0].stand_in
        await table.visit()
        await made.work(400)
        assert (await table.get()).match.status == match_pb2.MATCH_STATUS_FINISHED
        assert len(made.ups) == 2


async def test_those_who_watch_see_the_answers_of_a_stand_in_and_that_it_came_and_went():
    async with clocked() as made:
        table = await made.table(policy=STAND_IN, people=1, base=60)
        watch = table.server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        await watch.read()
        await made.passes(60)
        come = await watch.read()
        assert come.snapshot.cause == pb.SNAPSHOT_CAUSE_SEATS_CHANGED
        assert come.snapshot.match.clocks.seats[0].stand_in
        await table.visit()
        assert not (await watch.read()).snapshot.match.clocks.seats[0].paused
        await made.work()
        assert (await watch.read()).change.clocks.seats[0].stand_in
        decision = (await table.get(None)).decisions[0]
        await table.submit(decision.id)
        back = await watch.read()
        assert back.WhichOneof("update") == "change"
        assert not back.change.clocks.seats[0].stand_in
        gone = await watch.read()
        assert gone.snapshot.cause == pb.SNAPSHOT_CAUSE_SEATS_CHANGED
        watch.cancel()


@pytest.mark.parametrize("policy", [NEUTRAL, STAND_IN])
async def test_a_match_pauses_when_its_last_player_goes_and_runs_on_when_one_is_back(policy):
    async with clocked() as made:
        table = await made.table(policy=policy, base=60)
        for _ in range(4):
            await made.passes(200)
            await made.work(50)
        stopped = (await table.get(None)).match
        assert all(clock.paused for clock in stopped.clocks.seats)
        await made.passes(100_000)
        await made.work(50)
        assert (await table.get(None)).match.revision == stopped.revision
        assert made.memory.queues[DueQueue.DEADLINES] == {}

        await table.visit(1)
        running = (await table.get(None)).match
        assert not any(clock.paused for clock in running.clocks.seats)
        await made.passes(3600)
        await made.work(3)
        assert (await table.get(None)).match.revision > stopped.revision


async def test_a_player_who_comes_back_to_a_paused_match_has_lost_no_time_in_it():
    async with clocked() as made:
        table = await made.table(policy=NEUTRAL, people=1, base=60, free=30)
        await made.passes(90)
        await made.passes(60)
        await made.passes(86_400)
        decision = (await table.get()).decisions[0]
        await table.submit(decision.id)
        (clock,) = (await table.get()).match.clocks.seats
        assert not clock.paused
        assert clock.bank == seconds(30)


async def test_a_match_with_a_player_left_does_not_pause():
    async with clocked() as made:
        table = await made.table(policy=STAND_IN, base=60, free=600)
        while (await table.get(None)).decisions[0].seat == 0:
            await table.submit((await table.get(None)).decisions[0].id)
        await made.passes(700)
        match = (await table.get(None)).match
        assert match.clocks.seats[1].stand_in
        assert not any(clock.paused for clock in match.clocks.seats)


async def test_a_reclaimed_seat_that_is_late_again_gets_a_stand_in_again():
    async with clocked() as made:
        table = await made.table(policy=STAND_IN, people=1, base=60, increment=3)
        await made.passes(60)
        assert (await table.get()).match.clocks.seats[0].stand_in
        mine = bearer(table.secrets[0])
        back = await table.server.match.ReclaimSeat(
            pb.ReclaimSeatRequest(match_id=table.id), metadata=mine
        )
        clock = back.match.clocks.seats[0]
        assert (clock.stand_in, back.match.seats[0].stand_in) == (False, False)
        assert clock.deadline.ToMilliseconds() == START + 60_000 + 3000
        await made.passes(3)
        match = (await table.get()).match
        assert match.revision == 0
        assert match.clocks.seats[0].stand_in
        assert match.seats[0].stand_in
        assert len(made.ups) == 2


async def test_after_an_undo_the_clock_runs_for_who_decides_again():
    async with clocked() as made:
        table = await made.table(people=1, base=60)
        undo = pb.ProposeToPlayersRequest(
            match_id=table.id, undo=match_pb2.UndoProposal(), request_id="back"
        )
        mine = bearer(table.secrets[0])
        for _ in range(20):
            await made.passes(1)
            await table.step()
            try:
                await table.server.match.ProposeToPlayers(undo, metadata=mine)
            except grpc.aio.AioRpcError as error:
                if Refusal(error).reason != "CANNOT_UNDO":
                    raise
                continue
            break
        else:
            pytest.fail("nothing could be taken back")
        match = (await table.get()).match
        spent = made.ms - START
        assert match.clocks.seats[0].bank.ToMilliseconds() == 60_000 - spent
        assert match.clocks.seats[0].deadline.ToMilliseconds() == made.ms + 60_000 - spent
