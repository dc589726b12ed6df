"""Let a bot of the server take a seat.

The seat says which bot holds it, so any server can answer for it (``jobs/deadlines.py``). Nobody
knows the secret of such a seat.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from taflhall_service.app import errors
from taflhall_service.app.access.credentials import Identity, digest_of
from taflhall_service.app.access.permissions import Action, Caller, authorize, require_status
from taflhall_service.app.matches.invitations import unreserved_seat
from taflhall_service.app.matches.seats import PROGRAM, is_named, name_for, require_changes_left
from taflhall_service.app.matches.start import with_players
from taflhall_service.app.matches.transaction import Change
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Seat


@dataclass(frozen=True, slots=True)
class AddBot:
    """A request of the creator to let a bot of the server take a seat."""

    identity: Identity
    bot: str
    seat: int | None
    """``None``: the lowest one that is free and not reserved."""
    name: str
    """Empty: the bot's id, with a number where that name is taken."""
    request_id: str
    fingerprint: bytes
    limits: Limits

    def authorize(self, match: Match) -> Caller:
        return authorize(Action.ADD_BOT, self.identity, match)

    def key(self, match: Match, caller: Caller) -> str:
        return caller.key(self.request_id)

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change:
        require_status(Action.ADD_BOT, match)
        if self.bot not in self.limits.bots:
            raise errors.BotNotFound(bot_id=self.bot[:64])
        require_changes_left(match, self.limits.match_changes)
        number = unreserved_seat(match, self.seat)
        if all(seat.bot for n, seat in enumerate(match.seats) if n != number):
            raise errors.PlayerRequired(match_id=match.id)
        if self.name and is_named(match, self.name):
            raise errors.NameTaken(name=self.name)
        name = self.name or name_for(match, self.bot)
        held = bot_seat(name, self.bot)
        seats = tuple(held if n == number else old for n, old in enumerate(match.seats))
        return with_players(match, seats, now)


def bot_seat(name: str, bot: str) -> Seat:
    """Return a seat that *bot* holds under *name*."""
    return Seat(name, PROGRAM, digest_of(secrets.token_hex(32)), bot=bot)
