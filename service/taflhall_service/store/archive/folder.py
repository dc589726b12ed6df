"""An archive in a folder: one file per match, in sub-folders named by its first two letters.

A file appears whole or not at all: it is written under another name, synced and renamed. Files
that a killed server has left half written, in the sub-folder ``.half``, are removed a day later.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

HALF: Final = ".half"
"""The sub-folder of files that are being written."""

STALE_SECONDS: Final = 86_400.0
"""Age at which such a file is certainly abandoned."""


class FolderArchive:
    """Stores records below *folder*, which is created if necessary."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._half = folder / HALF
        self._half.mkdir(parents=True, exist_ok=True)
        _remove_stale(self._half)

    async def put(self, name: str, data: bytes) -> None:
        await asyncio.to_thread(self._put, name, data)

    async def get(self, name: str) -> bytes | None:
        return await asyncio.to_thread(self._get, name)

    def _put(self, name: str, data: bytes) -> None:
        path = self._folder / name
        if not path.parent.is_dir():
            path.parent.mkdir(parents=True, exist_ok=True)
            _sync(path.parent.parent)
        half = self._half / f"{path.name}.{secrets.token_hex(4)}"
        try:
            with half.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            half.replace(path)
        except BaseException:
            with suppress(OSError):
                half.unlink()
            raise
        _sync(path.parent)

    def _get(self, name: str) -> bytes | None:
        try:
            return (self._folder / name).read_bytes()
        except FileNotFoundError:
            return None


def _sync(folder: Path) -> None:
    """Sync the list of files of a folder to the disk."""
    if sys.platform == "win32":
        return
    place = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)


def _remove_stale(folder: Path) -> None:
    for half in folder.iterdir():
        with suppress(OSError):
            if time.time() - half.stat().st_mtime > STALE_SECONDS:
                half.unlink()
