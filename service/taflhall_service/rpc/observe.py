"""Logs and metrics: what an operator sees. No secrets, no contents, no ids in labels."""

from __future__ import annotations

import logging
import sys
import traceback
from pathlib import Path
from time import perf_counter
from typing import Any

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

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
        self.registry = CollectorRegistry()
        own = self.registry
        self.calls = Counter(
            "taflhall_calls", "Calls by method and outcome", ["method", "outcome"], registry=own
        )
        self.seconds = Histogram(
            "taflhall_call_seconds", "Duration of calls", ["method"], buckets=SECONDS, registry=own
        )
        self.commands = Counter("taflhall_commands", "Commands applied", ["game"], registry=own)
        self.durability = Gauge("taflhall_durability_level", "1 memory to 4 copies", registry=own)
        self.draining = Gauge("taflhall_draining", "1 while the server goes away", registry=own)

    def method(self, name: str) -> MethodMeter:
        return MethodMeter(self, name)

    def watch(self, name: str, meaning: str, value: Any) -> None:
        """Add a gauge that asks *value* when it is read."""
        Gauge(f"taflhall_{name}", meaning, registry=self.registry).set_function(value)


def frames(error: BaseException) -> list[str]:
    """Return where *error* came from: files, lines and functions, no values and no message."""
    found = traceback.extract_tb(error.__traceback__)
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in found]


def configure_logs(level: str) -> None:
    """Write logs as lines of JSON to standard error."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
