"""What the long form does with its time: lanes, each a list of jobs that are done in turn.

Every job is a run of its own with a seed of its own, and ends by itself. First comes what is
measured in seconds, alone on the machine; then three lanes at the same time:

* *trouble* kills until there are enough kills, then does as *volume*, and after each run does
  something else that is bad for a service;
* *volume* fuzzes, compares worlds and cuts streams, whichever is further behind;
* *hunts* looks for every planted fault, and then does as *volume*.
"""

from __future__ import annotations

import asyncio
import itertools
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from taflhall_engine import registry
from tests.faults.cut_streams import cut_streams
from tests.faults.fuzz.volume import volume
from tests.faults.fuzz.wire import wire
from tests.faults.leaks.pairs import pairs
from tests.faults.scenarios.clocks import clocks
from tests.faults.scenarios.draining import drain
from tests.faults.scenarios.hints import without_hints
from tests.faults.scenarios.jumps import jumps
from tests.faults.scenarios.kills import kills
from tests.faults.scenarios.partitions import partitions
from tests.faults.scenarios.returning import returning
from tests.faults.scenarios.rewind import rewind
from tests.faults.scenarios.rolling import rolling
from tests.faults.scenarios.slow import slow
from tests.faults.scenarios.stores import stores
from tests.faults.scenarios.terms import terms
from tests.faults.scenarios.topologies import cluster, failover, reshard
from tests.faults.scenarios.verdict import Verdict
from tests.faults.seeded import SEEDS
from tests.faults.seeded.hunts import hunt_again

JOB_SECONDS: Final = 300.0
"""No job takes longer."""

GRIND: Final = 40.0
"""Seconds of one run of kills, fuzzing or worlds; less if there is little time."""

DEMANDED: Final = {
    "kills of the store": 1000,
    "kills of a server": 1000,
    "power cuts": 40,
    "partitions": 40,
    "jumps of the clock of the store": 10,
    "commands": 200_000,
    "fuzzed messages": 5_000_000,
    "cut streams": 500_000,
    "watchers who came back": 5000,
    "matches linearizable by Porcupine": 500,
    "drains": 1,
    **{f"world pairs of {name}": 5000 for name in registry.GAMES},
}
"""What half an hour on two processors has to reach, or the run is void.

The numbers go with the time after the first :data:`FIXED` seconds, and with the part of the
machine that other programs leave (:class:`~tests.faults.control.machine.Machine`).
"""

HALF_AN_HOUR: Final = 1800.0

FIXED: Final = 300.0
"""Seconds that the timed jobs and the first planted faults take, however short the run is."""

WATCHERS: Final = 5000
CUT_AT_ONCE: Final = 10_000


class Job(NamedTuple):
    """One run: what it is called and what does it, given a seed."""

    name: str
    run: Callable[[int], Any]


def demanded(seconds: float, machine: float = 1.0) -> dict[str, int]:
    """Return what a run of that many *seconds* has to reach with this part of the *machine*."""
    share = machine * max(0.0, seconds - FIXED) / (HALF_AN_HOUR - FIXED)
    least = {name: max(1, round(count * share)) for name, count in DEMANDED.items()}
    least["watchers who came back"] = WATCHERS
    least["planted faults found"] = round(len(SEEDS()) * min(1.0, 2 * share))
    return least


SLOW: Final = {"commits_take": 0.02}

CROWD: Final[dict[str, Any]] = {"tables": 16, "watchers": 1, "solo": 0.7}
KILLING: Final[dict[str, Any]] = {**CROWD, "pause": 0.2}

TIMED: Final = [
    Job("drain", lambda seed: drain(seed=seed)),
    Job("everybody comes back", lambda seed: returning(WATCHERS, seed=seed)),
    Job("clocks", lambda seed: clocks(20, seed=seed)),
    Job("slow readers", lambda seed: slow(1000, seed=seed)),
]
TROUBLE: Final = [
    Job("power cuts", lambda seed: kills(20, seed=seed, share=1.0, power_cuts=True, **KILLING)),
    Job("partitions", lambda seed: partitions(30, seed=seed, **CROWD)),
    Job("clocks that jump", lambda seed: jumps(20, seed=seed)),
    Job("rewind", lambda seed: rewind(4, seed=seed)),
    Job("hints lost", lambda seed: without_hints(5, seed=seed)),
    Job("drain", lambda seed: drain(seed=seed)),
    Job("rolling replacement", lambda seed: rolling(seed=seed)),
    Job("servers killed in turn", lambda seed: rolling(seed=seed, kill=True)),
    Job("stores", lambda seed: stores(seed=seed)),
    Job("failover", lambda seed: failover(2, seed=seed)),
    Job("seats, spectators, keys", lambda seed: terms(300, seed=seed)),
    Job("cluster", lambda seed: cluster(6, seed=seed)),
    Job("reshard", lambda seed: reshard(100, seed=seed)),
    Job("fuzzing over a socket", lambda seed: wire(10**9, seed, seconds=15)),
]


KILLS: Final = ("kills of the store", "kills of a server", "commands")

ENOUGH: Final = 1.1
"""Kills stop at that many times the number demanded."""


class Lane:
    """Jobs one after the other for *seconds*, and what they have found so far."""

    def __init__(self, seconds: float) -> None:
        self.verdict: Final = Verdict()
        self.seconds: Final = seconds
        self.grind: Final = min(GRIND, seconds / 15)

    def timed(self) -> Iterator[Job]:
        """What has to be done within that many seconds."""
        yield from TIMED

    def trouble(self) -> Iterator[Job]:
        """Kills while there are too few, then volume; and after each run another trouble."""
        killing = itertools.cycle([("kills", None), ("kills amid commits", SLOW)])
        more = self.volume()
        for trouble in itertools.cycle(TROUBLE):
            if all(self._reached(name) > ENOUGH * self.seconds / HALF_AN_HOUR for name in KILLS):
                yield next(more)
            else:
                name, rig = next(killing)
                yield Job(
                    name,
                    lambda seed, rig=rig: kills(self.grind, seed=seed, rig=rig, **KILLING),  # type: ignore[misc]
                )
            yield trouble

    def volume(self) -> Iterator[Job]:
        """Fuzzing, worlds or cut streams, whichever is further from what is demanded."""
        worlds = [f"world pairs of {name}" for name in registry.GAMES]
        while True:
            behind = min(["fuzzed messages", "cut streams", *worlds], key=self._reached)
            name = behind.removeprefix("world pairs of ")
            if behind in worlds:
                yield Job(
                    f"worlds of {name}",
                    lambda seed, name=name: pairs(  # type: ignore[misc]
                        name, 10**9, seed * 1000, seconds=self.grind
                    ),
                )
            elif behind == "cut streams":
                yield Job("cut streams", lambda seed: cut_streams(CUT_AT_ONCE, seed))
            else:
                yield Job("fuzzing", lambda seed: volume(10**9, seed, seconds=5 * self.grind))

    def hunts(self) -> Iterator[Job]:
        """Every planted fault, then more volume."""
        for name in SEEDS():
            yield hunting(name)
        yield from self.volume()

    def _reached(self, name: str) -> float:
        return self.verdict.figures[name] / DEMANDED[name]


def hunting(name: str) -> Job:
    """Return the job that hunts for one planted fault."""

    async def run(_: int) -> Verdict:
        verdict = Verdict()
        found, seen = await hunt_again(SEEDS()[name])
        if found:
            verdict.figures["planted faults found"] = 1
        else:
            promises = ", ".join(seen.broken) or "nothing"
            verdict.blame("planted faults are found", f"{name}: only {promises}")
        return verdict

    return Job(f"planted: {name}", run)


def lane(name: str, seconds: float, seed: int) -> Verdict:
    """Do the jobs of a lane in turn until *seconds* are over; say what each found."""
    end = time.monotonic() + seconds
    going = Lane(seconds)
    jobs: Iterator[Job] = getattr(going, name)()
    for index, job in enumerate(jobs):
        if time.monotonic() > end:
            break
        began = time.monotonic()
        try:
            found = asyncio.run(_bounded(job, seed + 7 * index + len(name)))
        except Exception as error:
            found = Verdict()
            where = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{where.filename.rpartition('/')[2]}:{where.lineno}"
            found.blame("every run ends", f"{job.name}: {type(error).__name__} {error} at {place}")
        found.figures[f"runs of {job.name.partition(':')[0]}"] += 1
        going.verdict.add(found)
        state = "broken: " + ", ".join(found.broken) if found.broken else "clean"
        print(f"{job.name} {time.monotonic() - began:.0f} s, {state}", flush=True)
    return going.verdict


async def _bounded(job: Job, seed: int) -> Verdict:
    async with asyncio.timeout(JOB_SECONDS):
        verdict: Verdict = await job.run(seed)
        return verdict
