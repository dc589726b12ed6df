"""What the machine did for want of memory, as far as it says so."""

from __future__ import annotations

from pathlib import Path
from typing import Final

COUNTERS: Final = Path("/proc/vmstat")
"""Where Linux counts the processes that it has killed for want of memory."""


def killed_for_memory(counters: Path = COUNTERS) -> int:
    """Return how many processes this machine has killed for want of memory; 0 if it cannot say.

    Those that were killed since a limit of their group was reached are among them.
    """
    try:
        lines = counters.read_text("ascii").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("oom_kill "))
