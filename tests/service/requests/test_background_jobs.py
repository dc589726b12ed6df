"""What a server does in the background, in the time of the test."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from typing import Any

import pytest
from prometheus_client import generate_latest

from taflhall_engine.kernel import COMPILED
from taflhall_service.app.jobs.queue_repair import CLAIM
from taflhall_service.app.jobs.runner import HOUR, BackgroundJobs
from taflhall_service.app.jobs.self_check import SelfCheck
from taflhall_service.app.matches.transaction import act
from taflhall_service.app.model.clocks import TimeControl
from taflhall_service.app.model.match import ABANDONED
from taflhall_service.app.ports.match_store import DueQueue
from taflhall_service.app.tournaments.schedule import Pairing
from taflhall_service.app.tournaments.seating import ResignEntrant, match_id
from taflhall_service.observability.metrics import Meter
from tests.service.inline_bots import InlineBots
from tests.service.requests.matches import playing, seat
from tests.service.requests.process import Process, T
from tests.service.tournaments.values import Office
from tests.virtual_time import in_virtual_time, now_ms
from tests.waiting import take

TWO = (seat("ann"), seat("bob"))
TIMED = playing(*TWO, clock=TimeControl(500_000))
DUE = 502_000
"""When the time of the seat that decides in :data:`TIMED` runs out."""


class Archive:
    """An archive in memory, which may be full."""

    def __init__(self, full: bool = False) -> None:
        self.full = full
        self.files: dict[str, bytes] = {}

    async def get(self, name: str) -> bytes | None:
        return self.files.get(name)

    async def put(self, name: str, data: bytes) -> None:
        if self.full:
            raise OSError("no space")
        self.files[name] = data


class Working:
    """A server that does its background work; the time of its store is that of the test."""

    def __init__(
        self, process: Process, check: bool = False, keep_hours: float = 1.0, **given: Any
    ) -> None:
        process.memory.clock = lambda: T + now_ms()
        self.process = process
        self.meter = Meter()
        self.jobs = BackgroundJobs(process.matches, InlineBots(), self.meter)
        self.jobs.start(check, given.pop("archive", None), keep_hours, **given)

    def measured(self, name: str) -> float:
        """Return the value of a metric, 0 if it is not exported."""
        lines = generate_latest(self.meter.registry).decode().splitlines()
        pairs = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        return float(pairs.get(f"taflhall_{name}", 0))


@in_virtual_time
async def test_a_seat_is_timed_out_and_that_is_counted():
    process = Process()
    await process.hold(TIMED)
    process.memory.queues[DueQueue.DEADLINES]["match"] = DUE
    working = Working(process)
    await take(3)
    assert process.stored.revision == 1
    assert working.measured('timeouts_total{policy="neutral"}') == 1
    assert working.measured("deadline_delay_seconds_count") == 1
    assert working.measured("deadline_delay_seconds_sum") == pytest.approx((T - DUE) / 1000, abs=3)
    await working.jobs.stop()


@in_virtual_time
async def test_a_deadline_that_was_lost_is_found():
    process = Process()
    await process.hold(TIMED)
    process.memory.queues[DueQueue.DEADLINES].clear()
    working = Working(process)
    await take(62)
    assert working.measured('timeouts_total{policy="neutral"}') == 1
    await working.jobs.stop()


@in_virtual_time
async def test_tournaments_are_played_and_queues_repaired():
    office = Office()
    cup = await office.started("ann", "bob")
    working = Working(office.process)
    await take(2)
    assert (
        match_id(office.matches.server_key, cup, Pairing(0, 1, ())) in office.process.memory.matches
    )
    await take(60)
    assert await office.process.store.claimed(CLAIM)
    await working.jobs.stop()


@pytest.mark.parametrize("check", [False, True])
@in_virtual_time
async def test_matches_are_checked_if_that_is_wanted(check: bool):
    process = Process()
    await process.hold(playing(*TWO))
    working = Working(process, check=check)
    await take(60)
    assert bool(working.measured('self_checks_total{result="passed"}')) == check
    await working.jobs.stop()


@in_virtual_time
async def test_a_match_that_is_over_is_archived_and_kept_for_a_while():
    process = Process()
    await process.hold(playing(*TWO))
    await act(process.matches, "match", ResignEntrant(""))
    full, archive = Archive(full=True), Archive()
    failing = Working(process, archive=full)
    await take(60)
    assert failing.measured("archive_backlog") == 1
    assert failing.measured('matches_archived_total{result="failed"}') >= 1
    await failing.jobs.stop()
    working = Working(process, archive=archive, keep_hours=0.1)
    await take(60)
    assert len(archive.files) == 1
    assert working.measured('matches_archived_total{result="kept"}') == 1
    assert working.measured("archive_backlog") == 0
    await take(0.1 * HOUR - 120)
    assert "match" in process.memory.matches
    await take(120)
    assert "match" not in process.memory.matches
    await working.jobs.stop()


@pytest.mark.parametrize("above", [0, 1, 10**9])
@in_virtual_time
async def test_an_archived_match_is_deleted_early_if_the_store_uses_more_than_allowed(above: int):
    process = Process()
    await process.hold(playing(*TWO))
    await act(process.matches, "match", ResignEntrant(""))
    working = Working(process, archive=Archive(), prune_above=above)
    await take(120)
    assert working.measured('matches_archived_total{result="kept"}') == 1
    assert ("match" in process.memory.matches) == (above != 1)
    await working.jobs.stop()


@in_virtual_time
async def test_a_match_that_has_been_idle_for_its_hours_is_abandoned():
    process = Process()
    await process.hold(playing(*TWO))
    working = Working(process, idle_hours=0.5)
    await take(HOUR + 1)
    assert process.stored.status == ABANDONED
    await working.jobs.stop()


@in_virtual_time
async def test_without_an_archive_matches_stay_in_the_store():
    process = Process()
    await process.hold(playing(*TWO))
    await act(process.matches, "match", ResignEntrant(""))
    working = Working(process)
    await take(120)
    assert "match" in process.memory.matches
    assert working.measured("archive_backlog") == 0
    await working.jobs.stop()


@in_virtual_time
async def test_the_event_loop_is_measured_and_what_runs_is_named():
    working = Working(Process())
    await take(10.1)
    assert working.measured("event_loop_lag_seconds_count") == 40
    assert working.measured("event_loop_lag_seconds_sum") == pytest.approx(0)
    engine = "compiled" if COMPILED else "plain"
    labels = f'engine="{engine}",version="{version("taflhall")}"'
    found = generate_latest(working.meter.registry).decode()
    (line,) = [line for line in found.splitlines() if line.startswith("taflhall_build_info{")]
    assert labels in line
    assert line.endswith(" 1.0")
    await working.jobs.stop()


@in_virtual_time
async def test_after_it_stops_it_sends_no_heartbeat():
    process = Process()
    working = Working(process)
    await take(10)
    trusted = process.matches.store_clock.trusted_until
    assert trusted > T + 10_000
    await working.jobs.stop()
    await take(10)
    assert process.matches.store_clock.trusted_until == trusted


@in_virtual_time
async def test_a_match_is_checked_every_second():
    process, checks = Process(), list[int]()
    await process.hold(playing(*TWO))
    check = SelfCheck(process.matches, lambda _: checks.append(now_ms()))
    task = asyncio.create_task(check.run())
    await take(10.5)
    task.cancel()
    assert checks == [1000 * number for number in range(1, 11)]
