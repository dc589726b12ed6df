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
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

from taflhall_service.observability.tallies import DurationHistogram, Tally

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
        for outcome in FAILURES:
            self._requests.add(name, outcome, count=0)

    def start(self) -> float:
        return perf_counter()

    def done(self, started: float, outcome: str) -> None:
        self._requests.add(self._name, outcome)
        self._seconds.observe(perf_counter() - started)
        self._on_end(outcome)


class Meter:
    """The metrics of a server."""

    def __init__(self) -> None:
        # the creation time of each counter would double the output for nothing
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.requests = self.tally("rpc_requests", "Calls by outcome", "method", "outcome")
        self.seconds = self.histogram("rpc_duration_seconds", "Duration of calls", "method")
        self._commands = self.tally("commands", "Commands applied", "game")
        self.streams = self.gauge("streams", "Open streams", "method")
        self.closed = self.counter("streams_closed", "Streams that ended", "method", "reason")
        fanout = self.histogram("fanout_seconds", "From a command to its delivery")
        self.fanout = fanout.labels()
        self.draining = self.gauge("draining", "1 while the server drains")
        self.store = StoreMetrics(self.registry)

    def method(self, name: str, on_end: Callable[[str], None]) -> MethodMeter:
        """Return the meter of a method; *on_end* is called with the outcome of each call."""
        return MethodMeter(self, name, on_end)

    def applied(self, game: str, commands: int) -> None:
        """Count commands that were applied to a match of *game*."""
        self._commands.add(game, count=commands)

    def counter(self, name: str, meaning: str, *labels: str) -> Counter:
        return Counter(f"taflhall_{name}", meaning, labels, registry=self.registry)

    def tally(self, name: str, meaning: str, *labels: str) -> Tally:
        """Return a counter for what occurs many times a second."""
        return Tally(self.registry, name, meaning, *labels)

    def histogram(self, name: str, meaning: str, *labels: str) -> DurationHistogram:
        return DurationHistogram(self.registry, name, meaning, *labels)

    def gauge(self, name: str, meaning: str, *labels: str) -> Gauge:
        return Gauge(f"taflhall_{name}", meaning, labels, registry=self.registry)

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
        seconds = DurationHistogram(registry, "commit_seconds", "Duration of commits")
        self._seconds = seconds.labels()
        self._commits = Tally(registry, "commits", "Commits by outcome", "outcome")
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
        self._commits.add(outcome)
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
