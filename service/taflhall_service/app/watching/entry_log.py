"""The log of a match's entries, read from where a reader is and proved to be the same history.

A revision alone does not identify a point in the history, because a store that fails over
may reuse its number. So a reader that resumes after a revision proves that the entry there is the
one it knows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final, NamedTuple, Protocol

from taflhall_service.app.model.codec import decode_entry
from taflhall_service.app.model.history_chain import first_head
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Entry
from taflhall_service.app.ports.match_store import StoredEntry, Version

BATCH: Final = 256
"""Entries that are read from the store at once."""

PORTION: Final = 16
"""Entries that are decoded before others get their turn."""


class EntryReader(Protocol):
    """Reads stored entries."""

    async def entries(
        self, match_id: str, first: int, last: int | None
    ) -> Sequence[StoredEntry]: ...


class LogGap(Enum):
    """Why reading a log cannot continue."""

    REWOUND = "the known history is lost: the store lost acknowledged writes"
    COMPACTED = "the next entries are no longer stored"


class EntriesAfter(NamedTuple):
    """The head of a log at a revision, and the entries after it, oldest first."""

    head: bytes
    entries: list[Entry]


class EntryLog:
    """The stored entries of one match."""

    def __init__(self, store: EntryReader, match: Match) -> None:
        self._store = store
        self._match = match

    async def after(self, version: Version, limit: int | None = BATCH) -> EntriesAfter | LogGap:
        """Return at most *limit* entries after *version*, or why the reader cannot resume there.

        Raise ``StoredDataDamaged`` if one cannot be read.
        """
        return await self.after_revision(version.revision, lambda head: head == version.head, limit)

    async def after_revision(
        self, revision: int, proves: Callable[[bytes], bool], limit: int | None = BATCH
    ) -> EntriesAfter | LogGap:
        """Return what :meth:`after` does; *proves* says whether a head is the one known."""
        match = self._match
        last = None if limit is None else revision + limit
        stored = list(await self._store.entries(match.id, max(revision, 1), last))
        head = first_head(match.origin.chain, match.id)
        if revision:
            if not stored:
                return LogGap.REWOUND
            base = stored.pop(0)
            if base.revision != revision:
                return LogGap.COMPACTED
            head = base.head
        if not proves(head):
            return LogGap.REWOUND
        if stored and stored[0].revision != revision + 1:
            return LogGap.COMPACTED
        entries = []
        for number, entry in enumerate(stored, 1):
            entries.append(decode_entry(match.game, match.origin, entry))
            if number % PORTION == 0:
                await asyncio.sleep(0)
        return EntriesAfter(head, entries)
