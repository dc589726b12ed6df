"""The archive of the records of finished matches."""

from __future__ import annotations

from typing import Protocol


class RecordArchive(Protocol):
    """Stores bytes under names like ``ab/abcd.json``: a folder, or a bucket of objects."""

    async def put(self, name: str, data: bytes) -> None:
        """Store *data* in place of what had this name; it is durable when this returns.

        A concurrent reader finds the old bytes or the new ones, never a part of them.
        Raise :exc:`OSError` if it cannot be stored.
        """
        ...

    async def get(self, name: str) -> bytes | None:
        """Return the bytes under *name* (``None``: none), or raise :exc:`OSError`."""
        ...
