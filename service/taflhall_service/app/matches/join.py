"""Take seats in a match that has not started."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import NamedTuple

from taflhall_service.app import errors
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.access.credentials import Identity, digest_of, hide, new_secret, reveal
from taflhall_service.app.access.permissions import (
    authorize,
    caller_or_spectator,
    require_status,
)
from taflhall_service.app.matches.create import _proof
from taflhall_service.app.matches.repository import Matches, Prepared
from taflhall_service.app.matches.seats import PERSON, PROGRAM, is_named
from taflhall_service.app.matches.start import set_up_table
from taflhall_service.app.matches.table_update import clock_fields, table_fields
from taflhall_service.app.model import codec as stored
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.match import OPEN, Match
from taflhall_service.app.model.records import Seat
from taflhall_service.app.model.spectator_policy import (
    SpectatorPolicy,
)


class Joined(NamedTuple):
    """A match, the seats taken in it and the secret that opens them."""

    match: Match | None
    """``None`` if the caller may see nothing of it any more."""
    seats: list[int]
    secret: str


class JoinMatch:
    """Somebody takes seats."""

    def __init__(
        self,
        matches: Matches,
        identity: Identity,
        seats: Sequence[int],
        name: str,
        kind: int,
        request_id: str,
        fingerprint: bytes,
    ) -> None:
        self.fingerprint = fingerprint
        self.identity = identity
        if len(set(seats)) != len(seats):
            raise errors.Malformed(field="seats", expected="distinct seats")
        self._wanted = sorted(seats)
        self._name = matches.limits.name("name", name)
        self._account = identity.account
        self._kind = kind or PERSON
        if self._account is not None and self._account.role == Role.BOT:
            self._kind = PROGRAM
        self.request_id = matches.limits.retry_key(request_id)
        self._proof = _proof(identity, self.request_id)
        self._key = digest_of(self._proof or secrets.token_hex(16)).hex()
        self.secret = new_secret()
        self.taken: list[int] = []

    def key(self, match: Match) -> str:
        authorize("MatchService.JoinMatch", self.identity, match)
        return f"join:{self._key}"

    def prepare(self, match: Match, now: Moment) -> Prepared:
        require_status("MatchService.JoinMatch", match)
        self.taken = self._choose(match)
        if is_named(match, self._name):
            raise errors.NameTaken(name=self._name)
        seats = list(match.seats)
        for seat in self.taken:
            account = "" if self._account is None else self._account.id
            seats[seat] = Seat(self._name, self._kind, digest_of(self.secret), account=account)
        after = Match(
            match.game,
            match.origin,
            match.setup,
            tuple(seats),
            match.version.changed(),
        )
        fields = {"seats": stored.pack(after.seats)}
        if match.origin.start_when_full and not any(place.free for place in seats):
            set_up_table(after, now)
            fields |= table_fields(after) | clock_fields(after, now)
        hidden = hide(self.secret, self._proof, self._salt(match)) if self._proof else b""
        return Prepared(after, fields, [], [], stored.pack([self.taken, hidden]))

    def _choose(self, match: Match) -> list[int]:
        for seat in self._wanted:
            if not 0 <= seat < len(match.seats):
                raise errors.UnknownSeat(seat=seat, seats=len(match.seats))
            if not match.seats[seat].free:
                raise errors.SeatTaken(seat=seat)
        if self._wanted:
            return self._wanted
        for seat, place in enumerate(match.seats):
            if place.free:
                return [seat]
        raise errors.NoFreeSeat(match_id=match.id)

    async def late(self, matches: Matches, match: Match) -> None:
        """Raise what there is to say to who comes too late, as far as he may know of it.

        To whom the match is still open, or is not shown at all, its seats are taken.
        """
        caller, policy = caller_or_spectator(self.identity, match), match.origin.spectators.policy
        if policy == SpectatorPolicy.PUBLIC or not caller.is_spectator:
            return
        if policy == SpectatorPolicy.DELAYED:
            seen = await matches.spectators.see(match, caller)
            if seen.status != OPEN:
                require_status("MatchService.JoinMatch", seen)
        self._choose(match)
        raise errors.NoFreeSeat(match_id=match.id)

    def _salt(self, match: Match) -> bytes:
        return match.origin.chain + b"join"

    def remembered(self, match: Match, reply: bytes) -> tuple[list[int], str]:
        """Return the seats and the secret of the answer that was given before."""
        if not self._proof:  # our own commit, sent twice: nobody else has this key
            return self.taken, self.secret
        seats, hidden = stored.decode_plain(reply)
        return seats, reveal(hidden, self._proof, self._salt(match))


async def join(matches: Matches, match_id: str, joining: JoinMatch) -> Joined:
    """Take seats; with a request id a second call finds the first's."""
    try:
        done = await matches.act(match_id, joining)
    except (errors.AlreadyStarted, errors.MatchOver):
        await joining.late(matches, await matches.current(match_id))
        raise
    if done.match is not None:
        return Joined(done.match, joining.taken, joining.secret)
    match = await matches.current(match_id)
    seats, secret = joining.remembered(match, done.reply)
    sitter = Identity(secret)
    identity = joining.identity if caller_or_spectator(sitter, match).is_spectator else sitter
    return Joined(await matches.spectators.visible_or_none_by_id(match_id, identity), seats, secret)
