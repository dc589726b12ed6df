"""What the long form does with its time: two lanes, each a list of jobs that are done in turn.

Every job is a run of its own with a seed of its own, and ends by itself. A lane goes round until
its time is over; the first lane kills and drains, the second feeds rubbish, compares worlds and
hunts for the planted faults.
"""

from __future__ import annotations

import asyncio
import itertools
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from taflhall_engine import registry
from tests.faults.fuzz.volume import volume
from tests.faults.fuzz.wire import wire
from tests.faults.leaks.pairs import pairs
from tests.faults.scenarios.draining import drain
from tests.faults.scenarios.hints import without_hints
from tests.faults.scenarios.kills import kills
from tests.faults.scenarios.returning import returning
from tests.faults.scenarios.rewind import rewind
from tests.faults.scenarios.rolling import rolling
from tests.faults.scenarios.slow import slow
from tests.faults.scenarios.stores import stores
from tests.faults.scenarios.topologies import cluster, failover
from tests.faults.scenarios.verdict import Verdict
from tests.faults.seeded import SEEDS
from tests.faults.seeded.hunts import hunt

JOB_SECONDS: Final = 300.0
"""No job takes longer."""

PACE: Final = {"grind": 40.0}
"""Seconds of one run of kills, of rubbish or of worlds; less if there is little time."""


class Job(NamedTuple):
    """One run: what it is called and what does it, given a seed."""

    name: str
    run: Callable[[int], Any]


SLOW: Final = {"commits_take": 0.02}

CROWD: Final[dict[str, Any]] = {"tables": 10, "watchers": 1}

KILLS: Final = [
    Job("kills", lambda seed: kills(PACE["grind"], seed=seed, **CROWD)),
    Job("kills amid commits", lambda seed: kills(PACE["grind"], seed=seed, rig=SLOW, **CROWD)),
]
TROUBLE: Final = [
    Job("rewind", lambda seed: rewind(4, seed=seed)),
    Job("hints lost", lambda seed: without_hints(5, seed=seed)),
    Job("drain", lambda seed: drain(seed=seed)),
    Job("rolling replacement", lambda seed: rolling(seed=seed)),
    Job("halls killed in turn", lambda seed: rolling(seed=seed, kill=True)),
    Job("slow readers", lambda seed: slow(1000, seed=seed)),
    Job("stores", lambda seed: stores(seed=seed)),
    Job("failover", lambda seed: failover(2, seed=seed)),
    Job("cluster", lambda seed: cluster(6, seed=seed)),
    Job("everybody comes back", lambda seed: returning(5000, seed=seed)),
]
RUBBISH: Final = [
    Job("rubbish", lambda seed: volume(10**9, seed, seconds=PACE["grind"])),
    Job("rubbish over a socket", lambda seed: wire(10**9, seed, seconds=PACE["grind"] / 4)),
    Job("rubbish", lambda seed: volume(10**9, seed + 1, seconds=PACE["grind"])),
]


def first_lane() -> Iterator[Job]:
    """Kills, and after each run of them another trouble."""
    killing = itertools.cycle(KILLS)
    for trouble in itertools.cycle(TROUBLE):
        yield next(killing)
        yield trouble


def second_lane() -> Iterator[Job]:
    """Planted faults while there are any, rubbish and worlds in between."""
    seeds = list(SEEDS())
    games = itertools.cycle(registry.GAMES)
    for rubbish in itertools.cycle(RUBBISH):
        yield rubbish
        name = next(games)
        yield Job(
            f"worlds of {name}",
            lambda seed, name=name: pairs(name, 10**9, seed * 1000, seconds=PACE["grind"]),  # type: ignore[misc]
        )
        for _ in range(20):
            if seeds:
                yield hunting(seeds.pop(0))


def hunting(name: str) -> Job:
    """Return the job that hunts for one planted fault."""

    async def run(_: int) -> Verdict:
        found, seen = await hunt(SEEDS()[name])
        verdict = Verdict()
        verdict.figures["planted faults found"] = int(found)
        if not found:
            verdict.blame("planted faults are found", f"{name}: only {list(seen.broken)}")
        return verdict

    return Job(f"planted: {name}", run)


def lane(number: int, seconds: float, seed: int) -> Verdict:
    """Do the jobs of a lane in turn until *seconds* are over; say what each found."""
    end = time.monotonic() + seconds
    PACE["grind"] = min(PACE["grind"], seconds / 15)
    verdict = Verdict()
    jobs = (first_lane, second_lane)[number]()
    for index, job in enumerate(jobs):
        if time.monotonic() > end:
            break
        began = time.monotonic()
        try:
            found = asyncio.run(_bounded(job, seed + 2 * index + number))
        except Exception as error:
            found = Verdict()
            where = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{where.filename.rpartition('/')[2]}:{where.lineno}"
            found.blame("every run ends", f"{job.name}: {type(error).__name__} {error} at {place}")
        found.figures[f"runs of {job.name.partition(':')[0]}"] += 1
        verdict.add(found)
        state = "broken: " + ", ".join(found.broken) if found.broken else "clean"
        print(f"{job.name} {time.monotonic() - began:.0f} s, {state}", flush=True)
    return verdict


async def _bounded(job: Job, seed: int) -> Verdict:
    async with asyncio.timeout(JOB_SECONDS):
        verdict: Verdict = await job.run(seed)
        return verdict
