"""Time as far as it is our own doing: on a busy machine a promise is not broken by waiting for it.

Linux counts how long each thread has waited for a processor though it had something to do. A
stopwatch leaves that out; elsewhere it counts all time.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Final


class Stopwatch:
    """Measures the time since it was made, less that in which a process had to wait."""

    def __init__(self, pid: int | str = "self") -> None:
        self._threads: Final = Path(f"/proc/{pid}/task")
        self._is_delayed = 0.0
        self._before: Final = self._waited()
        self._began: Final = time.monotonic()

    @property
    def seconds(self) -> float:
        """The seconds that have passed and count."""
        self._is_delayed = max(self._is_delayed, self._waited() - self._before)
        return max(0.0, time.monotonic() - self._began - self._is_delayed)

    def _waited(self) -> float:
        """Return for how many seconds all threads together have waited for a processor."""
        total = 0
        with suppress(OSError):
            for thread in self._threads.iterdir():
                with suppress(OSError, IndexError, ValueError):
                    total += int((thread / "schedstat").read_text("ascii").split()[1])
        return total / 1e9
