"""Take seats in a match that has not started."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from taflhall_service.app import errors
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.access.credentials import (
    Identity,
    derive_secret,
    digest_of,
    digest_text,
)
from taflhall_service.app.access.permissions import Action, Caller, authorize, require_status
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.seats import (
    PERSON,
    PROGRAM,
    is_named,
    most_changes,
    require_changes_left,
)
from taflhall_service.app.matches.start import with_players
from taflhall_service.app.matches.transaction import Change, act
from taflhall_service.app.model import codec
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.join_codes import join_code
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Seat


class JoinedMatch(NamedTuple):
    """The seats that were taken and the secret that opens them."""

    match: Match | None
    """The match afterwards; ``None`` if this is the first answer again."""
    seats: list[int]
    secret: str


@dataclass(frozen=True, slots=True)
class JoinMatch:
    """A request for seats."""

    identity: Identity
    seats: tuple[int, ...]
    """The seats that are wanted, lowest first; empty: any one."""
    name: str
    kind: int
    request_id: str
    fingerprint: bytes
    proof: str
    """The input that the secret is derived from: the request id, or else random bytes."""
    max_changes: int
    code: str = ""
    """A join code; empty without one."""

    @classmethod
    def of(
        cls,
        limits: Limits,
        identity: Identity,
        seats: Sequence[int],
        name: str,
        kind: int,
        request_id: str,
        fingerprint: bytes,
        code: str = "",
    ) -> JoinMatch:
        """Return the request, or raise ``Malformed`` or ``InvalidName``."""
        if len(set(seats)) != len(seats):
            raise errors.Malformed(field="seats", expected="distinct seats")
        limits.name("name", name)
        limits.retry_key(request_id)
        account = identity.account
        if account is not None and account.role == Role.BOT:
            kind = PROGRAM
        proof = identity.proof(request_id) or secrets.token_hex(16)
        wanted = tuple(sorted(seats))
        kind, most = kind or PERSON, limits.match_changes
        return cls(identity, wanted, name, kind, request_id, fingerprint, proof, most, code)

    def authorize(self, match: Match) -> Caller:
        return authorize(Action.JOIN_MATCH, self.identity, match)

    def key(self, match: Match, caller: Caller) -> str:
        return f"join:{digest_text(self.proof)}"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change:
        require_status(Action.JOIN_MATCH, match)
        taken = self.choose(match)
        self._require_invitation(match, caller, taken)
        expected = caller.creator or all(match.seats[number].invited for number in taken)
        most = self.max_changes if expected else most_changes(match, self.max_changes)
        require_changes_left(match, most)
        if is_named(match, self.name):
            raise errors.NameTaken(name=self.name)
        seat = Seat(self.name, self.kind, digest_of(self.secret(match)), account=self.account)
        seats = tuple(seat if n in taken else old for n, old in enumerate(match.seats))
        return with_players(match, seats, now).remembering(codec.encode(taken))

    @property
    def account(self) -> str:
        """The account of the caller; empty without one."""
        return "" if self.identity.account is None else self.identity.account.id

    def _require_invitation(self, match: Match, caller: Caller, taken: Sequence[int]) -> None:
        """Raise unless the caller may sit down at a match that asks for invitations."""
        if self.code and not hmac.compare_digest(self.code, join_code(match.origin)):
            raise errors.JoinCodeInvalid
        if not match.origin.listing.invitation_required or self.code or caller.creator:
            return
        if not all(match.seats[number].invited for number in taken):
            raise errors.InvitationRequired(match_id=match.id)

    def choose(self, match: Match) -> list[int]:
        """Return the seats to take in *match*, or raise why there are none."""
        for number in self.seats:
            if not 0 <= number < len(match.seats):
                raise errors.UnknownSeat(seat=number, seats=len(match.seats))
            if not match.seats[number].free:
                raise errors.SeatTaken(seat=number)
            if not match.seats[number].free_for(self.account):
                raise errors.SeatReserved(seat=number)
        if self.seats:
            return list(self.seats)
        free = [n for n, seat in enumerate(match.seats) if seat.free_for(self.account)]
        reserved = [number for number in free if match.seats[number].invited]
        for number in reserved or free:
            return [number]
        raise errors.NoFreeSeat(match_id=match.id)

    def secret(self, match: Match) -> str:
        """Return the secret of the seats that this request takes in *match*."""
        return derive_secret(match.origin.chain, "join", self.proof)


async def join(matches: Matches, match_id: str, request: JoinMatch) -> JoinedMatch:
    """Take seats; with a request id a second call finds the first's."""
    done = await act(matches, match_id, request)
    match = done.match or await matches.current(match_id)
    return JoinedMatch(done.match, codec.decode_plain(done.outcome), request.secret(match))
