"""Deletes archived matches before their hours are over while the store uses too much memory."""

from __future__ import annotations

from typing import Final

import structlog

from taflhall_service.app.jobs.archiver import SCAN_SECONDS
from taflhall_service.app.matches.indexes import remove_from_indexes
from taflhall_service.app.model.codec import match_of
from taflhall_service.app.periodic import run_periodically
from taflhall_service.app.ports.match_store import DueQueue, MatchStore

PAGE: Final = 50
"""Matches that are deleted between two readings of the memory."""

_log = structlog.get_logger("archive")


class Pruner:
    """Keeps the memory of a store below *limit* bytes, as far as archived matches can.

    *keep* is how many seconds the store keeps an archived match at most. The matches that were
    archived first are deleted first; one whose end delayed spectators have yet to see stays.
    """

    def __init__(self, store: MatchStore, keep: float, limit: int, page: int = PAGE) -> None:
        self._store: Final = store
        self._keep_ms: Final = int(keep * 1000)
        self._limit: Final = limit
        self._page: Final = page

    async def run(self, seconds: float = SCAN_SECONDS) -> None:
        """Scan again and again until cancelled."""
        await run_periodically(self.scan, seconds, _log)

    async def scan(self) -> None:
        """Delete matches until the store uses little enough, or none is left to delete."""
        matches = 0
        passed: set[str] = set()
        while await self._store.memory_used() > self._limit:
            index_keys = await self._oldest(passed)
            if not index_keys:
                break
            matches += await self._delete(index_keys, passed)
        if matches:
            _log.info("pruned", matches=matches)

    async def _oldest(self, passed: set[str]) -> list[str]:
        """Return the index keys of a page of matches, without those that were *passed* over."""
        seen_by_all = await self._store.now() + self._keep_ms
        count = self._page + len(passed)
        index_keys = await self._store.due(seen_by_all, count, DueQueue.EXPIRY)
        return [index_key for index_key in index_keys if index_key not in passed][: self._page]

    async def _delete(self, index_keys: list[str], passed: set[str]) -> int:
        """Delete matches; return how many, and add those that cannot be deleted to *passed*."""
        match_ids = [match_of(index_key) for index_key in index_keys]
        versions = await self._store.versions(match_ids)
        summaries = await self._store.summaries(match_ids)
        deleted = 0
        for index_key, match_id, version, summary in zip(
            index_keys, match_ids, versions, summaries, strict=True
        ):
            if version is None or summary is None:
                await remove_from_indexes(self._store, index_key)
            elif summary.archived and await self._store.set_field(
                match_id, version, "archived", summary.archived, keep=0.0
            ):
                await remove_from_indexes(self._store, index_key)
                deleted += 1
            else:
                passed.add(index_key)  # the archiver sees to it when it is due
        return deleted
