"""A seat whose time runs out, over the wire, by each policy but the stand-in."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from taflhall.v1 import match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine import registry
from taflhall_engine.kernel import record
from taflhall_engine.kernel.meta_commands import FORFEIT, TIMEOUT
from taflhall_engine.kernel.replay import replay
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.model.clocks import TimeoutPolicy
from taflhall_service.app.ports.match_store import Commit, CommitResult, DueQueue
from taflhall_service.app.spectating import queries
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.clocked import actions_of, clocked, seconds
from tests.service.local_server import Refusal, refused
from tests.waiting import until

NEUTRAL, FORFEITED = 1, 3


async def test_a_late_seat_gets_the_neutral_answer_and_an_event():
    async with clocked() as made:
        table = await made.table(base=60, increment=3)
        seat = (await table.get(None)).decisions[0].seat
        watch = table.server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        await watch.read()
        await made.passes(59)
        assert (await table.get()).match.revision == 0
        await made.passes(1)
        update = await watch.read()
        assert update.change.events[0].timed_out == table_pb2.TimedOutEvent(seat=seat)
        assert update.change.clocks.seats[seat].bank == seconds(3)
        assert (await table.get()).match.revision == 1
        assert made.ups == [(TimeoutPolicy.NEUTRAL, 0.0)]
        watch.cancel()


async def test_an_absent_seat_holds_the_others_up_for_no_more_than_the_refill():
    async with clocked() as made:
        table = await made.table(people=1, base=60, free=30)
        await made.passes(90)  # what he had
        await made.passes(60)  # free time and refill
        assert (await table.get(None)).match.revision == 2
        for expected in range(3, 8):  # the refill alone
            await table.visit()  # without anybody there the match would be paused
            await made.passes(29)
            assert (await table.get(None)).match.revision == expected - 1
            await made.passes(1)
            assert (await table.get(None)).match.revision == expected
        assert all(entry.command == TIMEOUT for entry in await actions_of(made, table))


async def test_an_answer_before_the_timeout_counts():
    async with clocked() as made:
        table = await made.table(base=60, increment=1)
        await made.passes(65, at_work=False)  # nobody has looked yet
        decision = (await table.get(None)).decisions[0]
        await table.submit(decision.id, person=decision.seat)
        await made.work(3)
        response = await actions_of(made, table)
        assert [entry.command in (TIMEOUT, FORFEIT) for entry in response] == [False]


async def test_an_answer_after_the_timeout_is_stale():
    async with clocked() as made:
        table = await made.table(base=60)
        decision = (await table.get(None)).decisions[0]
        await made.passes(60)
        late = table.submit(decision.id, person=decision.seat)
        assert (await refused(late)).reason == "STALE_DECISION"


async def test_exactly_one_server_times_a_seat_out():
    async with clocked(servers=4) as made:
        table = await made.table(base=60)
        for server in made.servers[1:]:  # every one of them remembers the table
            await server.match.GetMatch(pb.GetMatchRequest(match_id=table.id))
        for expected in range(1, 5):
            await made.passes(60, at_work=False)
            await made.work()
            assert (await table.get(None)).match.revision == expected
            assert len(made.ups) == expected
        assert [entry.command for entry in await actions_of(made, table)] == [TIMEOUT] * 4


class Gated(MemoryStore):
    """A store whose commits wait while its gate is shut."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self.gate = asyncio.Event()
        self.gate.set()
        self.waiting = asyncio.Event()

    async def commit(self, commit: Commit) -> CommitResult:
        self.waiting.set()
        await self.gate.wait()
        return await super().commit(commit)


@pytest.mark.parametrize("timer_first", [False, True])
async def test_the_first_counts_if_an_answer_and_a_timer_come_at_the_same_time(timer_first: bool):
    stores = [lambda store: Gated(store.memory)] * 2
    async with clocked(servers=2, stores=stores) as made:
        table = await made.table(base=60, increment=1)
        first, second = made.servers if not timer_first else made.servers[::-1]
        for _ in range(4):
            decision = (await table.get(None)).decisions[0]
            await made.passes(60, at_work=False)
            before = (await table.get(None)).match.revision

            async def answer(decision=decision) -> bool:
                try:
                    await table.submit(decision.id, person=decision.seat)
                except grpc.aio.AioRpcError as error:
                    return Refusal(error).reason != "STALE_DECISION"
                return True

            async def timer() -> None:
                await made.timers[1].look()
                await made.servers[1].matches.idle(10)

            for server in made.servers:
                server.store.gate.clear()
                server.store.waiting.clear()
            both = asyncio.gather(answer(), timer())
            for server in (first, second):
                await server.store.waiting.wait()  # both are prepared
            first.store.gate.set()
            await until(lambda: len(made.memory.entries[table.id]) > before)  # noqa: B023
            second.store.gate.set()
            given, _ = await both
            moves = await actions_of(made, table)
            assert len(moves) == before + 1
            assert given == (moves[-1].command != TIMEOUT) == (not timer_first)


async def test_a_forfeit_loses_a_cooperative_match_for_all():
    async with clocked() as made:
        table = await made.table(policy=FORFEITED, base=60)
        seat = (await table.get(None)).decisions[0].seat
        await made.passes(60)
        match = (await table.get(None)).match
        assert match.status == match_pb2.MATCH_STATUS_FINISHED
        assert [r.id for r in match.result.reasons] == ["forfeited"]
        assert match.seats[seat].resigned
        assert made.ups == [(TimeoutPolicy.FORFEIT, 0.0)]
        assert not any(clock.HasField("deadline") for clock in match.clocks.seats)
        assert made.memory.queues[DueQueue.DEADLINES] == {}


async def test_a_forfeit_among_rivals_is_last_and_the_others_continue():
    async with clocked() as made:
        table = await made.table(policy=FORFEITED, game="champions", base=60)
        seat = (await table.get(None)).decisions[0].seat
        await made.passes(60)
        match = (await table.get(None)).match
        assert match.status == match_pb2.MATCH_STATUS_PLAYING
        assert match.seats[seat].resigned
        assert [d.seat for d in (await table.get(None)).decisions] != [seat]


@pytest.mark.parametrize(("policy", "game"), [(NEUTRAL, "yggdrasil"), (FORFEITED, "champions")])
async def test_records_with_time_that_ran_out_replay(policy, game):
    async with clocked() as made:
        table = await made.table(policy=policy, game=game, base=2)
        step = 0
        while (await table.get(None)).decisions:
            step += 1
            if step % 3:
                await table.step()
            else:
                await made.passes(4)
            assert step < 1500
        found = await queries.record(made.servers[0].spectators, table.id, Identity())
        kinds = {entry.command for entry in found.commands if entry.command in (TIMEOUT, FORFEIT)}
        assert kinds == {TIMEOUT if policy == NEUTRAL else FORFEIT}
        match = found.match
        assert match.result is not None
        written = record.written(
            match.game,
            match.setup,
            [place.name for place in match.seats],
            match.origin.secret,
            [(move.seat, move.command) for move in found.commands],
            [found.start_digest, *[move.digest for move in found.commands]],
            match.result,
        )
        assert replay(registry.game(game), written).result == match.result
