"""A small disk of its own, to be filled: a file system in memory, where one can be mounted."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class CannotMount(Exception):
    """This user, or this machine, may not mount a file system."""


@contextmanager
def small_disk(place: Path, size: str = "4m") -> Iterator[Path]:
    """Yield the new folder *place*, which has a file system of that *size*."""
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    mounted = shutil.which("mount") and subprocess.run(mount, check=False, capture_output=True)
    if not mounted or mounted.returncode:
        raise CannotMount("no file system can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill(disk: Path) -> Path:
    """Write until the disk is full; return the file that fills it."""
    path = disk / "filler"
    with path.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)) == 4096:
                pass
        except OSError:
            return path
    return path
