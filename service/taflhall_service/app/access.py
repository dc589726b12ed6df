"""Who may do what: the one place that decides it.

Start at :data:`ROWS`: every method of the contract has a row, and what has none is refused to
everybody. The gate asks :func:`enter` before it reads a request; the use case, which knows the
match, asks :func:`authorise`, and :func:`timely` whether the match is as far as the method
needs it.

A secret is 256 random bits as text; the match keeps its SHA-256. Who sends none looks on.
"""

from __future__ import annotations

import hmac
import secrets
from enum import Enum
from hashlib import sha256
from typing import Final, NamedTuple

from taflhall_engine.kernel.agenda import SPECTATOR
from taflhall_service.app.errors import (
    AlreadyStarted,
    Forbidden,
    MatchOver,
    NotFinished,
    NotStarted,
    NotYourSeat,
    SecretMissing,
    SecretWrong,
    UnknownSeat,
)
from taflhall_service.app.match import OPEN, OVER, PLAYING, Match


class Who(Enum):
    """Whom a method is for."""

    ANYBODY = "anybody"
    SEAT = "who holds a seat of the match"
    TABLE = "the match's creator, or who holds a seat of it"


ANY: Final = OVER | {OPEN, PLAYING}
BEFORE: Final = frozenset({OPEN})
DURING: Final = frozenset({PLAYING})
BEGUN: Final = OVER | {PLAYING}
AFTER: Final = OVER


class Row(NamedTuple):
    """Who may call a method, and in which states of its match it means something."""

    who: Who
    states: frozenset[str] = ANY


ROWS: Final[dict[str, Row]] = {
    "CatalogService.ListGames": Row(Who.ANYBODY),
    "CatalogService.GetGame": Row(Who.ANYBODY),
    "EngineService.SetUp": Row(Who.ANYBODY),
    "EngineService.Options": Row(Who.ANYBODY),
    "EngineService.Apply": Row(Who.ANYBODY),
    "EngineService.Imagine": Row(Who.ANYBODY),
    "EngineService.RollOut": Row(Who.ANYBODY),
    "MatchService.Create": Row(Who.ANYBODY),
    "MatchService.Join": Row(Who.ANYBODY, BEFORE),
    "MatchService.Start": Row(Who.TABLE),
    "MatchService.Get": Row(Who.ANYBODY),
    "MatchService.List": Row(Who.ANYBODY),
    "MatchService.Submit": Row(Who.SEAT, DURING),
    "MatchService.Explain": Row(Who.SEAT, BEGUN),
    "MatchService.Watch": Row(Who.ANYBODY),
    "MatchService.Play": Row(Who.SEAT),
    "MatchService.Resign": Row(Who.SEAT, DURING),
    "MatchService.GetRecord": Row(Who.ANYBODY, AFTER),
    "MatchService.GetView": Row(Who.ANYBODY, BEGUN),
}
"""Every method, by service and name."""


class Identity:
    """What a call says of who makes it: a secret, or nothing."""

    __slots__ = ("digest",)

    def __init__(self, secret: str | None = None) -> None:
        self.digest: Final = digest_of(secret) if secret else b""
        """SHA-256 of the secret; empty without one."""


NOBODY: Final = Identity()


class Caller(NamedTuple):
    """Who calls, as far as this match is concerned."""

    seats: tuple[int, ...]
    """The seats that the caller holds, lowest first."""
    creator: bool

    @property
    def scope(self) -> str:
        """Where the caller's request ids count: with the lowest of his seats."""
        return str(self.seats[0]) if self.seats else "creator"

    def seat(self, match: Match, wanted: int | None) -> int:
        """Return the seat to look from: *wanted*, else the lowest, else the spectator's."""
        if wanted is None or (wanted == SPECTATOR and not self.seats):
            return self.seats[0] if self.seats else SPECTATOR
        if wanted in self.seats or wanted == SPECTATOR:
            return wanted
        if not 0 <= wanted < len(match.roster):
            raise UnknownSeat(seat=wanted, seats=len(match.roster))
        if not self.seats:
            raise SecretMissing
        raise NotYourSeat(seat=wanted)

    def own(self, match: Match, wanted: int | None) -> int:
        """Return the seat to act for: *wanted*, else the lowest; the caller holds it."""
        seat = self.seat(match, wanted)
        if seat not in self.seats:
            raise NotYourSeat(seat=seat)
        return seat


def enter(method: str, identity: Identity) -> None:  # noqa: ARG001
    """Raise unless *identity* may call *method* at all, whatever the match."""
    if method not in ROWS:
        raise Forbidden(method=method)


def authorise(method: str, identity: Identity, match: Match) -> Caller:
    """Return who calls *method* on *match*, or raise why *identity* may not.

    It does not look at how far the match is: a request that is repeated gets its first answer
    whatever has become of the match. What is done anew asks :func:`timely`.
    """
    who = ROWS[method].who
    if not identity.digest:
        if who is not Who.ANYBODY:
            raise SecretMissing
        return Caller((), False)
    caller = _caller(identity, match)
    if not caller.seats and not (caller.creator and who is not Who.SEAT):
        raise SecretWrong
    return caller


def _caller(identity: Identity, match: Match) -> Caller:
    seats = tuple(
        seat
        for seat, place in enumerate(match.roster)
        if place.secret and hmac.compare_digest(place.secret, identity.digest)
    )
    return Caller(seats, hmac.compare_digest(match.origin.creator, identity.digest))


def timely(method: str, match: Match) -> None:
    """Raise unless *match* is as far as *method* needs it."""
    states = ROWS[method].states
    if match.status in states:
        return
    if states is BEFORE and match.status == PLAYING:
        raise AlreadyStarted(match_id=match.id)
    if states is AFTER:
        raise NotFinished(match_id=match.id)
    if match.status == OPEN:
        raise NotStarted(match_id=match.id)
    raise MatchOver(match_id=match.id)


class Claim:
    """What a caller claims, judged once as long as nobody else sits down."""

    __slots__ = ("_caller", "_identity", "_method", "_roster")

    def __init__(self, method: str, identity: Identity) -> None:
        self._method = method
        self._identity = identity
        self._roster: object = None
        self._caller = Caller((), False)

    def admit(self, match: Match) -> Caller:
        """Return who calls, or raise as :func:`authorise` does."""
        if match.roster is not self._roster:
            self._caller = authorise(self._method, self._identity, match)
            self._roster = match.roster
        return self._caller


def new_secret() -> str:
    return secrets.token_urlsafe(32)


def digest_of(secret: str) -> bytes:
    """Return what is kept of a secret."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()


def hide(secret: str, request_id: str, salt: bytes) -> bytes:
    """Return *secret* so that only who knows the *request_id* can read it again."""
    pad = hmac.digest(request_id.encode(), b"secret" + salt, "sha512")
    return bytes(a ^ b for a, b in zip(secret.encode(), pad, strict=False))


def reveal(hidden: bytes, request_id: str, salt: bytes) -> str:
    """Return the secret that :func:`hide` hid."""
    pad = hmac.digest(request_id.encode(), b"secret" + salt, "sha512")
    return bytes(a ^ b for a, b in zip(hidden, pad, strict=False)).decode("ascii", "replace")
