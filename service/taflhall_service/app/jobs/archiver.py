"""The archive of matches that are over, and who fills it.

A match's record is written to the archive, read back and replayed with nothing but the
engine. Then the match is marked as archived, and the store deletes it some hours later. Every
step can be repeated by this server or another. A server that dies between two steps loses
nothing, because a match that is not marked as archived is never deleted.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import time
from collections.abc import Callable
from enum import Enum
from typing import Final

import structlog

from taflhall_engine.kernel import record
from taflhall_engine.kernel.replay import RecordError, replaying
from taflhall_service.app.errors import RulesTooNew, StoredDataDamaged
from taflhall_service.app.jobs.pacing import Throttle
from taflhall_service.app.matches.history import record_of
from taflhall_service.app.matches.indexes import CODES, UNARCHIVED, code_mark, remove_from_indexes
from taflhall_service.app.model.codec import index_key_of, match_of
from taflhall_service.app.model.match import OVER, Match, decode_match
from taflhall_service.app.periodic import run_periodically
from taflhall_service.app.ports.match_store import (
    ADMIN_PREFIX,
    UNREADABLE_SUMMARY,
    MatchStore,
    MatchSummary,
)
from taflhall_service.app.ports.record_archive import RecordArchive

PAGE: Final = 200
"""Matches whose state is read in one round trip."""

SWEEP_SECONDS: Final = 30.0
"""From the end of one sweep over all matches to the next."""

LOOK_AGAIN_SECONDS: Final = 3600.0
"""Time until a damaged match is tried again; an operator may have repaired and unfrozen it."""

MEND_SECONDS: Final = 3600.0
"""From one look at all matches to the next."""

SHARE: Final = 0.25
"""How much of the event loop's time the archiver takes at most."""

SHARE_BEHIND: Final = 0.5
"""The same while more than :data:`MANY` matches wait: it must archive as fast as they end."""

MANY: Final = 50

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
    damaged match is tried again after *look_again* seconds.
    """

    def __init__(
        self,
        store: MatchStore,
        archive: RecordArchive,
        keep: float,
        report: Report,
        share: float = SHARE,
        look_again: float = LOOK_AGAIN_SECONDS,
    ) -> None:
        self.backlog = 0
        self._store = store
        self._archive = archive
        self._keep = keep
        self._report = report
        self._share = share
        self._look_again = look_again
        self._pace = Throttle(share)
        self._damaged: dict[str, float] = {}
        """Matches that were found damaged, and when to look again."""

    async def run(self, seconds: float = SWEEP_SECONDS) -> None:
        """Sweep again and again until cancelled; say at once if the archive does not answer."""
        await self.reach()
        await asyncio.gather(
            run_periodically(self.sweep, seconds, _log),
            run_periodically(self.mend_indexes, MEND_SECONDS, _log),
        )

    async def reach(self) -> None:
        """Say in the log if the archive does not answer."""
        try:
            await self._archive.get(name_of("is-it-there"))
        except OSError as error:
            _log.error("archive_fails", why=type(error).__name__, error=str(error))

    async def sweep(self) -> None:
        """Archive the matches that are over, as far as the index names them."""
        waiting, before = 0, ""
        while marks := await self._store.index_page(before, PAGE, UNARCHIVED):
            before = marks[-1]
            over = await self._over(marks)
            waiting += len(over)
            now = time.monotonic()
            over = [match_id for match_id in over if self._damaged.get(match_id, 0.0) <= now]
            self.backlog = max(self.backlog, waiting)
            behind = self.backlog > MANY
            self._pace = Throttle(max(self._share, SHARE_BEHIND) if behind else self._share)
            random.shuffle(over)  # several servers then seldom work at the same match
            for match_id in over:
                kept = await self.keep(match_id)
                self._report(kept)
                if kept in (ArchiveResult.KEPT, ArchiveResult.MOVED):
                    waiting -= 1
        self.backlog = waiting

    async def _over(self, marks: list[str]) -> list[str]:
        """Return which of these matches wait for the archive; let the index drop the others."""
        ids = [match_of(mark) for mark in marks]
        over = []
        summaries = await self._store.summaries(ids)
        for mark, match_id, summary in zip(marks, ids, summaries, strict=True):
            if summary is None:
                await remove_from_indexes(self._store, mark)
            elif _waits(summary):
                over.append(match_id)
            elif summary != UNREADABLE_SUMMARY:
                await self._store.index_remove(mark, UNARCHIVED)
        return over

    async def mend_indexes(self) -> None:
        """Sweep all matches: find those that wait, and drop those that have left the store."""
        before = ""
        while marks := await self._store.index_page(before, PAGE):
            before = marks[-1]
            summaries = await self._store.summaries([match_of(mark) for mark in marks])
            for mark, summary in zip(marks, summaries, strict=True):
                if summary is None:
                    await remove_from_indexes(self._store, mark)
                elif _waits(summary):
                    await self._store.index_add(mark, UNARCHIVED)
            await asyncio.sleep(0)

    async def keep(self, match_id: str) -> ArchiveResult:
        """Archive a match that is over, unless that is done already."""
        try:
            return await self._try(match_id)
        except RulesTooNew:
            return ArchiveResult.OTHER_RULES
        except StoredDataDamaged:
            _log.error("not_archived", match=match_id, why="the stored data is damaged")
            self._damaged[match_id] = time.monotonic() + self._look_again
            return ArchiveResult.DAMAGED
        except (OSError, ArchiveMismatch, RecordError) as error:
            text = str(error) if isinstance(error, OSError) else ""
            _log.error("not_archived", match=match_id, why=type(error).__name__, error=text)
            return ArchiveResult.FAILED

    async def _try(self, match_id: str) -> ArchiveResult:
        found = await self._store.load(match_id)
        if found is None or found.archived or found.status.decode() not in OVER:
            return ArchiveResult.MOVED
        if found.frozen.startswith(ADMIN_PREFIX):
            return ArchiveResult.MOVED
        if found.frozen:
            raise StoredDataDamaged(match_id=match_id)
        match = decode_match(found)
        late = 2 * match.origin.spectators.delay_ms
        if match.table is None:  # abandoned before it started: it has no record
            if late and match.visible_states[-1].at_ms + late > await self._store.now():
                return ArchiveResult.MOVED  # delayed spectators still see it as open
            await remove_from_indexes(self._store, index_key_of(match.origin))
            await self._store.set_field(match_id, found.version, "archived", b"", self._keep)
            return ArchiveResult.MOVED
        self._pace.start()
        data = await self._written(match)
        name = name_of(match_id)
        await self._put(name, data)
        kept = await self._archive.get(name)
        if kept != data:
            raise ArchiveMismatch(name)
        await self._replay(match, kept)
        digest = hashlib.sha256(kept).hexdigest().encode()
        keep = self._keep + late / 1000  # until delayed spectators have seen the end
        if not await self._store.set_field(match_id, found.version, "archived", digest, keep):
            return ArchiveResult.MOVED
        await self._store.index_remove(index_key_of(match.origin), UNARCHIVED)
        await self._store.index_remove(code_mark(match), CODES)
        _log.info("archived", match=match_id, revision=match.revision, bytes=len(kept))
        return ArchiveResult.KEPT

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

    async def _written(self, match: Match) -> bytes:
        found = await record_of(self._store, match, self._pace.yield_)
        assert match.result is not None
        plain = record.written(
            match.game,
            match.setup,
            [seat.acting.name for seat in match.seats],
            match.origin.secret,
            [(deed.seat, deed.command) for deed in found.commands],
            [found.start_digest, *[deed.digest for deed in found.commands]],
            match.result,
        )
        return record.text(plain).encode()

    async def _replay(self, match: Match, data: bytes) -> None:
        for _ in replaying(match.game, json.loads(data)):
            await self._pace.yield_()


def _waits(summary: MatchSummary) -> bool:
    return summary.status.decode("ascii", "replace") in OVER and not summary.archived


def name_of(match_id: str) -> str:
    """Return the name of a match's record in an archive."""
    return f"{match_id[:2]}/{match_id}.json"
