"""Abandons matches that have been idle for a long time.

A match is idle since its last change: a command, or a change of its seats or proposal. A
match whose clock runs is left to the timers. A queue orders the matches by the last change that
was seen of each; so a scan reads only those that have not been looked at for that long. A match
is read again before it is abandoned, so that players who return at the last moment can continue.
"""

from __future__ import annotations

from typing import Final

import structlog

from taflhall_service.app.errors import RulesTooNew, StoredDataDamaged
from taflhall_service.app.matches.abandon import AbandonIdle, abandon
from taflhall_service.app.matches.history import changed_at
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.model.match import OVER, decode_match
from taflhall_service.app.periodic import run_periodically
from taflhall_service.app.ports.match_store import (
    UNREADABLE_SUMMARY,
    DueQueue,
    MatchSummary,
    ms_of,
)

SCAN_SECONDS: Final = 3600.0
"""From one scan to the next."""

PATIENCE_MS: Final = 3_600_000
"""Grace period for the timers to handle an expired clock."""

LOOK_AGAIN_MS: Final = 3_600_000
"""Time until the next attempt at a match that cannot be abandoned now."""

PAGE: Final = 100
"""Matches whose state is read in one round trip."""

_log = structlog.get_logger("idle")


class IdleMatchCloser:
    """Abandons matches that have not changed for a long time."""

    def __init__(self, matches: Matches, hours: float) -> None:
        self._matches = matches
        self._ms = int(hours * 3_600_000)

    async def run(self, seconds: float = SCAN_SECONDS) -> None:
        """Scan again and again until cancelled."""
        await run_periodically(self.scan, seconds, _log)

    async def scan(self) -> int:
        """Abandon the idle matches; return their number."""
        store = self._matches.store
        now = (await self._matches.now()).ms
        limit, closed = now - self._ms, 0
        while ids := await store.due(limit, PAGE, DueQueue.IDLE):
            for match_id, summary in zip(ids, await store.summaries(ids), strict=True):
                since = await self._idle_since(match_id, summary, now)
                if since is not None and since <= limit:
                    since = await self._close(match_id, limit)
                    closed += since is None
                if since is not None:
                    since = max(since, limit + 1)
                await store.schedule(match_id, since, DueQueue.IDLE)
        return closed

    async def _idle_since(
        self, match_id: str, summary: MatchSummary | None, now: int
    ) -> int | None:
        """Return since when a match counts as idle, as far as its summary says.

        ``None``: it is over, or gone.
        """
        if summary is None:
            return None
        if summary.status.decode("ascii", "replace") in OVER:
            if not summary.archived:
                await self._matches.store.schedule(match_id, now, DueQueue.ARCHIVE)
            return None
        if summary == UNREADABLE_SUMMARY:
            return now - self._ms + LOOK_AGAIN_MS
        deadline = ms_of(summary.deadline)
        return max(ms_of(summary.changed), deadline - self._ms if deadline > now else 0)

    async def _close(self, match_id: str, limit: int) -> int | None:
        """Abandon a match, or return since when it counts as idle instead."""
        later = limit + LOOK_AGAIN_MS
        try:
            found = await self._matches.store.load(match_id)
            if found is None or found.frozen:
                return later
            match = decode_match(found)
            changed = await changed_at(self._matches.store, found, match)
        except (RulesTooNew, StoredDataDamaged):
            return later
        if changed > limit:
            return changed
        now = await self._matches.trusted_now()
        due = match.next_deadline(now.outages)
        if due is not None and due.ms > now.ms - PATIENCE_MS:
            return due.ms + PATIENCE_MS - self._ms
        after = await abandon(self._matches, match_id, AbandonIdle(match.version))
        if not after.over:
            return after.updated_ms
        _log.info("abandoned", match=match_id, revision=match.revision)
        return None
