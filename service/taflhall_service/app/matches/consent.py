"""The seats whose consent decides about a match, and those a proposal still needs."""

from __future__ import annotations

from collections.abc import Collection

from taflhall_service.app.access.permissions import Caller
from taflhall_service.app.errors import Forbidden
from taflhall_service.app.model.clocks import ABSENT_AFTER
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Proposal


def deciding_seats(match: Match, caller: Caller) -> tuple[int, ...]:
    """Return the seats that *caller* decides about, or raise ``Forbidden`` if there are none."""
    seats = tuple(seat for seat in caller.owned if seat not in match.withdrawn.seats)
    if not seats:
        raise Forbidden
    return seats


def missing_consents(match: Match, agreed: Collection[int]) -> list[int]:
    """Return the seats that have to agree too: those that play, and not the server for them."""
    absent = [False] * len(match.seats)
    if match.clocks is not None:
        absent = [clock.missed >= ABSENT_AFTER for clock in match.clocks.seats]
    return [
        number
        for number, seat in enumerate(match.seats)
        if not (
            number in agreed or number in match.withdrawn.seats or seat.automatic or absent[number]
        )
    ]


def needs_consent(match: Match, proposal: Proposal, own: Collection[int]) -> bool:
    """Return whether any of the seats *own* still has to agree to *proposal*."""
    return any(seat in own for seat in missing_consents(match, proposal.agreed))
