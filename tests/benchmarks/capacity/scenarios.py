"""What goes wrong with a deployment in the simulation, and how slow commands become."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tests.benchmarks.capacity.costs import Figures
from tests.benchmarks.capacity.plan import load_of, size_for
from tests.benchmarks.capacity.simulation import Simulation

BEFORE: Final = 20
"""Seconds before anything happens."""
AFTER: Final = 60
FAILOVER: Final = (3.0, 12.0)
"""Seconds until a replica is promoted, drawn evenly: a node timeout of 2 to 5 s, and a vote."""
PEAK: Final = 120
"""Seconds in which the number of people doubles."""
_SAMPLE: Final = 15
"""Seconds between two looks of the autoscaler."""
_SETTLED: Final = 30.0
"""Seconds before the end of a run; what was due earlier has an outcome, or never gets one."""
_START: Final = 30
"""Seconds until a new server takes calls."""

Scenario = Callable[[Simulation, float], None]


def server_lost(run: Simulation, target: float) -> None:
    """A server is killed; its streams open elsewhere within a second."""
    run.run(BEFORE)
    run.lose(run.rng.choice(run.servers))
    run.run(AFTER)


def shard_fails_over(run: Simulation, target: float) -> None:
    """A primary dies; nothing of its matches is carried out until a replica is promoted."""
    run.run(BEFORE)
    shard = run.rng.choice(run.shards)
    run.set_up(shard, False)
    run.run(run.rng.uniform(*FAILOVER))
    run.set_up(shard, True)
    run.run(AFTER)


def evening_peak(run: Simulation, target: float) -> None:
    """People double within two minutes; servers are added as the autoscaler adds them."""
    run.run(BEFORE)
    each = run.people / PEAK
    starting: list[float] = []
    busy, came = sum(server.busy for server in run.servers), 0.0
    for second in range(PEAK + AFTER):
        if second < PEAK:
            came += each
            run.come(int(came))
            came -= int(came)
        run.run(1.0)
        while starting and starting[0] <= run.env.now:
            starting.pop(0)
            run.add_server()
        if second % _SAMPLE == _SAMPLE - 1:
            now = sum(server.busy for server in run.servers)
            wanted = math.ceil((now - busy) / _SAMPLE / target)
            busy = now
            missing = wanted - len(run.servers) - len(starting)
            starting += [run.env.now + _START] * max(0, missing)


SCENARIOS: Final[dict[str, Scenario]] = {
    "a server is lost": server_lost,
    "a shard fails over": shard_fails_over,
    "an evening peak": evening_peak,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The runs of a scenario."""

    name: str
    runs: list[dict[int, float]]
    """By run: 99th percentile in ms of the commands that were due in each second."""
    unanswered: int
    """Commands of all runs that were due long before the end and were not carried out."""

    @property
    def before(self) -> float:
        return statistics.median(
            p99 for run in self.runs for second, p99 in run.items() if 5 <= second < BEFORE
        )

    @property
    def worst(self) -> list[float]:
        """By run, the worst second after the event."""
        return [max(p99 for second, p99 in run.items() if second >= BEFORE) for run in self.runs]

    @property
    def recovered(self) -> list[int]:
        """By run, seconds from the event until the percentile stays below twice that before."""
        limit = 2 * self.before
        return [
            max(
                (t + 1 - BEFORE for t, p99 in run.items() if t >= BEFORE and p99 > limit), default=0
            )
            for run in self.runs
        ]


def simulate(figures: Figures, people: int, name: str, runs: int) -> Outcome:
    """Run a scenario *runs* times, with seeds 0, 1, 2 and so on."""
    size = size_for(figures, load_of(figures, people))
    found, unanswered = [], 0
    for seed in range(runs):
        run = Simulation(figures.costs, figures.usage, size, people, seed)
        SCENARIOS[name](run, figures.limits.server_cpu)
        found.append(percentiles(run))
        late = run.env.now - _SETTLED
        unanswered += sum(due <= late for due in run.due)
        unanswered -= sum(command.due <= late for command in run.commands)
    return Outcome(name, found, unanswered)


def percentiles(run: Simulation) -> dict[int, float]:
    """Return the 99th percentile in ms of the commands due in each second."""
    by_second: dict[int, list[float]] = {}
    for command in run.commands:
        by_second.setdefault(int(command.due), []).append(command.latency * 1e3)
    return {
        second: statistics.quantiles(latencies, n=100)[98]
        for second, latencies in sorted(by_second.items())
        if len(latencies) > 1
    }


def table(outcomes: list[Outcome]) -> str:
    """Return the outcomes as a table in Markdown."""
    heads = (
        "",
        "p99 before, ms",
        "worst second, ms: median of the runs",
        "most",
        "seconds until below twice as before: median of the runs",
        "most",
        "never answered",
    )
    lines = ["| " + " | ".join(heads) + " |", "|---|" + "---:|" * (len(heads) - 1)]
    for outcome in outcomes:
        worst, recovered = outcome.worst, outcome.recovered
        lines.append(
            f"| {outcome.name} | {outcome.before:.1f} | {statistics.median(worst):,.0f} "
            f"| {max(worst):,.0f} | {statistics.median(recovered):.0f} | {max(recovered)} "
            f"| {outcome.unanswered} |"
        )
    return "\n".join(lines)
