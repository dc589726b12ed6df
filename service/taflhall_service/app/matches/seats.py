"""Seats that are taken: to get up again, to let a deputy act, to take the seat back.

A *deputy* answers for a seat and sees what it sees; everything else stays with the seat's
holder: to resign, to propose and to agree, to hand over and to take back. A seat that is handed
over for good has another holder, and the old one's secret opens it no more.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

from msgspec.structs import replace

from taflhall_service.app import errors
from taflhall_service.app.access.credentials import Identity, digest_of, hide, new_secret, reveal
from taflhall_service.app.access.permissions import authorize, require_status
from taflhall_service.app.matches.clock_updates import reseated
from taflhall_service.app.matches.repository import Matches, Prepared
from taflhall_service.app.matches.table_update import clock_fields
from taflhall_service.app.model import codec as stored
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.limits import looks_like
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Deputy, Seat

PERSON = 1
PROGRAM = 2
"""The kind of who sits at a seat, unless said otherwise."""


def is_named(match: Match, name: str, but: int = -1) -> bool:
    """Return whether somebody at another seat than *but* has a name that looks like *name*."""
    same = looks_like(name)
    return any(
        looks_like(person.name) == same
        for seat, place in enumerate(match.seats)
        for person in (place, place.actor)
        if seat != but
    )


class LeaveSeats:
    """A holder gets up before the match starts."""

    def __init__(
        self,
        matches: Matches,
        identity: Identity,
        seat: int | None,
        request_id: str,
        fingerprint: bytes,
    ) -> None:
        self.fingerprint = fingerprint
        self._most = matches.limits.match_commands
        self.identity = identity
        self._wanted = seat
        self.request_id = matches.limits.name("request_id", request_id)

    def key(self, match: Match) -> str:
        # known even when the secret no longer opens a seat
        return f"leave:{_own_key(self.identity, self.request_id)}"

    def prepare(self, match: Match, now: Moment) -> Prepared:
        caller = authorize("MatchService.LeaveMatch", self.identity, match)
        wanted = self._wanted
        seats = caller.owned if wanted is None else (caller.require_owned(match, wanted),)
        require_status("MatchService.LeaveMatch", match)
        not_too_often(match, self._most)
        after = [Seat() if n in seats else place for n, place in enumerate(match.seats)]
        return _prepared(match, after, now)


async def leave(matches: Matches, match_id: str, leaving: LeaveSeats) -> Match | None:
    """Free the seats; a second call with the same request id changes nothing.

    It returns the match as far as the caller may see it, as everything that is told again.
    """
    done = await matches.act(match_id, leaving)
    return done.match or await matches.spectators.visible_or_none_by_id(match_id, leaving.identity)


class HandedOver(NamedTuple):
    """A match, and the secret of who acts for the seat now."""

    match: Match | None
    """``None`` if the caller may see nothing of it any more."""
    secret: str


class HandOverSeat:
    """Somebody else acts for a seat from now on."""

    def __init__(
        self,
        matches: Matches,
        identity: Identity,
        seat: int | None,
        name: str,
        kind: int,
        permanent: bool,
        request_id: str,
        fingerprint: bytes,
    ) -> None:
        self.fingerprint = fingerprint
        self._most = matches.limits.match_commands
        self.identity = identity
        self._wanted = seat
        self._name = matches.limits.name("name", name)
        self._kind = kind or PERSON
        self._permanent = permanent
        self.request_id = matches.limits.retry_key(request_id)
        self._key = request_id or secrets.token_hex(16)
        self.secret = new_secret()

    def key(self, match: Match) -> str:
        return f"hand-over:{_own_key(self.identity, self._key)}"

    def prepare(self, match: Match, now: Moment) -> Prepared:
        caller = authorize("MatchService.DelegateSeat", self.identity, match)
        seat = caller.require_owned(match, self._wanted)
        require_status("MatchService.DelegateSeat", match)
        not_too_often(match, self._most)
        if is_named(match, self._name, seat):
            raise errors.NameTaken(name=self._name)
        seats = list(match.seats)
        digest = digest_of(self.secret)
        if self._permanent:
            seats[seat] = Seat(self._name, self._kind, digest)
        else:
            deputy = Deputy(self._name, self._kind, digest)
            seats[seat] = replace(seats[seat], deputy=deputy, stand_in=False)
        hidden = hide(self.secret, self.request_id, _salt(match)) if self.request_id else b""
        done = _prepared(match, seats, now, hidden)
        if self._permanent:  # the new holder has agreed to nothing
            done.match.proposed = None
            done.fields["proposal"] = b""
        return done

    def remembered(self, match: Match, reply: bytes) -> str:
        """Return the secret of the answer that was given before."""
        if not self.request_id:  # our own commit, sent twice: nobody else has this key
            return self.secret
        return reveal(reply, self.request_id, _salt(match))


async def hand_over(matches: Matches, match_id: str, handing: HandOverSeat) -> HandedOver:
    """Let somebody else act; with a request id a second call finds the first's secret."""
    done = await matches.act(match_id, handing)
    if done.match is not None:
        return HandedOver(done.match, handing.secret)
    secret = handing.remembered(await matches.current(match_id), done.reply)
    return HandedOver(
        await matches.spectators.visible_or_none_by_id(match_id, handing.identity), secret
    )


class TakeBackSeat:
    """A holder is back: no deputy and no stand-in acts for the seat any more."""

    fingerprint = bytes(16)

    def __init__(self, identity: Identity, seat: int | None) -> None:
        self._identity = identity
        self._wanted = seat
        self._key = secrets.token_hex(16)

    def key(self, match: Match) -> str:
        return f"take-back:{self._key}"

    def prepare(self, match: Match, now: Moment) -> Prepared | None:
        caller = authorize("MatchService.ReclaimSeat", self._identity, match)
        seat = caller.require_owned(match, self._wanted)
        require_status("MatchService.ReclaimSeat", match)
        seats = list(match.seats)
        if seats[seat].deputy is None and not seats[seat].stand_in:
            return None
        seats[seat] = replace(seats[seat], deputy=None, stand_in=False)
        return _prepared(match, seats, now)


async def take_back(
    matches: Matches, match_id: str, identity: Identity, seat: int | None
) -> Match | None:
    """Send away who acts for the seat; if nobody does, nothing changes."""
    done = await matches.act(match_id, TakeBackSeat(identity, seat))
    return done.match or await matches.spectators.visible_or_none_by_id(match_id, identity)


def not_too_often(match: Match, most: int) -> None:
    """Raise ``MatchTooLong`` if seats and proposals have changed as often as they may."""
    if match.version.change_count >= most:
        raise errors.MatchTooLong(limit=most)


def _prepared(match: Match, seats: list[Seat], now: Moment, reply: bytes = b"") -> Prepared:
    after = reseated(match, tuple(seats), now)
    fields = {"seats": stored.pack(after.seats)} | clock_fields(after, now)
    return Prepared(after, fields, [], [], reply)


def _own_key(identity: Identity, request_id: str) -> str:
    """Return where a request is remembered that takes from its caller what it proves.

    Raise as :attr:`Identity.scope` does.
    """
    return digest_of(f"{identity.scope}:{request_id}").hex()


def _salt(match: Match) -> bytes:
    return match.origin.chain + b"hand-over"
