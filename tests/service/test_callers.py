"""Which seat a caller looks from, asks for and decides about."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from taflhall_service.app.access.permissions import Caller
from taflhall_service.app.errors import NotYourSeat, Refused, SecretMissing, UnknownSeat

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
    with pytest.raises(Refused) as told:
        caller.seat(MATCH, wanted)
    assert type(told.value) is seat


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
