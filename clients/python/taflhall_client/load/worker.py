"""One generator process."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from typing import Any, Final

from taflhall_client.load.calls import Caller, Channels
from taflhall_client.load.lobby import Visitor
from taflhall_client.load.measures import Figures, Measures
from taflhall_client.load.plan import Plan
from taflhall_client.load.play_bots import BotTable
from taflhall_client.load.tables import Streams, Table

LEAVE_SECONDS: Final = 10.0
"""How long people and bots try to leave their last matches: the server may be gone."""


async def generate(
    plan: Plan, report: Callable[[Figures], None], leave_seconds: float = LEAVE_SECONDS
) -> None:
    """Make the load of *plan*; report the figures of the warm-up, then those of each interval."""
    begins = time.perf_counter() + plan.warm_up
    ends = begins + plan.duration
    measures = Measures(begins)
    streams = Streams()
    watches = plan.matches * plan.seats + plan.watchers
    channels = Channels(
        plan.address,
        plan.tls.credentials() if plan.tls else None,
        watches + plan.bot_matches + plan.lobby_watchers,
    )

    def caller() -> Caller:
        return Caller(channels.next(), measures, plan.api_key)

    tables = [
        Table(
            plan,
            caller,
            measures,
            streams,
            (plan.watchers + place) // plan.matches,
            random.Random(plan.seed + place),
        )
        for place in range(plan.matches)
    ]
    seed = plan.seed + plan.matches
    bots = [
        BotTable(plan, caller(), random.Random(seed + place)) for place in range(plan.bot_matches)
    ]
    visitors = [
        Visitor(plan, caller(), random.Random(seed - 1 - place))
        for place in range(plan.lobby_watchers)
    ]
    for visitor in visitors:
        streams.add(visitor.stream)
    parts: list[Any] = [*tables, *bots, *visitors]
    tasks = [asyncio.create_task(part.run()) for part in parts]
    if plan.storm_every:
        tasks.append(asyncio.create_task(_storms(streams, plan.storm_every, begins)))

    def charge() -> None:
        for table in tables:
            table.charge(ends)

    reporting = asyncio.create_task(_report(measures, report, charge, begins, ends, plan.interval))
    try:
        await asyncio.wait([reporting, *tasks], return_when=asyncio.FIRST_COMPLETED)
        reporting.cancel() if not reporting.done() else reporting.result()
    finally:
        for _ in range(2):
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=leave_seconds)
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        await channels.close()
    for error in ended:
        if isinstance(error, Exception):
            raise error


async def _storms(streams: Streams, every: float, begins: float) -> None:
    """Cut all streams at the same moments in all processes."""
    at = begins
    while True:
        at += every
        await asyncio.sleep(at - time.perf_counter())
        streams.cut()


async def _report(
    measures: Measures,
    report: Callable[[Figures], None],
    charge: Callable[[], None],
    begins: float,
    ends: float,
    interval: float,
) -> None:
    at = begins
    await asyncio.sleep(at - time.perf_counter())
    report(measures.take())
    while at < ends:
        at = min(at + interval, ends)
        await asyncio.sleep(at - time.perf_counter())
        if at == ends:
            charge()
        report(measures.take())
