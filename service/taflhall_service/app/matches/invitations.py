"""Invitations: reserve a seat for an account, decline, and free a seat before the start."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace as with_fields

from taflhall_service.app import errors
from taflhall_service.app.access.credentials import Identity, request_key
from taflhall_service.app.access.permissions import (
    Action,
    Caller,
    account_of,
    authorize,
    caller_or_spectator,
    require_status,
)
from taflhall_service.app.matches.seats import require_changes_left
from taflhall_service.app.matches.transaction import Change
from taflhall_service.app.model import codec
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Seat


@dataclass(frozen=True, slots=True)
class InviteToMatch:
    """A request to reserve a seat for an account."""

    identity: Identity
    account: str
    seat: int | None
    """``None``: the lowest free one."""
    request_id: str
    fingerprint: bytes
    max_changes: int

    def authorize(self, match: Match) -> Caller:
        return authorize(Action.INVITE_TO_MATCH, self.identity, match)

    def key(self, match: Match, caller: Caller) -> str:
        return caller.key(self.request_id)

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change | None:
        require_status(Action.INVITE_TO_MATCH, match)
        if any(self.account in (seat.account, seat.invited) for seat in match.seats):
            return None
        require_changes_left(match, self.max_changes)
        number = unreserved_seat(match, self.seat)
        return _with_seat(match, number, with_fields(match.seats[number], invited=self.account))


@dataclass(frozen=True, slots=True)
class DeclineInvitation:
    """A request to give back the seats that are reserved for the caller's account."""

    identity: Identity
    request_id: str
    fingerprint: bytes

    def authorize(self, match: Match) -> Caller:
        """Return the caller unchecked: a repeated request comes from one who is not invited."""
        return caller_or_spectator(self.identity, match)

    def key(self, match: Match, caller: Caller) -> str:
        return f"decline:{request_key(self.identity.scope, self.request_id)}"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change:
        account = account_of(self.identity).id
        if not any(seat.invited == account for seat in match.seats):
            raise errors.InvitationNotFound(match_id=match.id)
        seats = tuple(Seat() if seat.invited == account else seat for seat in match.seats)
        return Change(match.changed(seats=seats), {"seats": codec.encode(seats)})


@dataclass(frozen=True, slots=True)
class RemovePlayer:
    """A request of the creator to free a seat."""

    identity: Identity
    seat: int
    request_id: str
    fingerprint: bytes

    def authorize(self, match: Match) -> Caller:
        return authorize(Action.REMOVE_PLAYER, self.identity, match)

    def key(self, match: Match, caller: Caller) -> str:
        return caller.key(self.request_id)

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change | None:
        require_status(Action.REMOVE_PLAYER, match)
        if match.seats[require_seat(match, self.seat)] == Seat():
            return None
        return _with_seat(match, self.seat, Seat())


def require_seat(match: Match, seat: int) -> int:
    """Return *seat* if the match has it, or raise ``UnknownSeat``."""
    if not 0 <= seat < len(match.seats):
        raise errors.UnknownSeat(seat=seat, seats=len(match.seats))
    return seat


def unreserved_seat(match: Match, wanted: int | None) -> int:
    """Return *wanted*, or the lowest seat, that is free and not reserved, or raise why not."""
    if wanted is not None:
        if not match.seats[require_seat(match, wanted)].free_for(""):
            raise errors.SeatTaken(seat=wanted)
        return wanted
    for number, seat in enumerate(match.seats):
        if seat.free_for(""):
            return number
    raise errors.NoFreeSeat(match_id=match.id)


def _with_seat(match: Match, number: int, seat: Seat) -> Change:
    seats = tuple(seat if n == number else old for n, old in enumerate(match.seats))
    return Change(match.changed(seats=seats), {"seats": codec.encode(seats)})
