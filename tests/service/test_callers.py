"""Which seat a caller looks from, asks for and decides about."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from taflhall_service.app.access.accounts import Account, ActiveKey, ApiKey, Role
from taflhall_service.app.access.credentials import ANONYMOUS, Identity, digest_of
from taflhall_service.app.access.permissions import (
    Action,
    CachedCaller,
    Caller,
    account_of,
    authorize,
    caller_or_spectator,
    require_status,
)
from taflhall_service.app.errors import (
    AccountRequired,
    AlreadyStarted,
    Forbidden,
    MatchOver,
    NotFinished,
    NotStarted,
    NotYourSeat,
    Refused,
    SecretInvalid,
    SecretMissing,
    UnknownSeat,
)
from taflhall_service.app.model.match import ABANDONED, FINISHED, OPEN, PLAYING
from taflhall_service.app.model.records import Deputy, Seat

MATCH: Any = SimpleNamespace(seats=(None,) * 4)
NOBODY = Caller((), False)
DEPUTY = Caller((1, 3), False, (1, 3), (3,))
ACCOUNT = Caller((), False, account="a1")
CREATOR = Caller((), True)


@pytest.mark.parametrize(
    ("caller", "wanted", "seat"),
    [
        (NOBODY, None, -1),
        (NOBODY, -1, -1),
        (NOBODY, 0, SecretMissing),
        (NOBODY, 4, UnknownSeat),
        (NOBODY, -2, UnknownSeat),
        (ACCOUNT, 3, NotYourSeat),
        (ACCOUNT, 4, UnknownSeat),
        (CREATOR, None, -1),
        (DEPUTY, None, 1),
        (DEPUTY, -1, -1),
        (DEPUTY, 3, 3),
        (DEPUTY, 0, NotYourSeat),
        (DEPUTY, 4, UnknownSeat),
    ],
)
def test_a_caller_looks_from_an_own_seat_or_as_a_spectator(caller, wanted, seat):
    if isinstance(seat, int):
        assert caller.seat(MATCH, wanted) == seat
        return
    with pytest.raises(Refused) as caught:
        caller.seat(MATCH, wanted)
    assert type(caught.value) is seat


def test_a_view_of_a_seat_needs_a_seat():
    assert DEPUTY.require_visible(MATCH, None) == 1
    assert DEPUTY.require_visible(MATCH, 3) == 3
    for caller, wanted in [(NOBODY, None), (CREATOR, -1), (DEPUTY, -1)]:
        with pytest.raises(NotYourSeat):
            caller.require_visible(MATCH, wanted)


def test_a_deputy_decides_about_its_own_seats_only():
    assert DEPUTY.require_owned(MATCH, None) == 3
    assert DEPUTY.require_owned(MATCH, 3) == 3
    with pytest.raises(NotYourSeat):
        DEPUTY.require_owned(MATCH, 1)
    with pytest.raises(NotYourSeat):
        Caller((1,), False, (1,)).require_owned(MATCH, None)


def test_callers_without_a_seat_who_did_not_create_it_are_spectators():
    assert NOBODY.is_spectator
    assert ACCOUNT.is_spectator
    assert not CREATOR.is_spectator
    assert not DEPUTY.is_spectator


# ---------------------------------------------------------------- who may do it


def person(secret: str) -> Identity:
    return Identity(secret)


def member(account: str) -> Identity:
    key = ApiKey("k", account, b"", 0)
    return Identity(None, ActiveKey(key, Account(account, "Ann", Role.PLAYER, False, 0), 0.0))


def table(*seats: Seat, creator: str = "creator", account: str = "") -> Any:
    origin = SimpleNamespace(creator=digest_of(creator), creator_account=account)
    return SimpleNamespace(seats=seats, origin=origin, id="m", status=PLAYING, table="a table")


def held(secret: str, account: str = "", deputy: str = "") -> Seat:
    acts = Deputy("Cy", 1, digest_of(deputy)) if deputy else None
    return Seat("Ann", 1, digest_of(secret), account=account, deputy=acts)


TABLE = table(held("a"), held("b", deputy="c"), held("a"), Seat())


def test_a_secret_opens_its_seats_and_answers_where_no_deputy_does():
    found = authorize(Action.SUBMIT_ANSWERS, person("a"), TABLE)
    assert (found.seats, found.acting, found.owned) == ((0, 2), (0, 2), (0, 2))
    assert not found.creator
    assert found.require_owned(TABLE, None) == 0
    holder = authorize(Action.SUBMIT_ANSWERS, person("b"), TABLE)
    assert (holder.seats, holder.acting, holder.owned) == ((1,), (), (1,))
    deputy = authorize(Action.SUBMIT_ANSWERS, person("c"), TABLE)
    assert (deputy.seats, deputy.acting, deputy.owned) == ((1,), (1,), ())


def test_a_secret_that_has_opened_something_is_proven():
    right, wrong = person("a"), person("x")
    authorize(Action.GET_MATCH, right, TABLE)
    with pytest.raises(SecretInvalid):
        authorize(Action.GET_MATCH, wrong, TABLE)
    assert (right.proven, wrong.proven) == (True, False)


def test_a_caller_without_credentials_is_a_spectator_and_not_a_creator():
    assert authorize(Action.GET_MATCH, ANONYMOUS, TABLE) == Caller((), False)
    assert caller_or_spectator(ANONYMOUS, TABLE) == Caller((), False)
    with pytest.raises(SecretMissing):
        authorize(Action.SUBMIT_ANSWERS, ANONYMOUS, TABLE)


def test_a_caller_who_only_reads_is_never_refused_and_still_known():
    assert caller_or_spectator(person("a"), TABLE).owned == (0, 2)
    assert caller_or_spectator(person("x"), TABLE) == Caller((), False)
    assert caller_or_spectator(member("acc"), table(held("a", "acc"))).owned == (0,)


@pytest.mark.parametrize("action", [Action.RESIGN_SEAT, Action.DELEGATE_SEAT])
def test_a_creator_who_is_only_a_deputy_decides_nothing_about_a_seat(action):
    both = table(held("a", deputy="creator"))
    assert authorize(Action.ABANDON_MATCH, person("creator"), both).creator
    with pytest.raises(Forbidden):
        authorize(action, person("creator"), both)


def test_a_deputy_who_did_not_create_the_match_decides_nothing_about_it():
    with pytest.raises(Forbidden):
        authorize(Action.ABANDON_MATCH, person("c"), TABLE)


def test_a_creator_without_a_seat_does_nothing_that_is_for_seats():
    with pytest.raises(SecretInvalid):
        authorize(Action.SUBMIT_ANSWERS, person("creator"), TABLE)
    assert authorize(Action.INVITE_TO_MATCH, person("creator"), TABLE).creator
    with pytest.raises(Forbidden):
        authorize(Action.INVITE_TO_MATCH, person("a"), TABLE)


def test_a_caller_has_an_account_or_needs_one():
    assert account_of(member("acc")).id == "acc"
    for identity in (ANONYMOUS, person("a")):
        with pytest.raises(AccountRequired):
            account_of(identity)


def test_an_account_invites_to_its_own_match_only():
    seated = table(held("a", "acc"), account="else")
    with pytest.raises(Forbidden):
        authorize(Action.INVITE_TO_MATCH, member("acc"), seated)
    assert authorize(Action.INVITE_TO_MATCH, member("else"), seated).creator


def test_an_account_holds_the_seats_that_are_taken_with_it():
    held_once = table(held("a", "acc"), held("b", "other"), Seat(account="acc"), account="acc")
    found = authorize(Action.SUBMIT_ANSWERS, member("acc"), held_once)
    assert (found.seats, found.owned, found.creator, found.account) == ((0,), (0,), True, "acc")
    assert found.acting == (0,)
    assert not found.invited
    away = authorize(Action.SUBMIT_ANSWERS, member("acc"), table(held("a", "acc", "c")))
    assert (away.seats, away.acting, away.owned) == ((0,), (), (0,))
    with pytest.raises(Forbidden):
        authorize(Action.SUBMIT_ANSWERS, member("else"), held_once)
    assert authorize(Action.GET_MATCH, member("else"), held_once).is_spectator


def test_one_reserved_seat_is_enough_to_be_invited():
    some = table(held("a"), Seat(invited="acc"), Seat())
    found = authorize(Action.GET_MATCH, member("acc"), some)
    assert (found.invited, found.seats, found.is_spectator) == (True, (), False)
    assert not authorize(Action.GET_MATCH, member("other"), some).invited


@pytest.mark.parametrize(
    ("action", "status", "begun", "refused"),
    [
        (Action.JOIN_MATCH, OPEN, False, None),
        (Action.JOIN_MATCH, PLAYING, True, AlreadyStarted),
        (Action.JOIN_MATCH, FINISHED, True, MatchOver),
        (Action.JOIN_MATCH, ABANDONED, False, MatchOver),
        (Action.DELEGATE_SEAT, OPEN, False, None),
        (Action.DELEGATE_SEAT, ABANDONED, False, MatchOver),
        (Action.SUBMIT_ANSWERS, OPEN, False, NotStarted),
        (Action.SUBMIT_ANSWERS, PLAYING, True, None),
        (Action.SUBMIT_ANSWERS, FINISHED, True, MatchOver),
        (Action.SUBMIT_ANSWERS, ABANDONED, False, NotStarted),
        (Action.GET_MATCH_VIEW, OPEN, False, NotStarted),
        (Action.GET_MATCH_VIEW, FINISHED, True, None),
        (Action.GET_MATCH_VIEW, ABANDONED, False, NotStarted),
        (Action.GET_MATCH_RECORD, PLAYING, True, NotFinished),
        (Action.GET_MATCH_RECORD, FINISHED, True, None),
        (Action.GET_MATCH_RECORD, ABANDONED, False, NotFinished),
        (Action.GET_MATCH, ABANDONED, False, None),
    ],
)
def test_an_action_means_something_in_some_statuses(action, status, begun, refused):
    state: Any = SimpleNamespace(id="m", status=status, table="a table" if begun else None)
    if refused is None:
        require_status(action, state)
        return
    with pytest.raises(Refused) as caught:
        require_status(action, state)
    assert type(caught.value) is refused


def test_a_caller_of_a_stream_is_judged_again_when_the_seats_change():
    cached = CachedCaller(Action.PLAY, person("a"))
    first = cached.admit(TABLE)
    assert cached.admit(TABLE) is first
    assert cached.admit(table(held("b"), held("a"))).seats == (1,)
    with pytest.raises(SecretInvalid):
        cached.admit(table(held("b")))
    own = table(held("a", "acc"))
    account = CachedCaller(Action.PLAY, member("acc"))
    assert account.admit(own) is not account.admit(own)
