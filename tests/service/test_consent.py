"""Whose consent a decision of all players needs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from taflhall_service.app.access.permissions import Caller
from taflhall_service.app.errors import Forbidden
from taflhall_service.app.matches.consent import deciding_seats, missing_consents, needs_consent
from taflhall_service.app.model.clocks import ABSENT_AFTER, Clocks, SeatClock


def match(seats=4, stand_ins=(), withdrawn=(), missed=None) -> Any:
    clocks = None if missed is None else Clocks(tuple(SeatClock(0, missed=n) for n in missed))
    return SimpleNamespace(
        seats=[SimpleNamespace(stand_in=number in stand_ins) for number in range(seats)],
        withdrawn=SimpleNamespace(seats=frozenset(withdrawn)),
        clocks=clocks,
    )


@pytest.mark.parametrize(
    ("state", "agreed", "missing"),
    [
        (match(), (), [0, 1, 2, 3]),
        (match(), (1, 2), [0, 3]),
        (match(stand_ins=[0]), (1,), [2, 3]),
        (match(withdrawn=[3]), (1,), [0, 2]),
        (match(missed=[0, ABSENT_AFTER - 1, ABSENT_AFTER, ABSENT_AFTER + 1]), (), [0, 1]),
        (match(stand_ins=[0], withdrawn=[1], missed=[0, 0, 0, 2]), (2,), []),
    ],
)
def test_all_agree_but_those_who_have_withdrawn_or_whom_the_server_acts_for(state, agreed, missing):
    assert missing_consents(state, agreed) == missing
    proposal: Any = SimpleNamespace(agreed=agreed)
    for seat in range(4):
        assert needs_consent(state, proposal, [seat]) == (seat in missing)
    assert needs_consent(state, proposal, range(4)) == bool(missing)
    assert not needs_consent(state, proposal, [])


def test_a_caller_decides_about_the_seats_that_it_holds_and_has_not_given_up():
    caller = Caller((0, 1, 2), True, (0, 1), (0, 2))
    assert deciding_seats(match(), caller) == (0, 2)
    assert deciding_seats(match(withdrawn=[0]), caller) == (2,)
    for state, nobody in [
        (match(withdrawn=[0, 2]), caller),
        (match(), Caller((0,), False, (0,))),
    ]:
        with pytest.raises(Forbidden):
            deciding_seats(state, nobody)
