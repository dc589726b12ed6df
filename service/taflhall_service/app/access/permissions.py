"""Permissions: who may do what. This is the one place that decides it.

Start at :data:`PERMISSIONS`: every method of the contract has a row; a method without one is
refused to everybody. :func:`enter` is asked before a request is read; the use case, which knows
the match, asks :func:`authorize`, and :func:`require_status` whether the match is in a status
that the method needs.

A caller without a secret or API key is a spectator.
"""

from __future__ import annotations

import hmac
from enum import Enum
from typing import Final, NamedTuple

from taflhall_engine.kernel.agenda import SPECTATOR
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.errors import (
    AccountRequired,
    AlreadyStarted,
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


PERMISSIONS: Final[dict[str, Row]] = {
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
    def is_spectator(self) -> bool:
        """Whether the caller has no part in the match and can only look on."""
        return not self.seats and not self.creator

    def seat(self, match: Match, wanted: int | None) -> int:
        """Return the seat to look from: *wanted*, else the lowest, else the spectator's."""
        if wanted is None or (wanted == SPECTATOR and not self.seats):
            return self.seats[0] if self.seats else SPECTATOR
        if wanted in self.seats or wanted == SPECTATOR:
            return wanted
        if not 0 <= wanted < len(match.seats):
            raise UnknownSeat(seat=wanted, seats=len(match.seats))
        if not self.seats and not self.account:
            raise SecretMissing
        raise NotYourSeat(seat=wanted)

    def require_visible(self, match: Match, wanted: int | None) -> int:
        """Return the seat to ask for: *wanted*, else the lowest; the caller sees its view."""
        seat = self.seat(match, wanted)
        if seat not in self.seats:
            raise NotYourSeat(seat=seat)
        return seat

    def require_owned(self, match: Match, wanted: int | None) -> int:
        """Return the seat to decide about: *wanted*, else the lowest; the caller holds it."""
        if wanted is None and self.owned:
            return self.owned[0]
        seat = self.require_visible(match, wanted)
        if seat not in self.owned:
            raise NotYourSeat(seat=seat)
        return seat


def enter(method: str, identity: Identity, required: bool = False) -> None:
    """Raise unless *identity* may call *method* at all, whatever the match.

    With *required* what is costly needs an account.
    """
    row = PERMISSIONS.get(method)
    if row is None:
        raise Forbidden(method=method)
    account = identity.account
    if account is None:
        if row.who is Who.ADMIN or (required and row.costly):
            raise AccountRequired
    elif account.role == row.barred or (row.who is Who.ADMIN and account.role != Role.ADMIN):
        raise Forbidden(method=method)


def authorize(method: str, identity: Identity, match: Match) -> Caller:
    """Return who calls *method* on *match*, or raise why *identity* may not.

    It does not look at how far the match is: a request that is repeated gets its first answer
    whatever has become of the match. What is done anew asks :func:`require_status`.
    """
    who = PERMISSIONS[method].who
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


def caller_or_spectator(identity: Identity, match: Match) -> Caller:
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
    for seat, place in enumerate(match.seats):
        if place.secret and place.account == account:
            owned.append(seat)
            if place.deputy is None:
                acting.append(seat)
    creator = match.origin.creator_account == account
    return Caller(tuple(owned), creator, tuple(acting), tuple(owned), account)


def _of_secret(identity: Identity, match: Match) -> Caller:
    owned, acting = [], []
    for seat, place in enumerate(match.seats):
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


def require_status(method: str, match: Match) -> None:
    """Raise unless *match* is as far as *method* needs it."""
    states = PERMISSIONS[method].states
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


class CachedCaller:
    """What a caller claims, judged once as long as nobody else sits down."""

    __slots__ = ("_caller", "_identity", "_method", "_seats")

    def __init__(self, method: str, identity: Identity) -> None:
        self._method = method
        self._identity = identity
        self._seats: object = None
        self._caller = Caller((), False)

    def admit(self, match: Match) -> Caller:
        """Return who calls, or raise as :func:`authorize` does."""
        if match.seats is not self._seats or self._identity.account is not None:
            self._caller = authorize(self._method, self._identity, match)
            self._seats = match.seats
        return self._caller
