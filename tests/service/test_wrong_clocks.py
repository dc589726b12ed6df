"""No seat loses time to wrong clocks, paused or draining servers, or lost notifications."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import grpc
import pytest
from prometheus_client import generate_latest
from structlog.testing import capture_logs

from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.jobs import deadlines as timers
from taflhall_service.app.jobs.runner import BackgroundJobs
from taflhall_service.app.model.clocks import MAX_PAUSE_MS, TimeoutPolicy
from taflhall_service.app.ports.bots import BotFailed, BotUnavailable
from taflhall_service.app.ports.match_store import DueQueue
from taflhall_service.observability.metrics import Meter
from taflhall_service.store.clock_estimate import ClockEstimate
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.clocked import START, Clocked, clocked, seconds
from tests.service.inline_bots import InlineBots
from tests.service.local_server import bearer, limits, open_server, refused
from tests.stopwatch import Stopwatch
from tests.waiting import LIMIT_SECONDS

HOUR_MS = 3_600_000


class Ahead(MemoryStore):
    """Estimates wrongly, until it reads the store's clock if that helps."""

    wrong = 0
    helps = True

    async def now(self) -> int:
        return await super().now() + self.wrong

    async def heartbeat(self):
        if self.helps:
            self.wrong = 0
        return await super().heartbeat()


def ahead(store: MemoryStore) -> Ahead:
    return Ahead(store.memory)


async def bank(made: Clocked, table, seat: int) -> int:
    match = (await made.servers[-1].match.GetMatch(pb.GetMatchRequest(match_id=table.id))).match
    found: int = match.clocks.seats[seat].bank.ToMilliseconds()
    return found


@pytest.mark.parametrize("helps", [False, True])
async def test_a_server_whose_clock_is_ahead_times_no_seat_out_early(helps):
    async with clocked(servers=2, stores=[ahead]) as made:
        table = await made.table(base=60)
        server = made.servers[0]
        server.store.helps = helps
        await made.passes(58)
        for wrong in (HOUR_MS, 2500, 2500):
            server.store.wrong = wrong
            await made.timers[0].look()
            await server.matches.idle(2)
            assert made.ups == []
            assert (await table.get(None)).match.revision == 0
        assert (server.store.wrong == 0) == helps
        await made.passes(2)  # and when it is time, somebody says so
        assert len(made.ups) == 1


@pytest.mark.parametrize("wrong", [2500, 30_000])
async def test_an_answer_through_a_server_whose_clock_is_ahead_is_charged_rightly(wrong):
    async with clocked(servers=2, stores=[ahead]) as made:
        table = await made.table(base=60)
        decision = (await table.get(None)).decisions[0]
        await made.passes(20)
        made.servers[0].store.wrong = wrong
        await table.submit(decision.id, person=decision.seat)
        assert await bank(made, table, decision.seat) == 40_000


async def test_a_server_that_stays_ahead_charges_nobody():
    async with clocked(servers=2, stores=[ahead]) as made:
        table = await made.table(base=60)
        decision = (await table.get(None)).decisions[0]
        made.servers[0].store.wrong, made.servers[0].store.helps = HOUR_MS, False
        late = table.submit(decision.id, person=decision.seat)
        assert (await refused(late)).code is grpc.StatusCode.UNAVAILABLE
        assert await bank(made, table, decision.seat) == 60_000


class Reckoned(MemoryStore):
    """Reckons as the stores of Redis do."""

    def __init__(self, memory: Memory, clock: Callable[[], float]) -> None:
        super().__init__(memory)
        self.clock = clock
        self.estimate = ClockEstimate(self.look, clock=clock)

    async def look(self) -> int:
        return self.memory.clock()

    async def now(self) -> int:
        return await self.estimate.now()

    async def heartbeat(self):
        before = self.clock()
        found = await super().heartbeat()
        self.estimate.observe(found.now, before)
        return found


class Jumping:
    """A monotonic clock that is none: the test makes it jump."""

    def __init__(self) -> None:
        self.by = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.by


@pytest.mark.parametrize("jump", [-3600.0, -2.0, -1.0, 1.0, 2.0, 3600.0])
async def test_no_jump_of_a_servers_own_clocks_times_a_seat_out(jump, monkeypatch):
    jumping = Jumping()
    monkeypatch.setattr(time, "time", lambda: jumping() + 12345.0)
    memory = Memory(lambda: START + int((time.monotonic() - began) * 1000))
    began = time.monotonic()
    made = Clocked()
    made.memory = memory
    async with open_server(Reckoned(memory, jumping)) as server:
        made.servers.append(server)
        made.timers.append(timers.Timers(server.matches, InlineBots(), made.time_up))
        await server.matches.store_clock.send_heartbeat()
        table = await made.table(base=600)
        seat = (await table.get(None)).decisions[0].seat
        for _ in range(3):
            jumping.by += jump
            await made.timers[0].look()
            await server.matches.idle(2)
        assert made.ups == []
        jumping.by += jump
        await table.step()
        match = (await table.get(None)).match
        assert match.revision == 1
        if jump > 0:
            assert match.clocks.seats[seat].bank.ToMilliseconds() >= 598_000


async def test_a_server_that_was_paused_checks_for_outages_before_it_times_a_seat_out():
    async with clocked(servers=1) as made:
        table = await made.table(base=60)
        await made.away(3600)
        server = made.servers[0]
        await made.timers[0].look()  # it was stopped all the time, and wakes up here
        await server.matches.idle(2)
        assert made.ups == []
        await made.work(3)
        assert (await table.get(None)).match.revision == 0
        match = (await table.get(None)).match
        seat = (await table.get(None)).decisions[0].seat
        fresh = await server.matches.fresh(table.id)
        assert match.clocks.seats[seat].bank == seconds(60)
        assert fresh.next_deadline(server.matches.store_clock.outages) == (
            seat,
            START + 60_000 + HOUR_MS,
        )
        await made.passes(60)
        assert len(made.ups) == 1


async def test_time_without_any_server_is_charged_to_nobody():
    async with clocked(servers=2) as made:
        table = await made.table(base=60)
        seat = (await table.get(None)).decisions[0].seat
        await made.passes(10)
        await made.away(600)
        await made.work(2)
        assert made.ups == []
        await made.passes(10)
        await table.step()
        assert await bank(made, table, seat) == 40_000


async def test_a_server_does_not_judge_a_time_of_which_it_may_not_know_all():
    """A deadline that passes in an outage is postponed by the first server that learns of it."""
    async with clocked(servers=2) as made:
        table = await made.table(base=3.2)
        await made.away(3.5)
        await made.timers[0].look()
        await made.servers[0].matches.idle(2)
        assert made.ups == []
        await made.servers[1].matches.store_clock.send_heartbeat()
        await made.work(2)
        assert made.ups == []
        await made.passes(3)
        assert made.ups == []
        await made.passes(0.2)
        assert len(made.ups) == 1
        assert (await table.get(None)).match.revision == 1


async def test_a_time_that_was_up_before_the_silence_stays_up():
    async with clocked(servers=2) as made:
        table = await made.table(base=2.9)
        seat = (await table.get(None)).decisions[0].seat
        await made.away(2.95)
        await made.timers[0].look()
        await made.servers[0].matches.idle(2)
        assert len(made.ups) == 1
        await made.away(600)
        await made.work()
        entry = (await made.servers[1].matches.fresh(table.id)).revision
        assert entry == 1
        (outage,) = made.memory.outages
        assert outage[0] >= START + 2900
        assert (await table.get(None)).match.clocks.seats[seat].bank == seconds(1)


async def test_an_answer_through_a_server_that_has_not_heard_of_an_outage_is_not_charged_for_it():
    async with clocked() as made:
        table = await made.table(base=60)
        seat = (await table.get(None)).decisions[0].seat
        await made.away(600)
        await table.step()
        assert await bank(made, table, seat) == 57_000  # what was left of the last heartbeat
        await made.away(1)


async def test_a_silence_of_one_server_is_not_an_outage():
    async with clocked(servers=2) as made:
        table = await made.table(base=60)
        for _ in range(40):
            await made.away(2)
            await made.servers[1].matches.store_clock.send_heartbeat()
        assert made.memory.outages == []
        await made.work()
        assert len(made.ups) == 1
        assert (await table.get(None)).match.revision == 1


# ---------------------------------------------------------------- a server goes away


async def test_a_server_that_drains_pauses_the_clocks_until_somebody_answers():
    async with clocked(servers=2) as made:
        table = await made.table(base=60)
        decision = (await table.get(None)).decisions[0]
        watch = table.server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        await watch.read()
        await made.passes(10)
        await made.servers[0].rpc.drain(0, 30)
        response = [await watch.read() for _ in range(2)]
        assert response[0].snapshot.match.clocks.seats[decision.seat].paused
        assert response[1].end.cause == pb.STREAM_END_CAUSE_DRAINING
        other = made.servers[1].match
        match = (await other.GetMatch(pb.GetMatchRequest(match_id=table.id))).match
        assert match.clocks.seats[decision.seat].paused
        assert not match.clocks.seats[decision.seat].HasField("deadline")
        await made.passes(50)
        table.server = made.servers[1]
        await table.submit(decision.id, person=decision.seat)
        assert await bank(made, table, decision.seat) == 50_000
        match = (await other.GetMatch(pb.GetMatchRequest(match_id=table.id))).match
        assert not any(clock.paused for clock in match.clocks.seats)


@pytest.mark.parametrize("stream", ["WatchMatch", "Play"])
async def test_clocks_run_on_when_a_stream_of_a_seat_opens(stream):
    async with clocked(servers=2) as made:
        table = await made.table(base=60)
        seat = (await table.get(None)).decisions[0].seat
        watch = table.server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        await watch.read()
        await made.servers[0].rpc.drain(0, 30)
        await made.passes(30)
        other = made.servers[1].match
        caller_or_spectator = other.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        assert (await caller_or_spectator.read()).snapshot.match.clocks.seats[seat].paused
        mine = bearer(table.secrets[seat])
        if stream == "WatchMatch":
            call = other.WatchMatch(pb.WatchMatchRequest(match_id=table.id), metadata=mine)
            clocks = (await call.read()).snapshot.match.clocks.seats
        else:
            call = other.Play(metadata=mine)
            await call.write(pb.PlayRequest(enter=pb.PlayEnter(match_id=table.id)))
            clocks = (await call.read()).prompt.clocks.seats
        assert clocks[seat].deadline.ToMilliseconds() == START + 90_000
        assert not (await caller_or_spectator.read()).snapshot.match.clocks.seats[seat].paused
        call.cancel()
        caller_or_spectator.cancel()


async def test_a_pause_ends_by_itself_after_a_minute():
    async with clocked(servers=2) as made:
        table = await made.table(base=60)
        watch = table.server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        await watch.read()
        await made.servers[0].rpc.drain(0, 30)
        del made.timers[0]
        get = pb.GetMatchRequest(match_id=table.id)
        await made.passes(MAX_PAUSE_MS / 1000 - 1)
        assert any(c.paused for c in (await made.servers[1].match.GetMatch(get)).match.clocks.seats)
        await made.passes(1)
        clocks = (await made.servers[1].match.GetMatch(get)).match.clocks.seats
        assert not any(clock.paused for clock in clocks)
        (end,) = [c.deadline.ToMilliseconds() for c in clocks if c.HasField("deadline")]
        assert end == START + 60_000 + MAX_PAUSE_MS
        await made.passes(59)
        assert made.ups == []
        await made.passes(1)
        assert len(made.ups) == 1


async def test_matches_that_nobody_here_looks_at_are_not_stopped():
    async with clocked(servers=2) as made:
        table = await made.table(base=60)
        await made.servers[0].rpc.drain(0, 0.1)
        match = (await made.servers[1].match.GetMatch(pb.GetMatchRequest(match_id=table.id))).match
        assert not any(clock.paused for clock in match.clocks.seats)


# ---------------------------------------------------------------- noted deadlines


async def test_a_sweep_finds_a_deadline_that_was_not_noted():
    async with clocked() as made:
        table = await made.table(base=60)
        await made.servers[0].table()
        made.memory.queues[DueQueue.DEADLINES].clear()
        await made.passes(60)
        assert made.ups == []
        await made.timers[0].scan()
        assert list(made.memory.queues[DueQueue.DEADLINES]) == [table.id]
        await made.work()
        assert len(made.ups) == 1


class Tardy(MemoryStore):
    """Lets its hints arrive late."""

    def __init__(self, memory):
        super().__init__(memory)
        self.on_time = asyncio.Event()
        self.on_time.set()

    async def schedule(self, name, due_ms, queue=DueQueue.DEADLINES):
        await self.on_time.wait()
        await super().schedule(name, due_ms, queue)


async def test_a_late_deadline_does_not_replace_a_newer_one():
    stores = [lambda store: Tardy(store.memory)]
    async with clocked(servers=2, stores=stores) as made:
        table = await made.table(people=1, base=60, increment=1)
        made.servers[0].store.on_time.clear()
        await table.step()
        table.server = made.servers[1]
        await table.step()
        await made.servers[1].matches.idle(2)
        assert made.memory.queues[DueQueue.DEADLINES] == {table.id: START + 62_000}
        made.servers[0].store.on_time.set()  # now the first one arrives
        await made.servers[0].matches.idle(2)
        assert made.memory.queues[DueQueue.DEADLINES] == {table.id: START + 62_000}


async def test_wrong_deadline_notes_do_no_harm():
    async with clocked() as made:
        table = await made.table(base=60)
        await made.servers[0].store.schedule(table.id, 1)
        await made.servers[0].store.schedule("nothing", 1)
        await made.work()
        assert made.ups == []
        assert made.memory.queues[DueQueue.DEADLINES] == {table.id: START + 60_000}


async def test_a_match_that_cannot_be_read_is_left_alone_for_a_while():
    async with clocked() as made:
        table = await made.table(base=60)
        await made.passes(60, at_work=False)
        match = made.memory.matches[table.id]
        made.memory.matches[table.id] = match._replace(frozen=b"somebody looks at it")
        made.servers[0].matches.forget(table.id)
        await made.work()
        assert made.memory.queues[DueQueue.DEADLINES][table.id] > made.ms


async def test_a_match_as_long_as_may_be_is_dealt_with_no_more():
    async with clocked() as made:
        table = await made.table(base=60)
        server = made.servers[0]
        await table.step()
        server.matches.limits = limits(match_commands=1)  # type: ignore[misc]
        await made.passes(60)
        assert made.ups == []
        assert made.memory.queues[DueQueue.DEADLINES] == {}


class FailingBots(InlineBots):
    """Bots that fail as long as there is an *error*."""

    def __init__(self, error: Exception) -> None:
        self.error: Exception | None = error

    async def choose(self, *decision: Any) -> list[int]:
        if self.error is not None:
            raise self.error
        return await super().choose(*decision)


async def test_a_stand_in_that_fails_gives_the_neutral_answer():
    async with clocked(bots=FailingBots(BotFailed("KeyError"))) as made:
        table = await made.table(policy=2, people=1, base=60)
        await made.passes(60)
        await table.visit()
        with capture_logs() as logged:
            await made.work(3)
        assert (await table.get()).match.revision == 3
    assert {"event": "stand_in_failed", "kind": "KeyError"}.items() <= logged[0].items()


async def test_a_bot_process_that_died_is_asked_again_a_little_later():
    bots = FailingBots(BotUnavailable())
    async with clocked(bots=bots) as made:
        table = await made.table(policy=2, people=1, base=60)
        await made.passes(60)
        await table.visit()
        await made.work(3)
        assert (await table.get()).match.revision == 0
        bots.error = None
        await made.work(3)
        assert (await table.get()).match.revision == 0
        await made.passes(5)
        assert (await table.get()).match.revision == 1


async def test_a_fault_of_one_match_does_not_keep_the_others_waiting():
    async with clocked() as made:
        bad, good = await made.table(base=60), await made.table(base=60)

        class Faulty(timers.Timers):
            """Timers that cannot deal with one of the matches."""

            async def deal(self, match_id):
                if match_id == bad.id:
                    raise KeyError
                await super().deal(match_id)

        made.timers[0] = Faulty(made.servers[0].matches, InlineBots(), made.time_up)
        await made.passes(60)
        assert (await good.get(None)).match.revision == 1
        assert made.memory.queues[DueQueue.DEADLINES][bad.id] == made.ms + timers.LATER_MS


async def test_time_runs_out_in_a_server_with_all_its_background_jobs():
    meter = Meter()
    async with open_server(MemoryStore(metrics=meter.store), meter=meter) as server:
        made = Clocked()
        made.servers.append(server)
        jobs = BackgroundJobs(server.matches, InlineBots(), meter)
        jobs.start(False, None, 1)
        await server.matches.store_clock.send_heartbeat()
        began, stopwatch = time.monotonic(), Stopwatch()
        table = await made.table(base=3, people=1)
        watch = server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        await watch.read()
        async with asyncio.timeout(LIMIT_SECONDS):
            change = (await watch.read()).change
        assert change.events[0].HasField("timed_out")
        assert time.monotonic() - began > 2.95
        assert stopwatch.seconds < 12
        watch.cancel()
        await jobs.stop()
    text = generate_latest(meter.registry).decode()
    assert 'taflhall_timeouts_total{policy="neutral"} 1.0' in text
    assert "taflhall_deadline_delay_seconds_count 1.0" in text


@pytest.mark.parametrize("far", [5, 60, 3600])
async def test_a_clock_that_jumps_back_and_forth_is_charged_to_nobody(far: int):
    async with clocked() as made:
        table = await made.table(policy=TimeoutPolicy.FORFEIT, base=30)
        await made.passes(2)
        made.ms -= far * 1000
        await made.passes(1)
        await table.step()
        await made.passes(1)
        made.ms += far * 1000
        await made.work(3)
        assert made.ups == []
        clocks = (await table.get(None)).match.clocks.seats
        assert all(clock.bank.ToMilliseconds() >= 25_000 for clock in clocks)
        await made.passes(31)
        assert [policy for policy, _ in made.ups] == [TimeoutPolicy.FORFEIT]
