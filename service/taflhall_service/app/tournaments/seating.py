"""Opens the matches of a tournament, and seats its entrants."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import ClassVar, Final

from taflhall_engine.kernel.meta_commands import RESIGN
from taflhall_service.app.access.credentials import ANONYMOUS, digest_of
from taflhall_service.app.access.permissions import Caller
from taflhall_service.app.matches.create import CreateMatch, create, match_id_of
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.start import with_table
from taflhall_service.app.matches.table_update import TableUpdate, clock_fields, table_fields
from taflhall_service.app.matches.transaction import NO_FINGERPRINT, SERVER, Change, act
from taflhall_service.app.model import codec
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.match import OPEN, PLAYING, Match
from taflhall_service.app.model.records import Seat
from taflhall_service.app.tournaments.model import Tournament
from taflhall_service.app.tournaments.schedule import Pairing

LABEL: Final = "tournament"
"""The label by which lists find the matches of a tournament: its id."""


def match_id(server_key: bytes, tournament: Tournament, pairing: Pairing) -> str:
    """Return the id of the match of *pairing*: always the same one for the same try."""
    return match_id_of(server_key, _request_id(server_key, tournament, pairing))


async def seat(matches: Matches, tournament: Tournament, pairing: Pairing) -> None:
    """Open and start the match of *pairing*, as far as that has not been done."""
    request_id = _request_id(matches.server_key, tournament, pairing)
    created = await create(
        matches,
        CreateMatch(
            ANONYMOUS,
            tournament.rules,
            tournament.laid_out(),
            tournament.name,
            False,
            request_id,
            NO_FINGERPRINT,
            tournament.time_control,
            labels={LABEL: tournament.id},
            invitation_required=True,  # nobody sits down before the entrants
            matchmade=True,
        ),
    )
    seats = []
    for number, account in enumerate(pairing.accounts):
        entrant = tournament.entrant(account)
        assert entrant is not None
        closed = digest_of(f"{request_id}/{number}")  # an account opens the seat, and no secret
        seats.append(Seat(entrant.name, entrant.kind, closed, account=account))
    await act(matches, created.match.id, SeatEntrants(tuple(seats)))


@dataclass(frozen=True, slots=True)
class SeatEntrants:
    """The server puts the entrants on their seats and starts the match."""

    seats: tuple[Seat, ...]
    request_id: ClassVar[str] = ""
    fingerprint: ClassVar[bytes] = NO_FINGERPRINT

    def authorize(self, match: Match) -> Caller:
        return SERVER

    def key(self, match: Match, caller: Caller) -> str:
        return "seat-entrants:"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change | None:
        if match.status != OPEN:
            return None
        after = with_table(match.changed(seats=self.seats), now)
        fields = {"seats": codec.encode(self.seats)}
        return Change(after, fields | table_fields(after) | clock_fields(after, now))


@dataclass(frozen=True, slots=True)
class ResignEntrant:
    """The server resigns the first seat of an account that has withdrawn and still plays."""

    account: str
    request_id: ClassVar[str] = ""
    fingerprint: ClassVar[bytes] = NO_FINGERPRINT

    def authorize(self, match: Match) -> Caller:
        return SERVER

    def key(self, match: Match, caller: Caller) -> str:
        return f"resign-entrant:{self.account}:{match.revision}"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change | None:
        if match.status != PLAYING:
            return None
        for number, seat in enumerate(match.seats):
            if seat.account == self.account and number not in match.withdrawn.seats:
                update = TableUpdate(match, now)
                update.do(number, RESIGN)
                return update.to_change()
        return None


def _request_id(server_key: bytes, tournament: Tournament, pairing: Pairing) -> str:
    """Return the request id under which the match is created; nobody else can know it."""
    text = f"tournament/{tournament.id}/{pairing.index}"
    if pairing.tries:
        text += f"/{pairing.tries}"
    return hmac.digest(server_key, text.encode(), "sha256")[:16].hex()
