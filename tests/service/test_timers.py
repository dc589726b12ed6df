"""When the timers act, what they leave for later and for how long, and what a drain stops."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from structlog.testing import capture_logs

from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.app.jobs.deadlines import LATER_MS, SOON_MS, STUCK_MS, Timers
from taflhall_service.app.jobs.drain import stop_clocks
from taflhall_service.app.model.clocks import TimeoutPolicy
from taflhall_service.app.ports.bots import BotUnavailable
from taflhall_service.app.ports.match_store import DueQueue
from taflhall_service.store.memory import MemoryStore
from tests.service.clocked import START, Clocked, clocked
from tests.service.inline_bots import InlineBots
from tests.service.local_server import Table
from tests.waiting import settle


async def test_the_delay_of_a_timeout_counts_from_the_deadline():
    async with clocked() as made:
        await made.table(base=60)
        await made.passes(61.5)
        assert made.ups == [(TimeoutPolicy.NEUTRAL, 1.5)]


@pytest.mark.parametrize(("before", "waited"), [(20, True), (SOON_MS + 200, False)])
async def test_a_deadline_that_is_near_is_waited_for(before, waited):
    """The clock stands until a check has read it twice, and is beyond the deadline then."""
    async with clocked() as made:
        table = await made.table(base=60)
        await made.passes(58, at_work=False)
        read, now = 0, START + 60_000 - before

        def clock() -> int:
            nonlocal read
            read += 1
            return now if read <= 2 else START + 60_000

        await made.servers[0].store.schedule(table.id, now)
        made.memory.clock = clock
        await made.timers[0].look()
        await made.servers[0].matches.idle(10)
        assert bool(made.ups) == waited
        if not waited:
            assert made.memory.queues[DueQueue.DEADLINES] == {table.id: START + 60_000}


class Unreadable(MemoryStore):
    """Does not answer when a match is read."""

    silent = False

    async def versions(self, match_ids: Any) -> Any:
        if self.silent:
            raise StoreUnavailable
        return await super().versions(match_ids)


def unreadable(store: MemoryStore) -> Unreadable:
    return Unreadable(store.memory)


async def test_a_match_that_could_not_be_dealt_with_is_left_alone_for_five_seconds():
    async with clocked(stores=[unreadable]) as made:
        table = await made.table(base=60)
        await made.passes(60, at_work=False)
        made.servers[0].store.silent = True
        await made.work()
        assert made.memory.queues[DueQueue.DEADLINES] == {table.id: START + 60_000 + LATER_MS}


@pytest.mark.parametrize("reason", [b"its table is damaged", b"admin: a complaint"])
async def test_a_match_that_an_operator_has_to_see_to_is_left_alone_for_a_minute(reason):
    async with clocked() as made:
        table = await made.table(base=60)
        await made.passes(60, at_work=False)
        match = made.memory.matches[table.id]
        made.memory.matches[table.id] = match._replace(frozen=reason)
        made.servers[0].matches.forget(table.id)
        await made.work()
        assert made.memory.queues[DueQueue.DEADLINES] == {table.id: START + 60_000 + STUCK_MS}
        assert made.ups == []


class Away(InlineBots):
    """Bots that do not answer."""

    async def choose(self, *decision: Any) -> list[int]:
        raise BotUnavailable


async def test_a_stand_in_that_does_not_answer_is_asked_again_in_five_seconds():
    async with clocked(bots=Away()) as made:
        table = await made.table(policy=2, people=1, base=60)
        await made.passes(60)
        await table.visit()
        await made.work()
        assert made.memory.queues[DueQueue.DEADLINES] == {table.id: made.ms + LATER_MS}


class Halting(Timers):
    """Timers that hold each match until they are let go."""

    def __init__(self, made: Clocked) -> None:
        super().__init__(made.servers[0].matches, InlineBots(), made.time_up)
        self.dealt: list[str] = []
        self.go = asyncio.Event()

    async def deal(self, match_id: str) -> None:
        self.dealt.append(match_id)
        await self.go.wait()


async def test_a_match_is_dealt_with_once_at_a_time():
    async with clocked() as made:
        table = await made.table(base=60)
        await made.passes(60, at_work=False)
        timers = Halting(made)
        for _ in range(3):
            await timers.look()
            await settle(3)
        assert timers.dealt == [table.id]
        timers.go.set()
        await made.servers[0].matches.idle(10)
        await timers.look()
        await made.servers[0].matches.idle(10)
        assert timers.dealt == [table.id, table.id]


async def test_a_sweep_notes_only_matches_whose_clocks_run():
    async with clocked() as made:
        tables = [await made.table(base=60) for _ in range(4)]
        over, untimed, gone, going = tables
        memory = made.memory
        memory.matches[over.id] = memory.matches[over.id]._replace(status=b"finished")
        memory.matches[untimed.id] = memory.matches[untimed.id]._replace(deadline=b"")
        memory.queues[DueQueue.DEADLINES].clear()
        store = made.servers[0].store
        summaries = store.summaries

        async def without(ids: Any) -> Any:
            found = await summaries(ids)
            return [None if i == gone.id else s for i, s in zip(ids, found, strict=True)]

        store.summaries = without
        await made.timers[0].scan()
        assert memory.queues[DueQueue.DEADLINES] == {going.id: START + 60_000}


# ---------------------------------------------------------------- a drain


async def watched(made: Clocked, table: Table) -> Any:
    stream = made.servers[0].match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
    await stream.read()
    return stream


class Stuck(MemoryStore):
    """Fails to commit, or does not answer."""

    fails = False
    answers: asyncio.Event | None = None

    async def commit(self, commit: Any) -> Any:
        if self.fails:
            raise StoreUnavailable
        if self.answers is not None:
            await self.answers.wait()
        return await super().commit(commit)


def stuck(store: MemoryStore) -> Stuck:
    return Stuck(store.memory)


@pytest.mark.parametrize("trouble", ["", "fails", "late"])
async def test_clocks_that_could_not_be_stopped_are_counted(trouble):
    async with clocked(stores=[stuck]) as made:
        server = made.servers[0]
        streams = [await watched(made, await made.table(base=60)) for _ in range(2)]
        streams.append(await watched(made, await server.table()))
        server.store.fails = trouble == "fails"
        server.store.answers = asyncio.Event() if trouble == "late" else None
        with capture_logs() as logged:
            await stop_clocks(server.matches, 0.01 if trouble == "late" else 60)
        (line,) = [line for line in logged if line["event"] == "clocks_stopped"]
        assert (line["matches"], line["failed"]) == (2, 2 if trouble else 0)
        if trouble == "late":
            server.store.answers.set()
            await server.matches.idle(10)
        for stream in streams:
            stream.cancel()


async def test_a_server_without_clocks_stops_none():
    async with clocked() as made:
        stream = await watched(made, await made.servers[0].table())
        with capture_logs() as logged:
            await stop_clocks(made.servers[0].matches, 60)
        assert [line for line in logged if line["event"] == "clocks_stopped"] == []
        stream.cancel()
