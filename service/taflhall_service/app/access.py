"""Who may do what: the one place that decides it.

A secret is 256 random bits as text; the match keeps its SHA-256. Who sends none looks on.
"""

from __future__ import annotations

import hmac
import secrets
from enum import Enum
from hashlib import sha256
from typing import NamedTuple

from taflhall_engine.kernel.agenda import SPECTATOR
from taflhall_service.app.errors import (
    NotYourSeat,
    SecretMissing,
    SecretWrong,
    UnknownSeat,
)
from taflhall_service.app.match import Match


class Need(Enum):
    """What a call needs its caller to be."""

    NOTHING = "anybody"
    SEAT = "the holder of a seat"
    TABLE = "the creator, or the holder of a seat"


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


def admit(match: Match, secret: str | None, need: Need) -> Caller:
    """Return who calls, or raise ``SecretMissing`` or ``SecretWrong``."""
    if not secret:
        if need is not Need.NOTHING:
            raise SecretMissing
        return Caller((), False)
    digest = digest_of(secret)
    seats = tuple(
        seat
        for seat, place in enumerate(match.roster)
        if place.secret and hmac.compare_digest(place.secret, digest)
    )
    creator = hmac.compare_digest(match.origin.creator, digest)
    if not seats and not (creator and need is not Need.SEAT):
        raise SecretWrong
    return Caller(seats, creator)


class Claim:
    """What a caller claims with a secret, judged once as long as nobody else sits down."""

    __slots__ = ("_caller", "_roster", "_secret")

    def __init__(self, secret: str | None) -> None:
        self._secret = secret
        self._roster: object = None
        self._caller = Caller((), False)

    def admit(self, match: Match, need: Need) -> Caller:
        """Return who calls, or raise as :func:`admit` does."""
        if match.roster is not self._roster:
            self._caller = admit(match, self._secret, need)
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
