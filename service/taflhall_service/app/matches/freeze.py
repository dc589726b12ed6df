"""Frozen matches: nobody changes them, and nobody's time passes in them.

An administrator freezes a match together with its clocks, in one change. When it goes on, its
clocks stand still until one of its players is back, as after every pause.
"""

from __future__ import annotations

import secrets

from taflhall_service.app.matches.repository import Prepared
from taflhall_service.app.matches.table_update import clock_fields
from taflhall_service.app.model import clocks as clock
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.match import PLAYING, Match


class SetFrozen:
    """A match is frozen for *reason*, or goes on if that is empty; *was* is what it is frozen for.

    If its clocks were not frozen with it, as those of what is damaged are not, they have stood
    still from *since* on.
    """

    fingerprint: bytes = bytes(16)

    def __init__(self, was: bytes, reason: bytes, since: int = 0) -> None:
        self._was = was
        self._reason = reason
        self._since = since
        self._key = secrets.token_hex(16)

    def key(self, match: Match) -> str:
        return f"freeze:{self._key}"

    def prepare(self, match: Match, now: Moment) -> Prepared:
        after = match.seated(match.seats)
        if match.clocks is not None and match.status == PLAYING:
            after.clocks = self._clocks(match.clocks, now)
        fields = {"frozen": self._reason} | clock_fields(after, now)
        return Prepared(after, fields, [], [], b"", frozen=self._was)

    def _clocks(self, clocks: clock.Clocks, now: Moment) -> clock.Clocks:
        if self._reason:
            return clocks if clocks.frozen else clock.frozen(clocks, now)
        return clock.resume_pending(clocks, self._since, now)
