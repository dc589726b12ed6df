"""Seats that are taken: leave them, delegate them, reclaim them.

A *deputy* answers for a seat and has its view; the seat's holder keeps all other rights: to
resign, to propose and to agree, to delegate and to reclaim. A seat that is delegated
permanently has a new holder, and the old one's secret no longer opens it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import ClassVar, Final, NamedTuple

from msgspec.structs import replace as with_fields

from taflhall_service.app import errors
from taflhall_service.app.access.credentials import (
    Identity,
    derive_secret,
    digest_of,
    digest_text,
)
from taflhall_service.app.access.permissions import (
    Action,
    Caller,
    authorize,
    caller_or_spectator,
    require_status,
)
from taflhall_service.app.matches.clock_updates import with_seats
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.table_update import clock_fields
from taflhall_service.app.matches.transaction import NO_FINGERPRINT, Change, act
from taflhall_service.app.model import codec
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.limits import Limits, looks_like
from taflhall_service.app.model.match import OPEN, Match
from taflhall_service.app.model.records import Deputy, Seat

PERSON: Final = 1
PROGRAM: Final = 2
"""The kind of a seat's holder, unless said otherwise."""


@dataclass(frozen=True, slots=True)
class LeaveMatch:
    """A request to free the caller's seats before the match starts."""

    identity: Identity
    seat: int | None
    """``None``: all of the caller's."""
    request_id: str
    fingerprint: bytes

    def authorize(self, match: Match) -> Caller:
        """Return the caller unchecked: a repeated request may come from a caller without a seat."""
        return caller_or_spectator(self.identity, match)

    def key(self, match: Match, caller: Caller) -> str:
        return f"leave:{own_key(self.identity, self.request_id)}"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change:
        caller = authorize(Action.LEAVE_MATCH, self.identity, match)
        left = caller.owned if self.seat is None else (caller.require_owned(match, self.seat),)
        require_status(Action.LEAVE_MATCH, match)
        seats = [Seat() if n in left else seat for n, seat in enumerate(match.seats)]
        return _seated(match, seats, now)


class DelegatedSeat(NamedTuple):
    """A match, and the secret of who acts for the seat now."""

    match: Match | None
    """The match afterwards; ``None`` if this is the first answer again."""
    secret: str


@dataclass(frozen=True, slots=True)
class DelegateSeat:
    """A request to delegate a seat."""

    identity: Identity
    seat: int | None
    name: str
    kind: int
    permanent: bool
    request_id: str
    fingerprint: bytes
    max_changes: int
    proof: str
    """The input that the secret is derived from: the request id, or else random bytes."""

    @classmethod
    def of(
        cls,
        limits: Limits,
        identity: Identity,
        seat: int | None,
        name: str,
        kind: int,
        permanent: bool,
        request_id: str,
        fingerprint: bytes,
    ) -> DelegateSeat:
        """Return the request, or raise ``InvalidName``."""
        limits.name("name", name)
        proof = limits.retry_key(request_id) or secrets.token_hex(16)
        most = limits.match_changes
        return cls(
            identity, seat, name, kind or PERSON, permanent, request_id, fingerprint, most, proof
        )

    def authorize(self, match: Match) -> Caller:
        """Return the caller unchecked: after a permanent transfer they no longer hold the seat."""
        return caller_or_spectator(self.identity, match)

    def key(self, match: Match, caller: Caller) -> str:
        return f"delegate:{own_key(self.identity, self.proof)}"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change:
        caller = authorize(Action.DELEGATE_SEAT, self.identity, match)
        number = caller.require_owned(match, self.seat)
        require_status(Action.DELEGATE_SEAT, match)
        require_changes_left(match, most_changes(match, self.max_changes))
        if is_named(match, self.name, number):
            raise errors.NameTaken(name=self.name)
        seats, digest = list(match.seats), digest_of(self.secret(match))
        if self.permanent:
            seats[number] = Seat(self.name, self.kind, digest)
            return _seated(match, seats, now, agreed=False)  # the new holder agreed to nothing
        deputy = Deputy(self.name, self.kind, digest)
        seats[number] = with_fields(seats[number], deputy=deputy, stand_in=False)
        return _seated(match, seats, now)

    def secret(self, match: Match) -> str:
        """Return the secret of who acts for the seat."""
        scope = f"{self.identity.scope}:{self.proof}"
        return derive_secret(match.origin.chain, "delegate", scope)


async def delegate(matches: Matches, match_id: str, request: DelegateSeat) -> DelegatedSeat:
    """Delegate a seat; a repeated call with the same request id gets the first one's secret."""
    done = await act(matches, match_id, request)
    match = done.match or await matches.current(match_id)
    return DelegatedSeat(done.match, request.secret(match))


@dataclass(frozen=True, slots=True)
class ReclaimSeat:
    """A request to end the deputy or stand-in of the caller's seat."""

    identity: Identity
    seat: int | None
    once: str = field(default_factory=lambda: secrets.token_hex(16))
    """Distinguishes this request from all others of its kind."""
    request_id: ClassVar[str] = ""
    fingerprint: ClassVar[bytes] = NO_FINGERPRINT

    def authorize(self, match: Match) -> Caller:
        return authorize(Action.RECLAIM_SEAT, self.identity, match)

    def key(self, match: Match, caller: Caller) -> str:
        return f"reclaim:{self.once}"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change | None:
        number = caller.require_owned(match, self.seat)
        require_status(Action.RECLAIM_SEAT, match)
        seats = list(match.seats)
        if seats[number].deputy is None and not seats[number].stand_in:
            return None
        seats[number] = with_fields(seats[number], deputy=None, stand_in=False)
        return _seated(match, seats, now)


def is_named(match: Match, name: str, but: int = -1) -> bool:
    """Return whether the holder or deputy of a seat other than *but* has that *name*."""
    same = looks_like(name)
    return any(
        looks_like(person.name) == same
        for number, seat in enumerate(match.seats)
        for person in (seat, seat.acting)
        if number != but
    )


def name_for(match: Match, name: str) -> str:
    """Return *name*, with a number behind it if somebody in the match is called so already."""
    number, found = 1, name
    while is_named(match, found):
        number += 1
        found = f"{name} {number}"
    return found


def most_changes(match: Match, limit: int) -> int:
    """Return the number of changes after which strangers can make no more.

    Before the start that is half of *limit*: the rest is for the creator, the invited, and the
    match itself. Leaving and being removed is always possible, since it frees a seat.
    """
    return limit // 2 if match.status == OPEN else limit


def require_changes_left(match: Match, most: int) -> None:
    """Raise ``MatchTooLong`` if seats and proposals have changed as often as they may."""
    if match.version.change_count >= most:
        raise errors.MatchTooLong(limit=most)


def _seated(match: Match, seats: list[Seat], now: Moment, agreed: bool = True) -> Change:
    after = with_seats(match, tuple(seats), now)
    fields = {"seats": codec.encode(after.seats)} | clock_fields(after, now)
    if agreed:
        return Change(after, fields)
    return Change(after.replaced(proposed=None), fields | {"proposal": b""})


def own_key(identity: Identity, request_id: str) -> str:
    """Return where a request is remembered that may cost its caller the seat.

    Raise as :attr:`Identity.scope` does.
    """
    return digest_text(f"{identity.scope}:{request_id}")
