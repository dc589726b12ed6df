"""Checks of folders and durable writes of files, for the operators' tools."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path
from typing import Final

from taflhall_service.store.embedded import LOG, blocking_path


class BackupError(Exception):
    """A backup or restore that cannot be made; the message says why."""


def require_store(data: Path) -> None:
    """Raise :exc:`BackupError` if no embedded store is in the folder *data*."""
    require_no_file(data)
    if not (data / LOG).is_dir():
        raise BackupError(f"{data} holds no embedded store")


def require_no_file(folder: Path, what: str = "a store's folder") -> None:
    """Raise :exc:`BackupError` if a file is where *folder*, or a folder above it, should be."""
    place = blocking_path(folder)
    if place is not None:
        found = "a file" if place.exists() else "a link to nothing"
        due = what if place == folder else f"a folder that holds {folder}"
        raise BackupError(f"{place} is {found}, where {due} is expected")


def error_text(error: BaseException) -> str:
    """Return the text of an error, without the numbers and names of the system."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error) or type(error).__name__


class Disk:
    """Durable changes of files and folders."""

    def make(self, folder: Path) -> None:
        """Create *folder* and those above it."""
        folder.mkdir(parents=True, exist_ok=True)

    def copy(self, source: Path, target: Path) -> str:
        """Copy a file up to its present size, to the disk; return the digest of the copy."""
        digest = hashlib.sha256()
        with source.open("rb") as read, target.open("wb") as written:
            left = os.fstat(read.fileno()).st_size
            while left and (part := read.read(min(left, 1 << 20))):
                digest.update(part)
                written.write(part)
                left -= len(part)
            written.flush()
            os.fsync(written.fileno())
        return digest.hexdigest()

    def sync(self, path: Path) -> None:
        """Sync a file, or the list of files of a folder, to the disk."""
        place = os.open(path, os.O_RDONLY)
        try:
            os.fsync(place)
        finally:
            os.close(place)

    def rename(self, source: Path, target: Path) -> Path:
        """Rename a file or folder; return its new path."""
        return source.rename(target)

    def remove(self, folder: Path) -> None:
        """Remove *folder* and all in it."""
        shutil.rmtree(folder)


DISK: Final = Disk()
