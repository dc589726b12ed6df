"""What a load measures: latencies in HDR histograms, calls, failures by reason."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Final, Self

from hdrh.histogram import HdrHistogram

COMMAND: Final = "command"
"""From the moment a command is due until the server's answer, or the end of the load."""
BOT_COMMAND: Final = "bot command"
"""From a bot's answer until its next prompt."""
WATCH_LAG: Final = "watcher lag"
"""From sending a command until a watcher has the change."""
RESUMED: Final = "stream resumed"
"""From the moment when a stream broke until the first message of the next."""
UNANSWERED: Final = "commands unanswered"
"""How many commands of people were due and had no answer when the load ended."""

_LONGEST_US: Final = 3_600_000_000
_DIGITS: Final = 3
_US: Final = 1e6

Encoded = dict[str, bytes]


def _histogram() -> HdrHistogram:
    return HdrHistogram(1, _LONGEST_US, _DIGITS)


@dataclass(slots=True)
class Figures:
    """Measurements of some time: of one process, or of several added up."""

    seconds: float = 0.0
    times: dict[str, HdrHistogram] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    """By ``method: reason``."""

    def record(self, name: str, seconds: float) -> None:
        """Note that *name* took *seconds*."""
        if name not in self.times:
            self.times[name] = _histogram()
        self.times[name].record_value(max(1, min(_LONGEST_US, round(seconds * _US))))

    def add(self, other: Figures) -> None:
        """Add what *other* measured in the same time."""
        self.seconds = max(self.seconds, other.seconds)
        self._merge(other)

    def follow(self, other: Figures) -> None:
        """Add what *other* measured after this."""
        self.seconds += other.seconds
        self._merge(other)

    def _merge(self, other: Figures) -> None:
        for name, times in other.times.items():
            self.times.setdefault(name, _histogram()).add(times)
        self.counts += other.counts
        self.failures += other.failures

    def milliseconds(self, name: str, percentile: float) -> float:
        """Return a percentile of *name*; 0 if it was never measured."""
        times = self.times.get(name)
        return times.get_value_at_percentile(percentile) / 1000 if times else 0.0

    def number(self, name: str) -> int:
        """Return how often *name* was measured."""
        times = self.times.get(name)
        return times.get_total_count() if times else 0

    def encoded(self) -> tuple[float, Encoded, dict[str, int], dict[str, int]]:
        """Return the figures for another process."""
        times = {name: bytes(times.encode()) for name, times in self.times.items()}
        return self.seconds, times, dict(self.counts), dict(self.failures)

    @classmethod
    def decoded(
        cls, seconds: float, times: Encoded, counts: dict[str, int], failures: dict[str, int]
    ) -> Self:
        """Return the figures that another process has encoded."""
        found = {name: HdrHistogram.decode(encoded) for name, encoded in times.items()}
        return cls(seconds, found, Counter(counts), Counter(failures))


class Measures:
    """Collects figures from a moment on, interval by interval."""

    def __init__(self, begins: float) -> None:
        self._begins: Final = begins
        self._since = begins
        self._figures = Figures()

    def record(self, name: str, seconds: float) -> None:
        """Note that *name* took *seconds* until now."""
        if time.perf_counter() >= self._begins:
            self._figures.record(name, seconds)

    def count(self, name: str, number: int = 1) -> None:
        """Note that *name* happened *number* times."""
        if time.perf_counter() >= self._begins:
            self._figures.counts[name] += number

    def unanswered(self, seconds: float) -> None:
        """Note that a command was due for *seconds* until now, and has no answer yet."""
        self.record(COMMAND, seconds)
        self.count(UNANSWERED)

    def failed(self, method: str, reason: str) -> None:
        """Note that a call of *method* failed; this counts in the warm-up too."""
        self._figures.failures[f"{method}: {reason}"] += 1

    def take(self) -> Figures:
        """Return the figures since the last time, and begin the next interval."""
        now = time.perf_counter()
        taken, self._figures = self._figures, Figures()
        taken.seconds = max(0.0, now - self._since)
        self._since = max(now, self._begins)
        return taken
