"""A power cut: what a store has written but not synced is gone, or torn in the middle.

Killing a process loses nothing that it has written, for the system still holds it. A library that
is preloaded into the store (``shims/synced.c``) notes how much of each file was synced;
:meth:`Power.cut` cuts the files to that, or leaves a random part of the rest. Folders are taken as
synced: that a file exists or was renamed is never lost.
"""

from __future__ import annotations

import os
import random
from pathlib import Path


class Power:
    """Keeps account of what the store in *folder* has synced."""

    library: str = "synced"

    def __init__(self, folder: Path, rng: random.Random) -> None:
        self.lost = 0
        """Bytes that cuts have taken away so far."""
        self._folder = folder
        self._noted = folder.with_name(f"{folder.name}.synced")
        self._rng = rng

    @property
    def environment(self) -> dict[str, str]:
        self._noted.mkdir(exist_ok=True)
        return {"TAFL_SYNCED": str(self._noted)}

    def cut(self) -> None:
        """Take away what the store, which has been killed, had not synced."""
        for path in sorted(self._folder.rglob("*.aof")):
            length = path.stat().st_size
            noted = self._noted / str(path.stat().st_ino)
            synced = int.from_bytes(noted.read_bytes(), "little") if noted.exists() else 0
            kept = self._rng.choice([synced, self._rng.randint(synced, max(synced, length))])
            self.lost += max(0, length - kept)
            os.truncate(path, min(length, kept))
