"""What the hooks of tracing cost a command: `python -m tests.benchmarks.tracing`.

Off, as by default; on, with a sampler that records nothing; and on, with every span recorded and
thrown away in place of an exporter.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any, Final

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF, ALWAYS_ON

from taflhall_service.observability.otel import OtelTracer
from taflhall_service.observability.tracing import Tracer
from tests.benchmarks.report import figure, table, write_section

COMMANDS: Final = 20_000
TURNS: Final = 7


class Entry:
    revision = 1

    def __init__(self) -> None:
        self.memo: dict[Any, Any] = {}


def _no_metadata() -> tuple[tuple[str, str], ...]:
    return ()


def command(tracer: Tracer, entry: Entry) -> None:
    """Pass every hook that a command passes which one watcher is sent."""
    with tracer.admission():
        pass
    with tracer.use_case(entry) as span:
        span.concern("m")
        with tracer.commit("m", 1) as commit:
            commit.end_with("committed")
        commit.lead_to((entry,))
    tracer.end_call("OK")
    with tracer.delivery(entry, "m"):
        pass


def call(tracer: Tracer, entry: Entry) -> None:
    """Pass them within the span of a call, which is left out where tracing is off."""
    with tracer.call("taflhall.v1.MatchService/SubmitAnswers", _no_metadata):
        command(tracer, entry)


def microseconds(work: Callable[[Tracer, Entry], None], tracer: Tracer) -> float:
    """Return how many microseconds of CPU *work* takes, the median of several turns."""
    turns = []
    for _ in range(TURNS):
        began = time.process_time()
        for _ in range(COMMANDS):
            work(tracer, Entry())
        turns.append((time.process_time() - began) / COMMANDS * 1e6)
    return median(turns)


def main() -> None:
    rows = [("off", microseconds(command, Tracer()))]
    for name, sampler in (("on, nothing recorded", ALWAYS_OFF), ("on, all recorded", ALWAYS_ON)):
        tracer = OtelTracer(TracerProvider(sampler=sampler))
        rows.append((name, microseconds(call, tracer)))
    text = table(["Tracing", "us of CPU a command"], [[name, figure(us)] for name, us in rows])
    print(text)
    write_section("tracing", "Hooks of tracing", "python -m tests.benchmarks.tracing", text)


if __name__ == "__main__":
    main()
