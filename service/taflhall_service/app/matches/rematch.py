"""Rematches: the players of a match that is over meet again, each at the next seat.

The id of a rematch follows from that of its match, so all who ask open the same one. It is created
first, then the old match names it, then the caller sits down there; a repeated request completes
what a server that died has left undone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

from msgspec.structs import replace as with_fields

from taflhall_engine.kernel.chance import SECRET_BYTES
from taflhall_service.app import errors
from taflhall_service.app.access.credentials import Identity, derive_secret, digest_of
from taflhall_service.app.access.permissions import (
    Action,
    Caller,
    authorize,
    caller_or_spectator,
    enter,
    require_status,
)
from taflhall_service.app.matches.add_bot import bot_seat
from taflhall_service.app.matches.create import match_id_of, new_match, store_new_match
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.seats import is_named, own_key, require_changes_left
from taflhall_service.app.matches.start import with_players
from taflhall_service.app.matches.transaction import (
    NO_FINGERPRINT,
    SERVER,
    Change,
    act,
    carry_out,
)
from taflhall_service.app.model import codec
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Listing, Seat
from taflhall_service.app.model.spectator_policy import SpectatorPolicy

_OPENED: Final = "rematch"
"""The request id under which a rematch is created, the same for every caller."""


class JoinedRematch(NamedTuple):
    """The seats that were taken in a rematch, and the secret that opens them."""

    match_id: str
    match: Match | None
    """The rematch afterwards; ``None`` if this is the first answer again."""
    seats: list[int]
    secret: str


@dataclass(frozen=True, slots=True)
class LinkRematch:
    """A match that is over names its rematch."""

    next_match: str
    request_id: ClassVar[str] = ""
    fingerprint: ClassVar[bytes] = NO_FINGERPRINT

    def authorize(self, match: Match) -> Caller:
        return SERVER

    def key(self, match: Match, caller: Caller) -> str:
        return "rematch:"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change | None:
        if match.next_match:
            return None
        after = match.changed(next_match=self.next_match)
        return Change(after, {"next_match": self.next_match.encode()})


@dataclass(frozen=True, slots=True)
class JoinRematch:
    """A request of a player of *previous* for the same number of seats in its rematch."""

    identity: Identity
    previous: Match
    held: tuple[int, ...]
    """The caller's seats in *previous*."""
    request_id: str
    fingerprint: bytes
    max_changes: int

    def authorize(self, match: Match) -> Caller:
        """Return the caller unchecked: their seats in the previous match entitle them."""
        return caller_or_spectator(self.identity, match)

    def key(self, match: Match, caller: Caller) -> str:
        return f"rematch:{own_key(self.identity, self.request_id)}"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change:
        require_status(Action.JOIN_MATCH, match)
        digest, seats = digest_of(self.secret(match)), list(match.seats)
        taken = sorted(next_seat(self.previous, seat) for seat in self.held)
        if all(seats[number].secret == digest for number in taken):
            return Change(match, {}, outcome=codec.encode(taken), answered=True)
        require_changes_left(match, self.max_changes)
        for seat in self.held:
            number, holder = next_seat(self.previous, seat), self.previous.seats[seat]
            if not seats[number].free_for(holder.account):
                raise errors.SeatTaken(seat=number)
            if is_named(match, holder.name):
                raise errors.NameTaken(name=holder.name)
            seats[number] = Seat(holder.name, holder.kind, digest, account=holder.account)
        return with_players(match, tuple(seats), now).remembering(codec.encode(taken))

    def secret(self, match: Match) -> str:
        """Return the secret of the caller's seats in the rematch *match*."""
        proof = f"{self.identity.scope}/{self.held}"
        return derive_secret(match.origin.chain, "rematch", proof)


async def join_rematch(
    matches: Matches, match_id: str, identity: Identity, request_id: str, fingerprint: bytes
) -> JoinedRematch:
    """Sit the caller down in the rematch of a match; open it if nobody has."""
    previous = await matches.current(match_id)
    caller = authorize(Action.JOIN_REMATCH, identity, previous)
    require_status(Action.JOIN_REMATCH, previous)
    if not previous.next_match and identity.account is not None:
        enter(Action.CREATE_MATCH, identity)
    next_match = previous.next_match or await matches.shield(_open(matches, previous))
    most = matches.limits.match_changes
    request = JoinRematch(identity, previous, caller.owned, request_id, fingerprint, most)
    done = await act(matches, next_match, request)
    match = done.match or await matches.current(next_match)
    seats: list[int] = codec.decode_plain(done.outcome)
    return JoinedRematch(next_match, done.match, seats, request.secret(match))


async def _open(matches: Matches, previous: Match) -> str:
    """Create the rematch of *previous*, and let that name it; return its id."""
    old, draw = previous.origin, matches.random_bytes
    delayed = old.spectators.policy == SpectatorPolicy.DELAYED
    listing = Listing(
        old.listing.labels,
        unlisted=old.listing.unlisted or delayed,  # a list would say that the match is over
        invitation_required=True,
    )
    origin = with_fields(
        old,
        match_id=match_id_of(matches.server_key, f"\0{_OPENED}/{old.match_id}"),
        secret=draw(SECRET_BYTES),
        chain=draw(32),
        created_ms=(await matches.now()).ms,
        start_when_full=True,
        listing=listing,
        previous_match=old.match_id,
    )
    seats = [Seat()] * len(previous.seats)
    for number, seat in enumerate(previous.seats):
        free = Seat(invited=seat.account)
        seats[next_seat(previous, number)] = bot_seat(seat.name, seat.bot) if seat.bot else free
    opened = new_match(previous.game, origin, previous.setup, tuple(seats))
    match = await store_new_match(matches, opened, NO_FINGERPRINT, _OPENED)
    await carry_out(matches, previous.id, LinkRematch(match.id))
    return match.id


def next_seat(match: Match, seat: int) -> int:
    """Return the seat that the holder of *seat* gets in the rematch."""
    return (seat + 1) % len(match.seats)
