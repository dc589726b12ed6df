"""The check that runs all the time: one remembered match a second, from its log to its table.

A match that fails twice at the same version is frozen in the store: no server changes it until
an operator has examined it (``taflhall-server verify-store``).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final

import structlog

from taflhall_service.app.errors import RulesTooNew
from taflhall_service.app.jobs.integrity import IntegrityError, audit
from taflhall_service.app.jobs.pacing import SLICE, Throttle
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.periodic import run_periodically
from taflhall_service.app.ports.match_store import StoredMatch

SECONDS: Final = 1.0
"""From one check to the next."""

SHARE: Final = 0.05
"""Largest share of the event loop's time that a check takes."""

_log = structlog.get_logger("check")


class CheckResult(Enum):
    """Result of an integrity check."""

    PASSED = "passed"
    DIFFERS = "differs"
    LOST = "lost"
    """The store has lost the match, or a part of it, although it was not over."""
    SKIPPED = "skipped"
    """The match has moved or gone, or is of other rules than this server's."""
    UNCHECKED = "unchecked"
    """The store did not answer."""


Report = Callable[[CheckResult], object]


class SelfCheck:
    """Checks the remembered matches, one after another."""

    def __init__(
        self,
        matches: Matches,
        report: Report,
        share: float = SHARE,
        slice_seconds: float = SLICE,
    ) -> None:
        self._matches = matches
        self._report = report
        self._pace = Throttle(share, slice_seconds)

    async def run(self, seconds: float = SECONDS) -> None:
        """Check one match after another until cancelled."""
        await run_periodically(self._check_next, seconds, _log, jitter=0)

    async def _check_next(self) -> None:
        match_id, checked = self._matches.any_id(), CheckResult.UNCHECKED
        if not match_id:
            return
        try:
            checked = await self.check(match_id)
        finally:
            self._report(checked)

    async def check(self, match_id: str) -> CheckResult:
        """Check a match; freeze it if it is not what its log leads to."""
        store = self._matches.store
        known = self._matches.cached(match_id)
        found = await store.load(match_id)
        if known is not None and not known.over:
            if found is None or found.version.behind(known.version):
                self._matches.forget(match_id)
                _log.error("match_lost", match=match_id, revision=known.revision)
                return CheckResult.LOST
        if found is None or found.frozen:
            self._matches.forget(match_id)
            return CheckResult.SKIPPED
        try:
            first = await self._difference(found)
            if not first:
                return CheckResult.PASSED
            again = await store.load(match_id)
            if again is None or again.version != found.version:
                return CheckResult.SKIPPED  # it changed, or writes were lost, meanwhile
            second = await self._difference(again)
        except RulesTooNew:
            return CheckResult.SKIPPED
        if not second:
            return CheckResult.SKIPPED
        _log.error("match_differs", match=match_id, revision=found.version.revision, what=second)
        if not await store.set_field(match_id, again.version, "frozen", second.encode()):
            return CheckResult.SKIPPED
        await self._matches.damage.note(match_id, second)
        self._matches.forget(match_id)
        return CheckResult.DIFFERS

    async def _difference(self, found: StoredMatch) -> str | None:
        """Return how a match differs from its log; ``None`` if it does not."""
        try:
            await audit(self._matches.store, found, self._pace)
        except IntegrityError as difference:
            return str(difference)
        return None
