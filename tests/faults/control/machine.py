"""How much of the machine a run had for itself."""

from __future__ import annotations

import os
import resource
from pathlib import Path
from typing import Final

STAT: Final = Path("/proc/stat")
IDLE: Final = (3, 4)
"""Columns of :data:`STAT` in which no processor worked."""


class Machine:
    """Measures from its making on how much of all processors other programs have left."""

    def __init__(self) -> None:
        self._before: Final = (*_busy_and_all(), _ours())

    @property
    def share(self) -> float:
        """The part that was left, 1 on a quiet machine; ask when all processes have ended."""
        busy, total, ours = (
            now - then for now, then in zip((*_busy_and_all(), _ours()), self._before, strict=True)
        )
        return min(1.0, max(0.0, 1.0 - (busy - ours) / total)) if total > 0 else 1.0


def _busy_and_all() -> tuple[float, float]:
    """Return the seconds that all processors have worked, and those that have passed for them."""
    if not STAT.exists():
        return 0.0, 0.0
    ticks = [int(column) for column in STAT.read_text("ascii").splitlines()[0].split()[1:9]]
    total = sum(ticks)
    unit = os.sysconf("SC_CLK_TCK")
    return (total - sum(ticks[column] for column in IDLE)) / unit, total / unit


def _ours() -> float:
    """Return the seconds that this process and its ended descendants have worked."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)
