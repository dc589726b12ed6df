"""Puts every listed match into the queue of the job that it waits for, and lists tournaments.

A match is queued before the commit that makes it wait, so a queue lacks one only if the store has
lost writes, or if a build without queues has written the match. So once a week one of the servers
scans all matches; at first when there are no queues yet. It also removes what indexes still name
of matches that are gone, or that were never created since their server died.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from taflhall_service.app.matches.indexes import (
    CODES,
    CREATION_MS,
    is_of_matches,
    match_of_entry,
    may_be_created,
    queue_for_jobs,
    remove_from_indexes,
)
from taflhall_service.app.model.codec import match_of
from taflhall_service.app.periodic import run_periodically
from taflhall_service.app.ports.match_store import MatchStore
from taflhall_service.app.tournaments.listing import repair_listing

CHECK_SECONDS: Final = 60.0
"""From one look at whether it is time to the next."""

LEASE_MS: Final = 3_600_000
"""After that time another server may take over from one that has died."""

PERIOD_MS: Final = 7 * 24 * 3_600_000
"""From one scan to the next."""

CLAIM: Final = "queue-repair"

PAGE: Final = 200
"""Matches whose state is read in one round trip."""

_log = structlog.get_logger("queues")


class QueueRepair:
    """Repairs the queues of a store, for all of its servers."""

    def __init__(self, store: MatchStore) -> None:
        self._store = store

    async def run(self, seconds: float = CHECK_SECONDS) -> None:
        """Run regularly until cancelled."""
        await run_periodically(self.repair_if_due, seconds, _log)

    async def repair_if_due(self) -> bool:
        """Repair the queues unless a server did so in the last week; return whether it was done."""
        store, value = self._store, secrets.token_bytes(8)
        if await store.claim(CLAIM, value, b"", LEASE_MS) != value:
            return False
        queued = await self.repair()
        dropped = await self.drop_gone()
        await repair_listing(store)
        await store.claim(CLAIM, value, value, PERIOD_MS)
        _log.info("queues_repaired", matches=queued, entries=dropped)
        return True

    async def repair(self) -> int:
        """Queue every match, and drop those that have left the store; return their number."""
        store, before, queued = self._store, "", 0
        while index_keys := await store.index_page(before, PAGE):
            before = index_keys[-1]
            now = await store.now()
            summaries = await store.summaries([match_of(index_key) for index_key in index_keys])
            for index_key, summary in zip(index_keys, summaries, strict=True):
                if summary is None:
                    if not may_be_created(index_key, now):
                        await remove_from_indexes(store, index_key)
                else:
                    await queue_for_jobs(store, index_key, summary, now)
                    queued += 1
        return queued

    async def drop_gone(self, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep) -> int:
        """Remove the entries of matches that do not exist from all indexes; return their number.

        A join code says nothing of the time: those without a match are read again later.
        """
        gone = 0
        async for index in self._store.index_names():
            if is_of_matches(index) and index != CODES:
                now = await self._store.now()
                entries = await self._without_match(index)
                gone += await self._drop([e for e in entries if not may_be_created(e, now)], index)
        codes = await self._without_match(CODES)
        if codes:
            await sleep(CREATION_MS / 1000)
            still = set(await self._without_match(CODES))
            gone += await self._drop([entry for entry in codes if entry in still], CODES)
        return gone

    async def _without_match(self, index: str) -> list[str]:
        """Return the entries of an index whose matches do not exist."""
        store, last, found = self._store, "", list[str]()
        while entries := await store.index_page(last, PAGE, index):
            last = entries[-1]
            versions = await store.versions([match_of_entry(each, index) for each in entries])
            found += [e for e, version in zip(entries, versions, strict=True) if version is None]
        return found

    async def _drop(self, entries: list[str], index: str) -> int:
        await asyncio.gather(*[self._store.index_remove(entry, index) for entry in entries])
        return len(entries)
