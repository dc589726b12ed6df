"""A folder on a real disk: a crash test on tmpfs proves nothing about what was written."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

IN_MEMORY: Final = {"tmpfs", "ramfs", "devtmpfs", "hugetlbfs"}

ROOT: Final = Path(__file__).resolve().parents[3]


class NotADisk(Exception):
    """No folder on a disk can be found; TAFLHALL_DISK may name one."""


def disk_folder() -> Path:
    """Return a new folder on a disk; the caller removes it.

    TAFLHALL_DISK names the folder in which to look; else it is the one for temporary files,
    else ``build/`` of the working copy.
    """
    named = os.environ.get("TAFLHALL_DISK")
    places = [Path(named)] if named else [Path(tempfile.gettempdir()), ROOT / "build"]
    for place in places:
        place.mkdir(parents=True, exist_ok=True)
        if filesystem_of(place) not in IN_MEMORY:
            return Path(tempfile.mkdtemp(prefix="tafl-rig-", dir=place))
    raise NotADisk(f"{', '.join(map(str, places))}: kept in memory; name a disk in TAFLHALL_DISK")


def filesystem_of(folder: Path) -> str:
    """Return the kind of filesystem that *folder* lies in."""
    path = folder.resolve()
    best, kind = "", "unknown"
    for line in Path("/proc/self/mounts").read_text("utf-8").splitlines():
        _, mount, found, *_ = line.split(" ")
        point = mount.replace("\\040", " ")
        inside = path == Path(point) or Path(point) in path.parents
        if inside and len(point) >= len(best):
            best, kind = point, found
    return kind
