"""Abandon a match: end it without a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from taflhall_engine.kernel.meta_commands import ABANDON
from taflhall_service.app import errors
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import Action, Caller, authorize, require_status
from taflhall_service.app.matches.consent import missing_consents
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.table_update import TableUpdate
from taflhall_service.app.matches.transaction import NO_FINGERPRINT, SERVER, Change, act
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.match import ABANDONED, PLAYING, Match
from taflhall_service.app.ports.match_store import Version


@dataclass(frozen=True, slots=True)
class AbandonMatch:
    """A caller who needs nobody's consent abandons a match."""

    identity: Identity
    request_id: str
    fingerprint: bytes

    def authorize(self, match: Match) -> Caller:
        return authorize(Action.ABANDON_MATCH, self.identity, match)

    def key(self, match: Match, caller: Caller) -> str:
        return caller.key(self.request_id)

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change:
        require_status(Action.ABANDON_MATCH, match)
        if match.status == PLAYING:
            own = [seat for seat in caller.owned if seat not in match.withdrawn.seats]
            if not own or missing_consents(match, caller.owned):
                raise errors.ConsentRequired(match_id=match.id)
            return abandonment(match, own[0], now)
        if not caller.creator:
            raise errors.Forbidden
        return abandonment(match, -1, now)


@dataclass(frozen=True, slots=True)
class AbandonIdle:
    """The server abandons a match if it still is at the version that the server has seen."""

    seen: Version
    request_id: ClassVar[str] = ""
    fingerprint: ClassVar[bytes] = NO_FINGERPRINT

    def authorize(self, match: Match) -> Caller:
        return SERVER

    def key(self, match: Match, caller: Caller) -> str:
        return f"close:{self.seen.revision}:{self.seen.change_id}"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change | None:
        if match.over or match.version != self.seen:
            return None
        return abandonment(match, -1, now)


async def abandon(matches: Matches, match_id: str, request: AbandonMatch | AbandonIdle) -> Match:
    """Abandon a match; one that had not begun is listed no more, and forgotten after a while."""
    done = await act(matches, match_id, request)
    match = done.match or await matches.current(match_id)
    if match.over and match.table is None:
        await matches.expire_unstarted(match)
    return match


def abandonment(match: Match, seat: int, now: Moment) -> Change:
    """Return the change that abandons *match*; *seat* has proposed it, -1: the server."""
    if match.status == PLAYING:
        update = TableUpdate(match, now)
        update.do(seat, ABANDON)
        return update.to_change()
    return Change(match.changed(status=ABANDONED), {"status": ABANDONED.encode()})
