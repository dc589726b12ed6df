"""Logs and metrics: what an operator sees. No secrets, no contents, no ids in labels."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import structlog
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

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30)


class MethodMeter:
    """Counts and times the calls of one method."""

    def __init__(self, meter: Meter, name: str) -> None:
        self._name = name
        self._calls = meter.calls
        self._seconds = meter.seconds.labels(name)
        self._known: dict[str, Any] = {}

    def start(self) -> float:
        return perf_counter()

    def done(self, started: float, outcome: str) -> None:
        counter = self._known.get(outcome)
        if counter is None:
            counter = self._known[outcome] = self._calls.labels(self._name, outcome)
        counter.inc()
        self._seconds.observe(perf_counter() - started)


class Meter:
    """The metrics of a server."""

    def __init__(self) -> None:
        # when a counter began would be twice as many lines for nothing
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.calls = self.counter("calls", "Calls by method and outcome", "method", "outcome")
        self.seconds = self.histogram("call_seconds", "Duration of calls", "method")
        self.commands = self.counter("commands", "Commands applied", "game")
        self.streams = self.gauge("streams", "Open streams", "method")
        self.closed = self.counter("streams_closed", "Streams that ended", "method", "reason")
        self.fanout = self.histogram("fanout_seconds", "From a command to a watcher who is told")
        self.durability = self.gauge("durability_level", "1 memory to 4 copies")
        self.draining = self.gauge("draining", "1 while the server goes away")

    def method(self, name: str) -> MethodMeter:
        return MethodMeter(self, name)

    def counter(self, name: str, meaning: str, *labels: str) -> Counter:
        return Counter(f"taflhall_{name}", meaning, labels, registry=self.registry)

    def gauge(self, name: str, meaning: str, *labels: str) -> Gauge:
        return Gauge(f"taflhall_{name}", meaning, labels, registry=self.registry)

    def histogram(self, name: str, meaning: str, *labels: str) -> Histogram:
        own = self.registry
        return Histogram(f"taflhall_{name}", meaning, labels, buckets=SECONDS, registry=own)

    def watch(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        """Add a gauge that asks *value* when it is read."""
        self.gauge(name, meaning).set_function(value)

    def tally(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        """Add a counter that asks *value*, which never falls, when it is read."""
        self.registry.register(_Tally(name, meaning, value))


class _Tally(Collector):
    def __init__(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        self._about = (f"taflhall_{name}", meaning)
        self._value = value

    def collect(self) -> Iterable[Metric]:
        yield CounterMetricFamily(*self._about, value=self._value())


FRAMES: Final = 40


def frames(error: BaseException) -> list[str]:
    """Return where *error* came from: files, lines and functions, no values and no message.

    Of very many only the last: a line of the log has to fit into one write to a pipe.
    """
    found = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in found]


def _line(told: Any, **options: Any) -> str:
    """Return one line of plain characters, whatever is in it."""
    return json.dumps(told, **options).replace("\x7f", "\\u007f")


def configure_logs(level: str) -> None:
    """Write logs as lines of JSON to standard error.

    Each line is one write together with its end, also where Python does not buffer
    (``PYTHONUNBUFFERED``): several workers write to one pipe.
    """
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(_line),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
