"""The metrics of a server over OTLP: the same names, labels and buckets as for Prometheus."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from typing import Any, Final

from opentelemetry.sdk.metrics.export import (
    AggregationTemporality,
    Gauge,
    Histogram,
    HistogramDataPoint,
    Metric,
    MetricExporter,
    MetricsData,
    NumberDataPoint,
    ResourceMetrics,
    ScopeMetrics,
    Sum,
)
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from prometheus_client import CollectorRegistry
from prometheus_client.core import Metric as Family
from prometheus_client.samples import Sample

SCOPE: Final = InstrumentationScope("taflhall")
_CUMULATIVE: Final = AggregationTemporality.CUMULATIVE

Labels = tuple[tuple[str, str], ...]


def metrics_data(
    registry: CollectorRegistry, resource: Resource, start: int, now: int
) -> MetricsData:
    """Return all metrics of *registry*, counted from *start* to *now* (nanoseconds since 1970)."""
    metrics = [
        Metric(family.name, family.documentation, family.unit, _data(family, start, now))
        for family in registry.collect()
    ]
    return MetricsData([ResourceMetrics(resource, [ScopeMetrics(SCOPE, metrics, "")], "")])


def _data(family: Family, start: int, now: int) -> Sum | Gauge | Histogram:
    if family.type == "histogram":
        return Histogram(list(_histograms(family.samples, start, now)), _CUMULATIVE)
    points = [NumberDataPoint(s.labels, start, now, s.value) for s in family.samples]
    if family.type == "counter":
        return Sum(points, _CUMULATIVE, is_monotonic=True)
    return Gauge(points)


def _histograms(samples: Iterable[Sample], start: int, now: int) -> Iterable[HistogramDataPoint]:
    """Yield one point for each combination of labels."""
    buckets: dict[Labels, list[tuple[float, int]]] = {}
    sums: dict[Labels, float] = {}
    for sample in samples:
        labels = dict(sample.labels)
        bound = labels.pop("le", "")
        key = tuple(labels.items())
        if bound:
            buckets.setdefault(key, []).append((float(bound), int(sample.value)))
        elif sample.name.endswith("_sum"):
            sums[key] = sample.value
    for key, upper in buckets.items():
        bounds = [bound for bound, _ in upper]
        reached = [count for _, count in upper]
        counts = [count - below for count, below in zip(reached, [0, *reached], strict=False)]
        extremes: Any = None  # OTLP has them, and Prometheus does not
        yield HistogramDataPoint(
            dict(key), start, now, reached[-1], sums[key], counts, bounds[:-1], extremes, extremes
        )


class MetricPusher:
    """Sends the metrics of *registry* at intervals of *seconds*, and once more at the end."""

    def __init__(
        self,
        registry: CollectorRegistry,
        resource: Resource,
        exporter: MetricExporter,
        seconds: float,
    ) -> None:
        self._registry = registry
        self._resource = resource
        self._exporter = exporter
        self._seconds = seconds
        self._start = time.time_ns()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="otlp-metrics", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        ended = False
        while not ended:
            ended = self._end.wait(self._seconds)
            now = time.time_ns()
            self._exporter.export(metrics_data(self._registry, self._resource, self._start, now))

    def close(self) -> None:
        """Send the metrics once more, and end."""
        self._end.set()
        self._thread.join()
        self._exporter.shutdown()
