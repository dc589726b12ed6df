"""Where records of finished matches are kept."""

from __future__ import annotations

from typing import Protocol


class RecordArchive(Protocol):
    """Keeps bytes under names like ``ab/abcd.json``; a folder, or a bucket of objects."""

    async def put(self, name: str, data: bytes) -> None:
        """Keep *data*, in place of what had this name; it is durable when this returns.

        Whoever reads meanwhile finds the old bytes or the new ones, never a part.
        Raise :exc:`OSError` if it cannot be kept.
        """
        ...

    async def get(self, name: str) -> bytes | None:
        """Return what is kept under *name*, ``None`` if nothing is, or raise :exc:`OSError`."""
        ...
