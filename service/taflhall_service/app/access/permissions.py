"""Who may do what: the one place that decides it.

Start at :data:`ROWS`: every method of the contract has a row, and what has none is refused to
everybody. The gate asks :func:`enter` before it reads a request; the use case, which knows the
match, asks :func:`authorise`, and :func:`timely` whether the match is as far as the method
needs it.

A secret is 256 random bits as text; the match keeps its SHA-256. An API key opens what its
account sits at. Who sends neither looks on.
"""

from __future__ import annotations

import hmac
import secrets
from enum import Enum
from hashlib import sha256
from typing import Final, NamedTuple

from taflhall_engine.kernel.agenda import SPECTATOR
from taflhall_service.app.access.accounts import PREFIX, Account, Accounts, Pass, Role
from taflhall_service.app.errors import (
    AccountRequired,
    AlreadyStarted,
    ApiKeyInvalid,
    Forbidden,
    MatchOver,
    NotFinished,
    NotStarted,
    NotYourSeat,
    SecretInvalid,
    SecretMissing,
    UnknownSeat,
)
from taflhall_service.app.model.match import OPEN, OVER, PLAYING, Match


class Who(Enum):
    """Whom a method is for."""

    ANYBODY = "anybody"
    SEAT = "who holds a seat of the match, or acts for one as a deputy"
    HOLDER = "who holds a seat of the match, no deputy"
    TABLE = "the match's creator, or who holds a seat of it, no deputy"
    ADMIN = "an administrator, on their own port"


ANY: Final = OVER | {OPEN, PLAYING}
BEFORE: Final = frozenset({OPEN})
DURING: Final = frozenset({PLAYING})
BEGUN: Final = OVER | {PLAYING}
AFTER: Final = OVER
LIVE: Final = frozenset({OPEN, PLAYING})


class Row(NamedTuple):
    """Who may call a method, and in which states of its match it means something."""

    who: Who
    states: frozenset[str] = ANY
    costly: bool = False
    """It takes room or work: a server that requires accounts does it for no one without."""
    barred: Role | None = None
    """Accounts of this role may not."""


ROWS: Final[dict[str, Row]] = {
    "CatalogService.ListGames": Row(Who.ANYBODY),
    "CatalogService.GetGame": Row(Who.ANYBODY),
    "EngineService.SetUpTable": Row(Who.ANYBODY, costly=True),
    "EngineService.ListOptions": Row(Who.ANYBODY, costly=True),
    "EngineService.ApplyAnswers": Row(Who.ANYBODY, costly=True),
    "EngineService.ImagineTables": Row(Who.ANYBODY, costly=True),
    "EngineService.Rollout": Row(Who.ANYBODY, costly=True),
    "MatchService.CreateMatch": Row(Who.ANYBODY, costly=True, barred=Role.BOT),
    "MatchService.JoinMatch": Row(Who.ANYBODY, BEFORE, costly=True),
    "MatchService.StartMatch": Row(Who.TABLE),
    "MatchService.GetMatch": Row(Who.ANYBODY),
    "MatchService.ListMatches": Row(Who.ANYBODY),
    "MatchService.SubmitAnswers": Row(Who.SEAT, DURING),
    "MatchService.ExplainCommand": Row(Who.SEAT, BEGUN),
    "MatchService.WatchMatch": Row(Who.ANYBODY),
    "MatchService.Play": Row(Who.SEAT),
    "MatchService.ResignSeat": Row(Who.HOLDER, DURING),
    "MatchService.LeaveMatch": Row(Who.HOLDER, BEFORE),
    "MatchService.DelegateSeat": Row(Who.HOLDER, LIVE),
    "MatchService.ReclaimSeat": Row(Who.HOLDER, LIVE),
    "MatchService.ProposeToPlayers": Row(Who.HOLDER, DURING),
    "MatchService.RespondToProposal": Row(Who.HOLDER, DURING),
    "MatchService.AbandonMatch": Row(Who.TABLE, LIVE),
    "MatchService.GetMatchRecord": Row(Who.ANYBODY, AFTER),
    "MatchService.GetMatchView": Row(Who.ANYBODY, BEGUN),
    "AdminService.CreateAccount": Row(Who.ADMIN),
    "AdminService.ListAccounts": Row(Who.ADMIN),
    "AdminService.UpdateAccount": Row(Who.ADMIN),
    "AdminService.CreateApiKey": Row(Who.ADMIN),
    "AdminService.ListApiKeys": Row(Who.ADMIN),
    "AdminService.RevokeApiKey": Row(Who.ADMIN),
    "AdminService.ListMatches": Row(Who.ADMIN),
    "AdminService.AbandonMatch": Row(Who.ADMIN, LIVE),
    "AdminService.FreezeMatch": Row(Who.ADMIN),
    "AdminService.UnfreezeMatch": Row(Who.ADMIN),
    "AdminService.RevealMatch": Row(Who.ADMIN),
    "AdminService.ListAuditEntries": Row(Who.ADMIN),
}
"""Every method, by service and name."""


class Identity:
    """What a call says of who makes it: a secret, an API key, or nothing."""

    __slots__ = ("_pass", "digest", "proven")

    def __init__(self, secret: str | None = None, key: Pass | None = None) -> None:
        self.digest: Final = digest_of(secret) if secret else b""
        """SHA-256 of the secret; empty without one."""
        self._pass: Final = key
        self.proven = False
        """The secret has opened something of a match."""

    def __enter__(self) -> None:
        """A stream is open with it."""
        if self._pass is not None:
            self._pass.holders += 1

    def __exit__(self, *_: object) -> None:
        if self._pass is not None:
            self._pass.holders -= 1

    @property
    def scope(self) -> str:
        """Where the caller's request ids count: with the secret, or with the account.

        It stays the same whatever becomes of the seats. Raise ``SecretMissing`` if the caller
        says nothing of himself, ``ApiKeyInvalid`` if his API key holds no longer.
        """
        account = self.account
        if account is not None:
            return f"account-{account.id}"
        if not self.digest:
            raise SecretMissing
        return f"secret-{self.digest.hex()[:16]}"

    @property
    def nobody(self) -> bool:
        """Whether the caller says nothing of himself."""
        return not self.digest and self._pass is None

    @property
    def key(self) -> Pass | None:
        """The API key."""
        return self._pass

    @property
    def account(self) -> Account | None:
        """Whose API key it is, or raise ``ApiKeyInvalid`` if it holds no longer."""
        if self._pass is None:
            return None
        if not self._pass.alive:
            raise ApiKeyInvalid
        return self._pass.account


NOBODY: Final = Identity()


async def identify(secret: str | None, accounts: Accounts | None) -> Identity:
    """Return who sends *secret*, or raise ``ApiKeyInvalid``."""
    if secret and accounts is not None and secret.startswith(PREFIX):
        return Identity(None, await accounts.admit(secret))
    return Identity(secret) if secret else NOBODY


class Caller(NamedTuple):
    """Who calls, as far as this match is concerned."""

    seats: tuple[int, ...]
    """The seats whose view the caller sees, lowest first: his own, and those he is deputy of."""
    creator: bool
    acting: tuple[int, ...] = ()
    """Those he answers for: not his own while a deputy does."""
    owned: tuple[int, ...] = ()
    """Those he holds himself."""
    account: str = ""
    """The caller's account; empty without one."""
    scope: str = ""
    """Where the caller's request ids count, as in :class:`Identity`."""

    @property
    def looks_on(self) -> bool:
        """Whether the caller has no part in the match and can only look on."""
        return not self.seats and not self.creator

    def seat(self, match: Match, wanted: int | None) -> int:
        """Return the seat to look from: *wanted*, else the lowest, else the spectator's."""
        if wanted is None or (wanted == SPECTATOR and not self.seats):
            return self.seats[0] if self.seats else SPECTATOR
        if wanted in self.seats or wanted == SPECTATOR:
            return wanted
        if not 0 <= wanted < len(match.roster):
            raise UnknownSeat(seat=wanted, seats=len(match.roster))
        if not self.seats and not self.account:
            raise SecretMissing
        raise NotYourSeat(seat=wanted)

    def sees(self, match: Match, wanted: int | None) -> int:
        """Return the seat to ask for: *wanted*, else the lowest; the caller sees its view."""
        seat = self.seat(match, wanted)
        if seat not in self.seats:
            raise NotYourSeat(seat=seat)
        return seat

    def own(self, match: Match, wanted: int | None) -> int:
        """Return the seat to decide about: *wanted*, else the lowest; the caller holds it."""
        if wanted is None and self.owned:
            return self.owned[0]
        seat = self.sees(match, wanted)
        if seat not in self.owned:
            raise NotYourSeat(seat=seat)
        return seat


def enter(method: str, identity: Identity, required: bool = False) -> None:
    """Raise unless *identity* may call *method* at all, whatever the match.

    With *required* what is costly needs an account.
    """
    row = ROWS.get(method)
    if row is None:
        raise Forbidden(method=method)
    account = identity.account
    if account is None:
        if row.who is Who.ADMIN or (required and row.costly):
            raise AccountRequired
    elif account.role == row.barred or (row.who is Who.ADMIN and account.role != Role.ADMIN):
        raise Forbidden(method=method)


def authorise(method: str, identity: Identity, match: Match) -> Caller:
    """Return who calls *method* on *match*, or raise why *identity* may not.

    It does not look at how far the match is: a request that is repeated gets its first answer
    whatever has become of the match. What is done anew asks :func:`timely`.
    """
    who = ROWS[method].who
    account = identity.account
    if account is not None:
        caller = _of_account(account.id, match)
        if who is not Who.ANYBODY and not _holds(caller, who):
            raise Forbidden(method=method)
        return caller._replace(scope=identity.scope)
    if not identity.digest:
        if who is not Who.ANYBODY:
            raise SecretMissing
        return Caller((), False)
    caller = _of_secret(identity, match)
    if not _holds(caller, who):
        raise SecretInvalid
    identity.proven = True
    if who in (Who.HOLDER, Who.TABLE) and not _decides(caller, who):
        raise Forbidden(method=method)
    return caller._replace(scope=identity.scope)


def onlooker(identity: Identity, match: Match) -> Caller:
    """Return who looks at *match*, if only in passing: nobody is refused."""
    if identity.account is not None:
        return _of_account(identity.account.id, match)
    return _of_secret(identity, match) if identity.digest else Caller((), False)


def _holds(caller: Caller, who: Who) -> bool:
    return bool(caller.seats) or (caller.creator and who in (Who.ANYBODY, Who.TABLE))


def _decides(caller: Caller, who: Who) -> bool:
    return bool(caller.owned) or (caller.creator and who is Who.TABLE)


def _of_account(account: str, match: Match) -> Caller:
    owned, acting = [], []
    for seat, place in enumerate(match.roster):
        if place.secret and place.account == account:
            owned.append(seat)
            if place.deputy is None:
                acting.append(seat)
    creator = match.origin.creator_account == account
    return Caller(tuple(owned), creator, tuple(acting), tuple(owned), account)


def _of_secret(identity: Identity, match: Match) -> Caller:
    owned, acting = [], []
    for seat, place in enumerate(match.roster):
        deputy = place.deputy
        if place.secret and hmac.compare_digest(place.secret, identity.digest):
            owned.append(seat)
            if deputy is None:
                acting.append(seat)
        elif deputy is not None and hmac.compare_digest(deputy.secret, identity.digest):
            acting.append(seat)
    seats = tuple(sorted({*owned, *acting}))
    creator = hmac.compare_digest(match.origin.creator, identity.digest)
    return Caller(seats, creator, tuple(acting), tuple(owned))


def timely(method: str, match: Match) -> None:
    """Raise unless *match* is as far as *method* needs it."""
    states = ROWS[method].states
    begun = match.table is not None
    if match.status in states and (begun or states not in (BEGUN, AFTER)):
        return
    if states is BEFORE and match.status == PLAYING:
        raise AlreadyStarted(match_id=match.id)
    if states is AFTER:
        raise NotFinished(match_id=match.id)
    if not begun and states not in (BEFORE, LIVE):
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
        if match.roster is not self._roster or self._identity.account is not None:
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
