"""Counters and histograms of a server's busiest paths.

They cost a fraction of the client library's, which lock for every value: only the thread of the
event loop counts here. The thread that exports them may see a count and not yet its sum.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate
from typing import Final, Generic, TypeVar

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30)
"""Upper bounds of every histogram, in seconds."""

_BOUNDS: Final = [*map(floatToGoString, BUCKETS), "+Inf"]

V = TypeVar("V")


class _Labelled(Collector, Generic[V]):
    """Values by their labels; without *registry* they are not exported."""

    def __init__(
        self, registry: CollectorRegistry | None, name: str, meaning: str, *labels: str
    ) -> None:
        self._name = f"taflhall_{name}"
        self._meaning = meaning
        self._labels = labels
        self._values: dict[tuple[str, ...], V] = {}
        if registry is not None:
            registry.register(self)


class Tally(_Labelled[int]):
    """A counter with labels."""

    def add(self, *labels: str, count: int = 1) -> None:
        """Count *count* more with these labels; with 0 they are exported from now on."""
        self._values[labels] = self._values.get(labels, 0) + count

    def collect(self) -> Iterable[Metric]:
        family = CounterMetricFamily(self._name, self._meaning, labels=self._labels)
        for labels, count in list(self._values.items()):
            family.add_metric(labels, count)
        yield family


class Durations:
    """Durations with the same labels."""

    __slots__ = ("counts", "total")

    def __init__(self) -> None:
        self.counts: Final = [0] * len(_BOUNDS)
        """How many there are in each bucket, the last of which has no upper bound."""
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        """Count a duration."""
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.total += seconds


class DurationHistogram(_Labelled[Durations]):
    """A histogram of durations with labels."""

    def labels(self, *labels: str) -> Durations:
        """Return the durations with these labels, which are exported from now on."""
        return self._values.setdefault(labels, Durations())

    def collect(self) -> Iterable[Metric]:
        family = HistogramMetricFamily(self._name, self._meaning, labels=self._labels)
        for labels, durations in list(self._values.items()):
            reached = [*zip(_BOUNDS, accumulate(durations.counts), strict=True)]
            family.add_metric(labels, reached, durations.total)
        yield family
