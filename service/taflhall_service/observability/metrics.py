"""Metrics. No secrets, no contents, and no ids in labels.

A new metric is one line where it is counted; ``docs/operating.md`` lists them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from time import perf_counter
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30)
"""Upper bounds of every histogram, in seconds."""

FAILURES: Final = (
    "STORE_UNAVAILABLE",
    "DURABILITY_UNCONFIRMED",
    "STORED_DATA_DAMAGED",
    "BUSY",
    "INTERNAL",
)
"""Outcomes that are exported before they occur: of a series that begins at 1, Prometheus does not
see the first increase."""


class MethodMeter:
    """Counts and times the calls of one method."""

    def __init__(self, meter: Meter, name: str, on_end: Callable[[str], None]) -> None:
        self._name = name
        self._on_end = on_end
        self._requests = meter.requests
        self._seconds = meter.seconds.labels(name)
        self._by_outcome = {outcome: self._requests.labels(name, outcome) for outcome in FAILURES}

    def start(self) -> float:
        return perf_counter()

    def done(self, started: float, outcome: str) -> None:
        counter = self._by_outcome.get(outcome)
        if counter is None:
            counter = self._by_outcome[outcome] = self._requests.labels(self._name, outcome)
        counter.inc()
        self._seconds.observe(perf_counter() - started)
        self._on_end(outcome)


class Meter:
    """The metrics of a server."""

    def __init__(self) -> None:
        # the creation time of each counter would double the output for nothing
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.requests = self.counter("rpc_requests", "Calls by outcome", "method", "outcome")
        self.seconds = self.histogram("rpc_duration_seconds", "Duration of calls", "method")
        self._commands = self.counter("commands", "Commands applied", "game")
        self._commands_of: dict[str, Counter] = {}
        self.streams = self.gauge("streams", "Open streams", "method")
        self.closed = self.counter("streams_closed", "Streams that ended", "method", "reason")
        self.fanout = self.histogram("fanout_seconds", "From a command to its delivery")
        self.draining = self.gauge("draining", "1 while the server drains")
        self.store = StoreMetrics(self.registry)

    def method(self, name: str, on_end: Callable[[str], None]) -> MethodMeter:
        """Return the meter of a method; *on_end* is called with the outcome of each call."""
        return MethodMeter(self, name, on_end)

    def applied(self, game: str, commands: int) -> None:
        """Count commands that were applied to a match of *game*."""
        counter = self._commands_of.get(game)
        if counter is None:  # to find it by its label costs more than to count
            counter = self._commands_of[game] = self._commands.labels(game)
        counter.inc(commands)

    def counter(self, name: str, meaning: str, *labels: str) -> Counter:
        return Counter(f"taflhall_{name}", meaning, labels, registry=self.registry)

    def gauge(self, name: str, meaning: str, *labels: str) -> Gauge:
        return Gauge(f"taflhall_{name}", meaning, labels, registry=self.registry)

    def histogram(self, name: str, meaning: str, *labels: str) -> Histogram:
        own = self.registry
        return Histogram(f"taflhall_{name}", meaning, labels, buckets=BUCKETS, registry=own)

    def gauge_from(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        """Add a gauge that calls *value* when it is read."""
        self.gauge(name, meaning).set_function(value)

    def counter_from(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        """Add a counter that calls *value*, which never falls, when it is read."""
        self.registry.register(_CounterFrom(name, meaning, (), {(): value}))

    def counters_from(
        self, name: str, meaning: str, label: str, values: Mapping[str, Callable[[], float]]
    ) -> None:
        """Add a counter with a label, whose values each come from a function."""
        by_label: dict[tuple[str, ...], Callable[[], float]] = {
            (text,): value for text, value in values.items()
        }
        self.registry.register(_CounterFrom(name, meaning, (label,), by_label))


class StoreMetrics:
    """Counts and times a store's operations; without *registry* they are not exported."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        name = "taflhall_commit_seconds"
        meaning = "Duration of commits"
        self._seconds = Histogram(name, meaning, buckets=BUCKETS, registry=registry)
        self._commits = Counter(
            "taflhall_commits", "Commits by outcome", ["outcome"], registry=registry
        )
        self._by_outcome: dict[str, Counter] = {}
        errors = Counter(
            "taflhall_store_errors",
            "Commands to the store that failed",
            ["kind"],
            registry=registry,
        )
        self.unavailable: Final = errors.labels("unavailable")
        self.unconfirmed: Final = errors.labels("unconfirmed")

        self._incidents = Counter(
            "taflhall_store_incidents",
            "Times that the store broke a promise",
            ["kind"],
            registry=registry,
        )
        for kind in ("durability_too_low", "key_lost"):
            self._incidents.labels(kind)

    def incident(self, kind: str) -> None:
        """Count that the store broke a promise."""
        self._incidents.labels(kind).inc()

    def committed(self, outcome: str, seconds: float) -> None:
        """Count a commit that ended with *outcome* after *seconds*."""
        counter = self._by_outcome.get(outcome)
        if counter is None:
            counter = self._by_outcome[outcome] = self._commits.labels(outcome.lower())
        counter.inc()
        self._seconds.observe(seconds)


class _CounterFrom(Collector):
    def __init__(
        self,
        name: str,
        meaning: str,
        labels: Sequence[str],
        values: Mapping[tuple[str, ...], Callable[[], float]],
    ) -> None:
        self._name = f"taflhall_{name}"
        self._meaning = meaning
        self._labels = labels
        self._values = values

    def collect(self) -> Iterable[Metric]:
        family = CounterMetricFamily(self._name, self._meaning, labels=self._labels)
        for labels, value in self._values.items():
            family.add_metric(labels, value())
        yield family
