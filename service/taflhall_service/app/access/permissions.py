"""Permissions: which caller may take which action. They are decided only here.

Start at :data:`PERMISSIONS`: every :class:`Action` has a row; one without a row is refused
to everybody. :func:`enter` is asked before a request is read; the use case, which knows
the match, asks :func:`authorize`, and :func:`require_status` whether the match is in a status
that the action needs.

A caller without a secret or API key is a spectator.
"""

from __future__ import annotations

import hmac
from enum import Enum
from typing import Final, NamedTuple

from taflhall_engine.kernel.agenda import SPECTATOR
from taflhall_service.app.access.accounts import Account, Role
from taflhall_service.app.access.credentials import Identity, request_key
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


class Action(Enum):
    """An action that a caller may request."""

    __hash__ = object.__hash__  # that of an enum is written in Python

    LIST_GAMES = "list_games"
    GET_GAME = "get_game"
    SET_UP_TABLE = "set_up_table"
    LIST_OPTIONS = "list_options"
    APPLY_ANSWERS = "apply_answers"
    IMAGINE_TABLES = "imagine_tables"
    ROLLOUT = "rollout"
    ANALYSE_RECORD = "analyse_record"
    CREATE_MATCH = "create_match"
    JOIN_MATCH = "join_match"
    START_MATCH = "start_match"
    GET_MATCH = "get_match"
    LIST_MATCHES = "list_matches"
    SUBMIT_ANSWERS = "submit_answers"
    EXPLAIN_COMMAND = "explain_command"
    WATCH_MATCH = "watch_match"
    PLAY = "play"
    PLAY_ALL = "play_all"
    RESIGN_SEAT = "resign_seat"
    LEAVE_MATCH = "leave_match"
    DELEGATE_SEAT = "delegate_seat"
    RECLAIM_SEAT = "reclaim_seat"
    WATCH_LOBBY = "watch_lobby"
    FIND_MATCH = "find_match"
    INVITE_TO_MATCH = "invite_to_match"
    DECLINE_INVITATION = "decline_invitation"
    REMOVE_PLAYER = "remove_player"
    ADD_BOT = "add_bot"
    JOIN_REMATCH = "join_rematch"
    SEND_REACTION = "send_reaction"
    PROPOSE_TO_PLAYERS = "propose_to_players"
    RESPOND_TO_PROPOSAL = "respond_to_proposal"
    ABANDON_MATCH = "abandon_match"
    GET_MATCH_RECORD = "get_match_record"
    GET_MATCH_VIEW = "get_match_view"
    LIST_MATCH_EVENTS = "list_match_events"
    CREATE_TOURNAMENT = "create_tournament"
    GET_TOURNAMENT = "get_tournament"
    LIST_TOURNAMENTS = "list_tournaments"
    ENTER_TOURNAMENT = "enter_tournament"
    WITHDRAW_FROM_TOURNAMENT = "withdraw_from_tournament"
    START_TOURNAMENT = "start_tournament"
    CANCEL_TOURNAMENT = "cancel_tournament"
    WATCH_TOURNAMENT = "watch_tournament"
    GET_TOURNAMENT_STANDINGS = "get_tournament_standings"
    LIST_TOURNAMENT_MATCHES = "list_tournament_matches"
    ADMIN_CREATE_ACCOUNT = "admin_create_account"
    ADMIN_LIST_ACCOUNTS = "admin_list_accounts"
    ADMIN_UPDATE_ACCOUNT = "admin_update_account"
    ADMIN_CREATE_API_KEY = "admin_create_api_key"
    ADMIN_LIST_API_KEYS = "admin_list_api_keys"
    ADMIN_REVOKE_API_KEY = "admin_revoke_api_key"
    ADMIN_LIST_MATCHES = "admin_list_matches"
    ADMIN_ABANDON_MATCH = "admin_abandon_match"
    ADMIN_FREEZE_MATCH = "admin_freeze_match"
    ADMIN_UNFREEZE_MATCH = "admin_unfreeze_match"
    ADMIN_LIST_DAMAGED_MATCHES = "admin_list_damaged_matches"
    ADMIN_REVEAL_MATCH = "admin_reveal_match"
    ADMIN_LIST_AUDIT_ENTRIES = "admin_list_audit_entries"


class CallerKind(Enum):
    """The callers that an action is for."""

    ANYBODY = "anybody"
    SEAT = "a holder or deputy of a seat of the match"
    HOLDER = "a holder of a seat of the match, not a deputy"
    TABLE = "the match's creator or a holder of a seat, not a deputy"
    CREATOR = "the match's creator"
    ACCOUNT = "an account"
    HOST = "an account that hosts, or an administrator's"
    ADMIN = "an administrator, on their own port"


ANY: Final = OVER | {OPEN, PLAYING}
BEFORE: Final = frozenset({OPEN})
DURING: Final = frozenset({PLAYING})
BEGUN: Final = OVER | {PLAYING}
AFTER: Final = OVER
LIVE: Final = frozenset({OPEN, PLAYING})


class PermissionRow(NamedTuple):
    """Who may do an action, and in which statuses of its match it means something."""

    who: CallerKind
    states: frozenset[str] = ANY
    costly: bool = False
    """It takes memory or work: a server that requires accounts refuses it without one."""
    barred: Role | None = None
    """Accounts of this role may not."""


PERMISSIONS: Final[dict[Action, PermissionRow]] = {
    Action.LIST_GAMES: PermissionRow(CallerKind.ANYBODY),
    Action.GET_GAME: PermissionRow(CallerKind.ANYBODY),
    Action.SET_UP_TABLE: PermissionRow(CallerKind.ANYBODY, costly=True),
    Action.LIST_OPTIONS: PermissionRow(CallerKind.ANYBODY, costly=True),
    Action.APPLY_ANSWERS: PermissionRow(CallerKind.ANYBODY, costly=True),
    Action.IMAGINE_TABLES: PermissionRow(CallerKind.ANYBODY, costly=True),
    Action.ROLLOUT: PermissionRow(CallerKind.ANYBODY, costly=True),
    Action.ANALYSE_RECORD: PermissionRow(CallerKind.ANYBODY, costly=True),
    Action.CREATE_MATCH: PermissionRow(CallerKind.ANYBODY, costly=True, barred=Role.BOT),
    Action.JOIN_MATCH: PermissionRow(CallerKind.ANYBODY, BEFORE, costly=True),
    Action.START_MATCH: PermissionRow(CallerKind.TABLE),
    Action.GET_MATCH: PermissionRow(CallerKind.ANYBODY),
    Action.LIST_MATCHES: PermissionRow(CallerKind.ANYBODY),
    Action.SUBMIT_ANSWERS: PermissionRow(CallerKind.SEAT, DURING),
    Action.EXPLAIN_COMMAND: PermissionRow(CallerKind.SEAT, BEGUN),
    Action.WATCH_MATCH: PermissionRow(CallerKind.ANYBODY),
    Action.PLAY: PermissionRow(CallerKind.SEAT),
    Action.PLAY_ALL: PermissionRow(CallerKind.ANYBODY),
    Action.RESIGN_SEAT: PermissionRow(CallerKind.HOLDER, DURING),
    Action.LEAVE_MATCH: PermissionRow(CallerKind.HOLDER, BEFORE),
    Action.DELEGATE_SEAT: PermissionRow(CallerKind.HOLDER, LIVE),
    Action.RECLAIM_SEAT: PermissionRow(CallerKind.HOLDER, LIVE),
    Action.WATCH_LOBBY: PermissionRow(CallerKind.ANYBODY),
    Action.FIND_MATCH: PermissionRow(CallerKind.ANYBODY, costly=True, barred=Role.BOT),
    Action.INVITE_TO_MATCH: PermissionRow(CallerKind.CREATOR, BEFORE),
    Action.DECLINE_INVITATION: PermissionRow(CallerKind.ANYBODY),
    Action.REMOVE_PLAYER: PermissionRow(CallerKind.CREATOR, BEFORE),
    Action.ADD_BOT: PermissionRow(CallerKind.CREATOR, BEFORE, costly=True),
    Action.JOIN_REMATCH: PermissionRow(CallerKind.HOLDER, AFTER, costly=True),
    Action.SEND_REACTION: PermissionRow(CallerKind.SEAT, LIVE),
    Action.PROPOSE_TO_PLAYERS: PermissionRow(CallerKind.HOLDER, DURING),
    Action.RESPOND_TO_PROPOSAL: PermissionRow(CallerKind.HOLDER, DURING),
    Action.ABANDON_MATCH: PermissionRow(CallerKind.TABLE, LIVE),
    Action.GET_MATCH_RECORD: PermissionRow(CallerKind.ANYBODY, AFTER),
    Action.GET_MATCH_VIEW: PermissionRow(CallerKind.ANYBODY, BEGUN),
    Action.LIST_MATCH_EVENTS: PermissionRow(CallerKind.ANYBODY, BEGUN),
    Action.CREATE_TOURNAMENT: PermissionRow(CallerKind.HOST, costly=True),
    Action.GET_TOURNAMENT: PermissionRow(CallerKind.ANYBODY),
    Action.LIST_TOURNAMENTS: PermissionRow(CallerKind.ANYBODY),
    Action.ENTER_TOURNAMENT: PermissionRow(CallerKind.ACCOUNT, costly=True),
    Action.WITHDRAW_FROM_TOURNAMENT: PermissionRow(CallerKind.ACCOUNT, costly=True),
    Action.START_TOURNAMENT: PermissionRow(CallerKind.HOST, costly=True),
    Action.CANCEL_TOURNAMENT: PermissionRow(CallerKind.HOST, costly=True),
    Action.WATCH_TOURNAMENT: PermissionRow(CallerKind.ANYBODY),
    Action.GET_TOURNAMENT_STANDINGS: PermissionRow(CallerKind.ANYBODY),
    Action.LIST_TOURNAMENT_MATCHES: PermissionRow(CallerKind.ANYBODY),
    Action.ADMIN_CREATE_ACCOUNT: PermissionRow(CallerKind.ADMIN),
    Action.ADMIN_LIST_ACCOUNTS: PermissionRow(CallerKind.ADMIN),
    Action.ADMIN_UPDATE_ACCOUNT: PermissionRow(CallerKind.ADMIN),
    Action.ADMIN_CREATE_API_KEY: PermissionRow(CallerKind.ADMIN),
    Action.ADMIN_LIST_API_KEYS: PermissionRow(CallerKind.ADMIN),
    Action.ADMIN_REVOKE_API_KEY: PermissionRow(CallerKind.ADMIN),
    Action.ADMIN_LIST_MATCHES: PermissionRow(CallerKind.ADMIN),
    Action.ADMIN_ABANDON_MATCH: PermissionRow(CallerKind.ADMIN, LIVE),
    Action.ADMIN_FREEZE_MATCH: PermissionRow(CallerKind.ADMIN),
    Action.ADMIN_UNFREEZE_MATCH: PermissionRow(CallerKind.ADMIN),
    Action.ADMIN_LIST_DAMAGED_MATCHES: PermissionRow(CallerKind.ADMIN),
    Action.ADMIN_REVEAL_MATCH: PermissionRow(CallerKind.ADMIN),
    Action.ADMIN_LIST_AUDIT_ENTRIES: PermissionRow(CallerKind.ADMIN),
}
"""Every action."""


_ROLES: Final = {
    CallerKind.ACCOUNT: frozenset(Role),
    CallerKind.HOST: frozenset({Role.HOST, Role.ADMIN}),
    CallerKind.ADMIN: frozenset({Role.ADMIN}),
}
"""The roles of the accounts that an action is for, where it is for accounts."""

_FOR_KEYS: Final = frozenset(
    {
        Action.LIST_GAMES,
        Action.GET_GAME,
        Action.SET_UP_TABLE,
        Action.LIST_OPTIONS,
        Action.APPLY_ANSWERS,
        Action.IMAGINE_TABLES,
        Action.ROLLOUT,
        Action.ANALYSE_RECORD,
        Action.CREATE_MATCH,
        Action.PLAY_ALL,
        Action.FIND_MATCH,
        Action.CREATE_TOURNAMENT,
        Action.GET_TOURNAMENT,
        Action.LIST_TOURNAMENTS,
        Action.ENTER_TOURNAMENT,
        Action.WITHDRAW_FROM_TOURNAMENT,
        Action.START_TOURNAMENT,
        Action.CANCEL_TOURNAMENT,
        Action.WATCH_TOURNAMENT,
        Action.GET_TOURNAMENT_STANDINGS,
        Action.LIST_TOURNAMENT_MATCHES,
    }
)
"""Actions for which a match's secret means nothing. One is ignored, since clients send it with
every call; anything else in its place was meant as an API key."""

_FOR_CREATOR: Final = (CallerKind.ANYBODY, CallerKind.TABLE, CallerKind.CREATOR)
_DECIDING: Final = (CallerKind.HOLDER, CallerKind.TABLE, CallerKind.CREATOR)


class Caller(NamedTuple):
    """A caller in relation to one match."""

    seats: tuple[int, ...]
    """The seats whose view the caller sees, lowest first: those held and those deputised for."""
    creator: bool
    acting: tuple[int, ...] = ()
    """The seats that the caller answers for: not their own while a deputy does."""
    owned: tuple[int, ...] = ()
    """The seats that the caller holds."""
    account: str = ""
    """The caller's account; empty without one."""
    scope: str = ""
    """The scope of the caller's request ids, as in :class:`Identity`."""
    invited: bool = False
    """A seat is reserved for the caller's account."""

    def key(self, request_id: str) -> str:
        """Return the key under which the caller's request is remembered."""
        return request_key(self.scope, request_id)

    @property
    def is_spectator(self) -> bool:
        """Whether the caller is only a spectator of the match."""
        return not (self.seats or self.creator or self.invited)

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


def account_of(identity: Identity) -> Account:
    """Return the caller's account, or raise ``AccountRequired``."""
    if identity.account is None:
        raise AccountRequired
    return identity.account


def enter(action: Action, identity: Identity, required: bool = False) -> None:
    """Raise unless *identity* may take *action*, regardless of the match.

    With *required*, costly actions need an account.
    """
    row = PERMISSIONS.get(action)
    if row is None:
        raise Forbidden
    if identity.misshapen and action in _FOR_KEYS:
        raise ApiKeyInvalid
    account = identity.account
    if account is None:
        if row.who in _ROLES or (required and row.costly):
            raise AccountRequired
    elif account.role == row.barred or account.role not in _ROLES.get(row.who, frozenset(Role)):
        raise Forbidden


def authorize(action: Action, identity: Identity, match: Match) -> Caller:
    """Return the caller of *action* on *match*, or raise why *identity* may not take it.

    The match's status is not checked, because a repeated request gets its first answer in any
    status. A new request also passes :func:`require_status`.
    """
    who = PERMISSIONS[action].who
    account = identity.account
    if account is not None:
        caller = _of_account(account.id, match, identity.scope)
        if who is not CallerKind.ANYBODY and not _holds(caller, who):
            raise Forbidden
        if who is CallerKind.CREATOR and not caller.creator:
            raise Forbidden
        return caller
    if not identity.digest:
        if who is not CallerKind.ANYBODY:
            raise SecretMissing
        return Caller((), False)
    caller = _of_secret(identity, match, identity.scope)
    if not _holds(caller, who):
        raise SecretInvalid
    identity.proven = True
    if who in _DECIDING and not _decides(caller, who):
        raise Forbidden
    return caller


def caller_or_spectator(identity: Identity, match: Match) -> Caller:
    """Return *identity* as a caller who reads *match*: never refused."""
    if identity.account is not None:
        return _of_account(identity.account.id, match)
    return _of_secret(identity, match) if identity.digest else Caller((), False)


def _holds(caller: Caller, who: CallerKind) -> bool:
    return bool(caller.seats) or (caller.creator and who in _FOR_CREATOR)


def _decides(caller: Caller, who: CallerKind) -> bool:
    if who is CallerKind.CREATOR:
        return caller.creator
    return bool(caller.owned) or (caller.creator and who is CallerKind.TABLE)


def _of_account(account: str, match: Match, scope: str = "") -> Caller:
    owned, acting = [], []
    for seat, place in enumerate(match.seats):
        if place.secret and place.account == account:
            owned.append(seat)
            if place.deputy is None:
                acting.append(seat)
    creator = match.origin.creator_account == account
    invited = any(seat.invited == account for seat in match.seats)
    return Caller(tuple(owned), creator, tuple(acting), tuple(owned), account, scope, invited)


def _of_secret(identity: Identity, match: Match, scope: str = "") -> Caller:
    owned, acting = [], []
    for seat, place in enumerate(match.seats):
        deputy = place.deputy
        if place.secret and hmac.compare_digest(place.secret, identity.digest):
            owned.append(seat)
            if deputy is None:
                acting.append(seat)
        elif deputy is not None and hmac.compare_digest(deputy.secret, identity.digest):
            acting.append(seat)
    seats = owned if owned == acting else sorted({*owned, *acting})
    creator = hmac.compare_digest(match.origin.creator, identity.digest)
    return Caller(tuple(seats), creator, tuple(acting), tuple(owned), scope=scope)


def require_status(action: Action, match: Match) -> None:
    """Raise unless *match* is in a status in which *action* means something."""
    states = PERMISSIONS[action].states
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
    """A caller, judged once as long as the seats are the same."""

    __slots__ = ("_action", "_caller", "_identity", "_seats")

    def __init__(self, action: Action, identity: Identity) -> None:
        self._action = action
        self._identity = identity
        self._seats: object = None
        self._caller = Caller((), False)

    def admit(self, match: Match) -> Caller:
        """Return who calls, or raise as :func:`authorize` does."""
        if match.seats is not self._seats or self._identity.account is not None:
            self._caller = authorize(self._action, self._identity, match)
            self._seats = match.seats
        return self._caller
