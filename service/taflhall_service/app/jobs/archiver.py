"""The archive of matches that are over, and who fills it.

A match's record is written by a replay, which proves that it is complete and replays
(:func:`~taflhall_service.app.matches.history.proved_record`). It is put into the archive and read
back: the same bytes, and they read as the data that was proved. Then the match is marked as
archived, and the store deletes it some hours later. Every step can be repeated by this server or
another. A server that dies between two steps loses nothing, because a match that is not marked as
archived is never deleted.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
from collections.abc import Callable
from enum import Enum
from typing import Any, Final

import structlog

from taflhall_engine.kernel import record
from taflhall_service.app.errors import RulesTooNew, StoredDataDamaged
from taflhall_service.app.jobs.pacing import Throttle
from taflhall_service.app.matches.history import proved_record
from taflhall_service.app.matches.indexes import CODES, code_index_key, remove_from_indexes
from taflhall_service.app.model.codec import index_key_of, match_of
from taflhall_service.app.model.match import OPEN, PLAYING, Match, decode_match
from taflhall_service.app.periodic import run_periodically
from taflhall_service.app.ports.match_store import (
    ADMIN_PREFIX,
    DueQueue,
    MatchStore,
    ms_of,
)
from taflhall_service.app.ports.record_archive import RecordArchive

PAGE: Final = 200
"""Matches whose state is read in one round trip."""

SCAN_SECONDS: Final = 30.0
"""From the end of one scan to the next."""

LOOK_AGAIN_SECONDS: Final = 3600.0
"""Time until a damaged match is tried again; an operator may have repaired and unfrozen it."""

LOOK_AGAIN_MS: Final = 3_600_000
"""Time until the next look at a match that waits for an administrator."""

RETRY_MS: Final = 30_000
"""Time until the next look at a match that had changed, or was still stored, at the last one."""

SHARE: Final = 0.25
"""Largest share of the event loop's time that the archiver takes."""

SHARE_BEHIND: Final = 0.5
"""The same while more than :data:`MANY` matches wait: it must archive as fast as they end."""

MANY: Final = 50

FAILURES: Final = 10
"""A scan ends after so many failures in a row: the archive probably accepts no record now."""

_LIVE: Final = (OPEN.encode(), PLAYING.encode())

_log = structlog.get_logger("archive")


class ArchiveResult(Enum):
    """Result of an attempt to archive a match."""

    KEPT = "kept"
    MOVED = "moved"
    """The match is gone, archived by another server or frozen by an administrator, or the store
    lost acknowledged writes."""
    OTHER_RULES = "other_rules"
    """It was played by rules that this server does not have."""
    DAMAGED = "damaged"
    """The stored data contradicts itself: the match is kept for an operator to examine."""
    FAILED = "failed"
    """The archive did not take it, or gave something else back."""


Report = Callable[[ArchiveResult], object]


class ArchiveMismatch(Exception):
    """The archive gave back something else than it was given."""


class Archiver:
    """Brings matches that are over into an archive.

    *keep* is how many seconds the store still keeps a match that is in the archive;
    *report* is called with each result, and :attr:`backlog` counts the matches that wait. A
    damaged match is tried again after *look_again* seconds. *throttle* limits work to a share of
    the event loop's time.
    """

    def __init__(
        self,
        store: MatchStore,
        archive: RecordArchive,
        keep: float,
        report: Report,
        share: float = SHARE,
        look_again: float = LOOK_AGAIN_SECONDS,
        throttle: Callable[[float], Throttle] = Throttle,
    ) -> None:
        self.backlog = 0
        self._store = store
        self._archive = archive
        self._keep = keep
        self._report = report
        self._share = share
        self._look_again_ms = max(1, int(look_again * 1000))
        self._throttle = throttle
        self._pace = throttle(share)

    async def run(self, seconds: float = SCAN_SECONDS) -> None:
        """Scan again and again until cancelled; say at once if the archive does not answer."""
        await self.reach()
        await run_periodically(self.scan, seconds, _log)

    async def reach(self) -> None:
        """Log an error if the archive does not answer."""
        try:
            await self._archive.get(name_of("is-it-there"))
        except OSError as error:
            _log.error("archive_fails", why=type(error).__name__, error=str(error))

    async def scan(self) -> None:
        """Archive the matches that wait for it, and forget those that the store has deleted."""
        now = await self._store.now()
        await self._forget_expired(now)
        self.backlog = await self._store.queue_length(DueQueue.ARCHIVE)
        behind = self.backlog > MANY
        self._pace = self._throttle(max(self._share, SHARE_BEHIND) if behind else self._share)
        await self._keep_all(now)
        self.backlog = await self._store.queue_length(DueQueue.ARCHIVE)

    async def _keep_all(self, now: int) -> None:
        failures = 0
        while ids := await self._store.due(now, PAGE, DueQueue.ARCHIVE):
            random.shuffle(ids)  # several servers then seldom work at the same match
            for match_id in ids:
                result = await self.keep(match_id)
                self._report(result)
                failures = failures + 1 if result is ArchiveResult.FAILED else 0
                if failures == FAILURES:
                    return

    async def _forget_expired(self, now: int) -> None:
        """Remove matches that the store has deleted from all lists."""
        while index_keys := await self._store.due(now, PAGE, DueQueue.EXPIRY):
            summaries = await self._store.summaries(
                [match_of(index_key) for index_key in index_keys]
            )
            for index_key, summary in zip(index_keys, summaries, strict=True):
                if summary is None:
                    await remove_from_indexes(self._store, index_key)
                else:
                    await self._store.schedule(index_key, now + RETRY_MS, DueQueue.EXPIRY)

    async def keep(self, match_id: str) -> ArchiveResult:
        """Archive a match that is over, unless that is done already."""
        now, due = await self._store.now(), None
        try:
            result, due = await self._try(match_id, now)
        except RulesTooNew:
            result, due = ArchiveResult.OTHER_RULES, now + RETRY_MS
        except StoredDataDamaged:
            _log.error("not_archived", match=match_id, why="the stored data is damaged")
            result, due = ArchiveResult.DAMAGED, now + self._look_again_ms
        except (OSError, ArchiveMismatch) as error:
            text = str(error) if isinstance(error, OSError) else ""
            _log.error("not_archived", match=match_id, why=type(error).__name__, error=text)
            result, due = ArchiveResult.FAILED, now + 1  # in the next scan
        await self._store.schedule(match_id, due, DueQueue.ARCHIVE)
        return result

    async def _try(self, match_id: str, now: int) -> tuple[ArchiveResult, int | None]:
        """Archive a match; return when to try again, ``None`` for never."""
        found = await self._store.load(match_id)
        if found is None:
            return ArchiveResult.MOVED, None
        if found.status in _LIVE:  # a server died before it could end the match
            await self._store.schedule(match_id, ms_of(found.changed), DueQueue.IDLE)
            return ArchiveResult.MOVED, None
        if found.frozen.startswith(ADMIN_PREFIX):
            return ArchiveResult.MOVED, now + LOOK_AGAIN_MS
        if found.frozen:
            raise StoredDataDamaged(match_id=match_id)
        match = decode_match(found)
        if match.id != match_id:
            raise StoredDataDamaged(match_id=match_id)
        late = 2 * match.origin.spectators.delay_ms
        if found.archived:
            await self._leave(match, late)
            return ArchiveResult.MOVED, None
        if match.table is None:  # abandoned before it started: it has no record
            if late and (seen := match.visible_states[-1].at_ms + late) > now:
                return ArchiveResult.MOVED, seen  # delayed spectators still see it as open
            await self._store.set_field(match_id, found.version, "archived", b"", self._keep)
            await remove_from_indexes(self._store, index_key_of(match.origin))
            return ArchiveResult.MOVED, None
        self._pace.start()
        proved = await self._proved(match)
        data = record.text(proved).encode()
        name = name_of(match_id)
        await self._put(name, data)
        kept = await self._archive.get(name)
        if kept != data or json.loads(kept) != proved:
            raise ArchiveMismatch(name)
        digest = hashlib.sha256(kept).hexdigest().encode()
        keep = self._keep + late / 1000  # until delayed spectators have seen the end
        if not await self._store.set_field(match_id, found.version, "archived", digest, keep):
            return ArchiveResult.MOVED, now + RETRY_MS
        await self._leave(match, late)
        _log.info("archived", match=match_id, revision=match.revision, bytes=len(kept))
        return ArchiveResult.KEPT, None

    async def _leave(self, match: Match, late: int) -> None:
        """Note when the store will have deleted a match that is in the archive."""
        index_key = index_key_of(match.origin)
        due = await self._store.now() + int(self._keep * 1000) + late
        await asyncio.gather(
            self._store.schedule(index_key, due, DueQueue.EXPIRY),
            self._store.index_remove(code_index_key(match), CODES),
        )

    async def _put(self, name: str, data: bytes) -> None:
        """Store *data*; a record of another history of the match is set aside."""
        old = await self._archive.get(name)
        if old == data:
            return
        if old is not None:
            aside = f"{name}.{hashlib.sha256(old).hexdigest()[:16]}"
            _log.warning("archived_otherwise", name=name, aside=aside)
            await self._archive.put(aside, old)
        await self._archive.put(name, data)

    async def _proved(self, match: Match) -> dict[str, Any]:
        return await proved_record(self._store, match, self._pace.yield_)


def name_of(match_id: str) -> str:
    """Return the name of a match's record in an archive."""
    return f"{match_id[:2]}/{match_id}.json"
