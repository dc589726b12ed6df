"""A server's background tasks: it sends heartbeats, acts for seats whose time has run out,
plays tournaments, checks its matches, archives those that are over, and measures its event
loop's delay.
All of them may be interrupted at any moment.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from importlib.metadata import version
from typing import Any, Final

from taflhall_engine.kernel import COMPILED
from taflhall_service.app.jobs.archiver import Archiver, ArchiveResult
from taflhall_service.app.jobs.deadlines import Timers
from taflhall_service.app.jobs.idle_matches import IdleMatchCloser
from taflhall_service.app.jobs.pruning import Pruner
from taflhall_service.app.jobs.queue_repair import QueueRepair
from taflhall_service.app.jobs.self_check import CheckResult, SelfCheck
from taflhall_service.app.jobs.tournament_runner import TournamentRunner
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.model.clocks import TimeoutPolicy
from taflhall_service.app.periodic import end_tasks
from taflhall_service.app.ports.bots import Bots
from taflhall_service.app.ports.record_archive import RecordArchive
from taflhall_service.observability.metrics import Meter

LAG_SECONDS: Final = 0.25
"""How often the delay of the event loop is measured."""

HOUR: Final = 3600.0


class BackgroundJobs:
    """The background work of one server."""

    def __init__(self, matches: Matches, bots: Bots, meter: Meter) -> None:
        self._matches = matches
        self._tasks: list[asyncio.Task[None]] = []
        self._archiver: Archiver | None = None
        about = meter.gauge("build_info", "1; the labels say what runs", "version", "engine")
        about.labels(version("taflhall"), "compiled" if COMPILED else "plain").set(1)
        lag = meter.histogram("event_loop_lag_seconds", "How late the event loop is")
        self._lag = lag.labels()
        checks = meter.counter("self_checks", "Matches replayed, by result", "result")
        self._checks = {checked: checks.labels(checked.value) for checked in CheckResult}
        kept = meter.counter("matches_archived", "Finished matches taken up, by result", "result")
        self._kept = {result: kept.labels(result.value) for result in ArchiveResult}
        meter.gauge_from(
            "archive_backlog", "Finished matches not in the archive yet", self._backlog
        )

        late = meter.histogram(
            "deadline_delay_seconds", "How late a seat's time was found to be up"
        ).labels()
        ups = meter.counter("timeouts", "Seats whose time ran out, by what was done", "policy")
        policies = {policy: ups.labels(policy.name.lower()) for policy in TimeoutPolicy}

        def time_up(policy: TimeoutPolicy, seconds: float) -> None:
            late.observe(seconds)
            policies[policy].inc()

        self._timers = Timers(matches, bots, time_up)

    def start(
        self,
        check: bool,
        archive: RecordArchive | None,
        keep_hours: float,
        idle_hours: float = 0,
        prune_above: int = 0,
    ) -> None:
        """Start the jobs; without *archive* no match ever leaves the store.

        A match that has not changed for *idle_hours* is abandoned, and archived ones are deleted
        early while the store uses more than *prune_above* bytes, unless these are 0.
        """
        self._spawn(self._measure_lag())
        self._spawn(self._matches.store_clock.run())
        self._spawn(self._timers.run())
        self._spawn(self._timers.scan_always())
        self._spawn(QueueRepair(self._matches.store).run())
        self._spawn(TournamentRunner(self._matches).run())
        if check:
            report = self._checks
            self._spawn(SelfCheck(self._matches, lambda checked: report[checked].inc()).run())
        if idle_hours:
            self._spawn(IdleMatchCloser(self._matches, idle_hours).run())
        if archive is not None:
            kept, keep = self._kept, keep_hours * HOUR
            self._archiver = Archiver(
                self._matches.store, archive, keep, lambda result: kept[result].inc()
            )
            self._spawn(self._archiver.run())
            if prune_above:
                self._spawn(Pruner(self._matches.store, keep, prune_above).run())

    async def stop(self) -> None:
        """Stop the tasks under way."""
        await end_tasks(*self._tasks)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.append(asyncio.create_task(work))

    def _backlog(self) -> int:
        return 0 if self._archiver is None else self._archiver.backlog

    async def _measure_lag(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LAG_SECONDS
            await asyncio.sleep(LAG_SECONDS)
            self._lag.observe(loop.time() - due)
