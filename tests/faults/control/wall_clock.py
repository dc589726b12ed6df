"""The wall clock of one process, which can be set while the process runs.

The library ``shims/wall_clock.c`` adds what :meth:`WallClock.set` has written to a file to every
time of day that the process reads.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Final


class WallClock:
    """A wall clock that is *ahead* of the machine's by some seconds; the shim reads *path*."""

    library: str = "wall_clock"

    def __init__(self, path: Path) -> None:
        self.ahead = 0.0
        self._path: Final = path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(struct.pack("=q", 0))

    @property
    def environment(self) -> dict[str, str]:
        return {"TAFL_CLOCK": str(self._path)}

    def set(self, ahead: float) -> None:
        """Let the clock jump; negative: behind the machine's."""
        self.ahead = ahead
        with self._path.open("r+b", buffering=0) as file:
            file.write(struct.pack("=q", int(ahead * 1e9)))
