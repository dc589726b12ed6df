"""Matches as releases have stored them; every later release has to read them (G12).

A folder for each release. ``python -m tests.service.stored`` writes the one of this release, which
is done before it goes out, and never again: what is stored somewhere does not change any more.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec

from taflhall_service.app.ports.match_store import StoredEntry, StoredMatch, Version
from taflhall_service.store.memory import Memory

FOLDER: Final = Path(__file__).parent


class Known(msgspec.Struct):
    """A stored match, and what is known of it otherwise."""

    match_id: str
    secret: str
    """It opens all seats."""
    revision: int
    status: int
    token: str
    """A resume token of an earlier revision."""
    request: bytes
    """A Submit that was answered."""
    answer: bytes
    """And its answer."""
    digest: str
    """Of the table as it was left."""


class Shelf(msgspec.Struct):
    """A store and what is known of it, as plain data."""

    key: bytes
    now_ms: int
    matches: dict[str, dict[str, Any]]
    """The fields of each match that are not empty."""
    entries: dict[str, list[list[Any]]]
    records: dict[str, dict[str, bytes]]
    marks: list[str]
    known: list[Known]

    def memory(self) -> Memory:
        """Return a store that holds all of it."""
        memory = Memory(lambda: self.now_ms)
        memory.key = self.key
        for name, fields in self.matches.items():
            empty = dict.fromkeys(StoredMatch._fields, b"")
            kept: dict[str, Any] = {**empty, **fields, "version": Version(*fields["version"])}
            memory.matches[name] = StoredMatch(**kept)
        for name, found in self.entries.items():
            memory.entries[name] = [StoredEntry(*parts) for parts in found]
        memory.records = {name: dict(found) for name, found in self.records.items()}
        memory.indexes[""][:] = self.marks
        return memory

    @classmethod
    def of(cls, memory: Memory, known: list[Known]) -> Shelf:
        """Return what *memory* holds."""
        matches = {
            name: {field: value for field, value in found._asdict().items() if value != b""}
            for name, found in memory.matches.items()
        }
        entries = {name: [list(entry) for entry in found] for name, found in memory.entries.items()}
        return cls(
            memory.key, memory.clock(), matches, entries, memory.records, memory.indexes[""], known
        )


def shelves() -> list[Path]:
    """Return the files of all releases."""
    return sorted(FOLDER.glob("*/*.msgpack"))


def read(path: Path) -> Shelf:
    return msgspec.msgpack.decode(path.read_bytes(), type=Shelf)
