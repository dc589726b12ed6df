"""Abandons matches that have been idle for a long time.

A match is idle since its last change: a command, or a change of its seats or proposal. A
match whose clock runs is left to the timers. The match is read again before it is abandoned, so
that players who return at the last moment can continue.
"""

from __future__ import annotations

from typing import Final

import structlog

from taflhall_service.app.errors import RulesTooNew, StoredDataDamaged
from taflhall_service.app.matches.abandon import AbandonIdle, abandon
from taflhall_service.app.matches.history import changed_at
from taflhall_service.app.matches.indexes import index_of
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.model.codec import index_prefix, match_of
from taflhall_service.app.model.match import OPEN, PLAYING, decode_match
from taflhall_service.app.periodic import run_periodically
from taflhall_service.app.ports.match_store import ms_of

SWEEP_SECONDS: Final = 3600.0
"""From one sweep over all old matches to the next."""

PATIENCE_MS: Final = 3_600_000
"""Grace period for the timers to handle an expired clock."""

PAGE: Final = 100
"""Matches whose state is read in one round trip."""

_LIVE: Final = (OPEN.encode(), PLAYING.encode())
_log = structlog.get_logger("idle")


class IdleMatchCloser:
    """Abandons matches that have not changed for a long time."""

    def __init__(self, matches: Matches, hours: float) -> None:
        self._matches = matches
        self._ms = int(hours * 3_600_000)

    async def run(self, seconds: float = SWEEP_SECONDS) -> None:
        """Sweep again and again until cancelled."""
        await run_periodically(self.sweep, seconds, _log)

    async def sweep(self) -> int:
        """Abandon the idle matches; return their number."""
        store = self._matches.store
        now = (await self._matches.now()).ms
        limit = now - self._ms
        closed = 0
        for status in (OPEN, PLAYING):
            before = index_prefix(max(limit, 0))  # only what was created before it can be idle
            while marks := await store.index_page(before, PAGE, index_of("", status)):
                before = marks[-1]
                ids = [match_of(mark) for mark in marks]
                summaries = await store.summaries(ids)
                for match_id, summary in zip(ids, summaries, strict=True):
                    if summary is None or summary.status not in _LIVE:
                        continue
                    if ms_of(summary.changed) <= limit and ms_of(summary.deadline) <= now:
                        closed += await self._close(match_id, limit)
        return closed

    async def _close(self, match_id: str, limit: int) -> bool:
        found = await self._matches.store.load(match_id)
        if found is None or found.frozen:
            return False
        try:
            match = decode_match(found)
            if await changed_at(self._matches.store, found, match) > limit:
                return False
        except (RulesTooNew, StoredDataDamaged):
            return False
        now = await self._matches.trusted_now()
        due = match.next_deadline(now.outages)
        if due is not None and due.ms > now.ms - PATIENCE_MS:
            return False
        after = await abandon(self._matches, match_id, AbandonIdle(match.version))
        if after.over:
            _log.info("abandoned", match=match_id, revision=match.revision)
        return after.over
