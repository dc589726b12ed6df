"""Restores a backup into an empty folder: all of it, or nothing.

``backup.json`` is checked before anything is written, and each file's digest while the file is
copied. The files get their final names once all of them are on disk.
"""

from __future__ import annotations

import errno
import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from taflhall_service.operate.backup import ABOUT, FORMAT, MANIFEST
from taflhall_service.operate.folders import DISK, BackupError, Disk, error_text, require_no_file
from taflhall_service.store.embedded import LOG, RESTORING

DIGEST: Final = re.compile("[0-9a-f]{64}")


def restore(source: Path, data: Path, disk: Disk = DISK) -> int:
    """Restore the backup *source* into *data*, which must hold no store; return its bytes."""
    files = _files(source)
    require_no_file(data)
    if (data / LOG).exists():
        raise BackupError(f"{data} holds a store already: restore into an empty folder")
    made = [place for place in (data, *data.parents) if not place.exists()]
    ours = data / RESTORING
    _clear(ours, disk)
    try:
        disk.make(ours)
        size = _copy_files(source, files, ours, disk)
        disk.sync(ours)
        ours = disk.rename(ours, data / LOG)
        disk.sync(data)
    except BaseException as error:
        left = _take_back(ours, made, disk)
        if left is None and not isinstance(error, OSError):
            raise
        remedy = f". Remove {left}: this restore could not" if left else ""
        raise BackupError(
            f"nothing is restored into {data}: {error_text(error)}{remedy}"
        ) from error
    return size


def _clear(partial: Path, disk: Disk) -> None:
    """Remove the remains of a restore that was killed."""
    try:
        disk.remove(partial)
    except FileNotFoundError:
        return
    except OSError as error:
        raise BackupError(
            f"{partial} is left of a restore that has not ended, and cannot be removed: "
            f"{error_text(error)}. Remove {partial}, and restore again."
        ) from None


def _copy_files(source: Path, files: dict[str, str], target: Path, disk: Disk) -> int:
    """Copy the *files* of a backup, whose digests are given; return their size in bytes."""
    size = 0
    for name, digest in files.items():
        try:
            if not (source / LOG / name).is_file() and (source / LOG / name).exists():
                raise BackupError(f"{source / LOG / name} is not a regular file")
            size += (source / LOG / name).stat().st_size
            if disk.copy(source / LOG / name, target / name) != digest:
                raise BackupError(f"{source / LOG / name} is not what was backed up")
        except FileNotFoundError:
            raise BackupError(f"{source / LOG / name} is missing") from None
    return size


def _take_back(ours: Path, made: list[Path], disk: Disk) -> Path | None:
    """Remove what a failed restore has written; return a folder that could not be removed."""
    with suppress(OSError):
        disk.remove(ours)
    if os.path.lexists(ours):
        return made[0] if made else ours
    for folder in made:
        try:
            folder.rmdir()
        except FileNotFoundError:
            continue
        except OSError as error:  # another program may have put a file there
            return None if error.errno == errno.ENOTEMPTY else folder
    return None


def _files(source: Path) -> dict[str, str]:
    """Return the names and digests of a backup's files, or raise what is wrong with it."""
    try:
        about = json.loads((source / ABOUT).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise BackupError(f"{source} is not a complete backup: it has no {ABOUT}") from None
    except (ValueError, RecursionError):
        raise _damaged(source, "it is not JSON") from None
    if not isinstance(about, dict):
        raise _damaged(source, "it is not a JSON object")
    if about.get("format", FORMAT) != FORMAT:
        raise BackupError(f"{source} is a backup of another format: {about['format']!r}")
    for name in ("format", "files"):
        if name not in about:
            raise _damaged(source, f"it has no {name!r}")
    if wrong := _wrong(about["files"]):
        raise _damaged(source, wrong)
    files: dict[str, str] = about["files"]
    return files


def _wrong(files: Any) -> str:
    """Return what is wrong with the *files* of a backup; empty if nothing is."""
    if not isinstance(files, dict):
        return "its 'files' are not a JSON object"
    for name, digest in files.items():
        if Path(name).name != name or name in ("", "..") or not name.isprintable():
            return f"its 'files' name {name!r}, which is not a file of a backup"
        if not isinstance(digest, str) or not DIGEST.fullmatch(digest):
            return f"the digest of {name!r} in it is not a SHA-256"
    return "" if MANIFEST in files else f"its 'files' lack {MANIFEST!r}"


def _damaged(source: Path, wrong: str) -> BackupError:
    return BackupError(
        f"{source / ABOUT} is damaged: {wrong}. A backup writes there an object whose 'format' "
        f"is {FORMAT} and whose 'files' give each file's name and SHA-256. Restore another backup."
    )
