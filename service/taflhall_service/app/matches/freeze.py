"""Frozen matches: they cannot be changed, and their clocks are paused.

An administrator freezes a match together with its clocks, in one change. After it is unfrozen,
its clocks stay paused until one of its players is back, as after every pause.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import ClassVar

from taflhall_service.app.access.permissions import Caller
from taflhall_service.app.matches.table_update import clock_fields
from taflhall_service.app.matches.transaction import NO_FINGERPRINT, SERVER, Change
from taflhall_service.app.model import clocks
from taflhall_service.app.model.clocks import Clocks, Moment
from taflhall_service.app.model.match import PLAYING, Match


@dataclass(frozen=True, slots=True)
class SetFrozen:
    """A match is frozen for *reason*, or unfrozen if that is empty."""

    before: bytes
    """The reason it is currently frozen for."""
    reason: bytes
    since: int = 0
    """Since when its clocks are paused if they were not frozen with it, as with a damaged
    match."""
    once: str = field(default_factory=lambda: secrets.token_hex(16))
    """Distinguishes this request from all others of its kind."""
    request_id: ClassVar[str] = ""
    fingerprint: ClassVar[bytes] = NO_FINGERPRINT

    def authorize(self, match: Match) -> Caller:
        return SERVER

    def key(self, match: Match, caller: Caller) -> str:
        return f"freeze:{self.once}"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change:
        after = match.changed()
        if match.clocks is not None and match.status == PLAYING:
            after = match.changed(clocks=self._clocks(match.clocks, now))
        fields = {"frozen": self.reason} | clock_fields(after, now)
        return Change(after, fields, frozen=self.before)

    def _clocks(self, before: Clocks, now: Moment) -> Clocks:
        if self.reason:
            return before if before.frozen else clocks.frozen(before, now)
        return clocks.resume_pending(before, self.since, now)
