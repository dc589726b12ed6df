"""Matches and callers as values: what a request makes of a match needs no server."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall_engine import registry
from taflhall_engine.champions.setup import Setup
from taflhall_engine.kernel.snapshot import dump
from taflhall_service.app.access.accounts import Account, ActiveKey, ApiKey, Role
from taflhall_service.app.access.credentials import Identity, digest_of
from taflhall_service.app.errors import Refused
from taflhall_service.app.matches.create import new_match
from taflhall_service.app.matches.seats import PERSON, PROGRAM
from taflhall_service.app.matches.start import with_table
from taflhall_service.app.matches.transaction import Change, MatchRequest
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Deputy, Origin, Seat
from taflhall_service.app.ports.match_store import FINGERPRINT_BYTES, Version, change_id_of

GAME = registry.game("champions")
NOW = Moment(5000)
FINGERPRINT = b"f" * FINGERPRINT_BYTES
CREATOR = "host"
"""The secret of the creator of every match here."""
LIMITS = Limits(match_changes=10, match_commands=20)


def caller(secret: str) -> Identity:
    return Identity(secret)


def account(name: str, role: Role = Role.PLAYER) -> Identity:
    """Return the caller with a key of the account *name*."""
    held = Account(name, name.title(), role, False, 0)
    return Identity(None, ActiveKey(ApiKey("key", name, b"", 0), held, 0.0))


def seat(name: str, **fields: Any) -> Seat:
    """Return a seat that the secret *name* opens."""
    return Seat(name.title(), PERSON, digest_of(name), **fields)


def bot(name: str = "Robot") -> Seat:
    return Seat(name, PROGRAM, digest_of("nobody knows"), bot="random")


def deputy(name: str) -> Deputy:
    return Deputy(name.title(), PERSON, digest_of(name))


def open_match(*seats: Seat, changes: int = 1, **origin: Any) -> Match:
    """Return a match that has not started."""
    setup = Setup(len(seats))
    given: dict[str, Any] = {"title": "", "start_when_full": False, **origin}
    made = Origin(
        "match",
        GAME.id,
        GAME.version,
        GAME.data_digest,
        dump(setup),
        b"s" * 32,
        b"k" * 32,
        digest_of(CREATOR),
        created_ms=1000,
        **given,
    )
    return changed_often(new_match(GAME, made, setup, seats), changes)


def playing(*seats: Seat, changes: int = 1, **origin: Any) -> Match:
    """Return a match that has just started."""
    return with_table(open_match(*seats, changes=changes, **origin), Moment(2000))


def changed_often(match: Match, changes: int) -> Match:
    """Return *match* as if it had been changed that often."""
    return match.replaced(
        version=Version(match.revision, match.version.head, change_id_of(changes, 7))
    )


def prepared(request: MatchRequest, match: Match, now: Moment = NOW) -> Change:
    """Return the change that *request* makes of *match*."""
    change = request.prepare(match, request.authorize(match), now)
    assert change is not None
    return change


def does_nothing(request: MatchRequest, match: Match, now: Moment = NOW) -> bool:
    """Return whether *request* finds that there is nothing to do."""
    return request.prepare(match, request.authorize(match), now) is None


def refusal(request: MatchRequest, match: Match, now: Moment = NOW) -> tuple[str, dict[str, str]]:
    """Return why *request* is refused, and what it says about that."""
    with pytest.raises(Refused) as caught:
        request.prepare(match, request.authorize(match), now)
    return type(caught.value).__name__, caught.value.metadata
