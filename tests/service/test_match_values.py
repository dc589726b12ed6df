"""What a match says about itself."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from taflhall_service.app.errors import MatchTooLong
from taflhall_service.app.matches.seats import is_named, name_for, require_changes_left
from taflhall_service.app.model.clocks import Clocks
from taflhall_service.app.model.match import ABANDONED, FINISHED, OPEN, PLAYING, Match
from taflhall_service.app.model.records import Deputy, Seat


def of(name: str, **fields: Any) -> Any:
    """Return a property of a match with these fields."""
    return getattr(Match, name).fget(SimpleNamespace(**fields))


def test_a_match_is_over_when_it_is_finished_or_abandoned():
    found = [of("over", status=status) for status in (OPEN, PLAYING, FINISHED, ABANDONED)]
    assert found == [False, False, True, True]


@pytest.mark.parametrize(
    ("status", "table", "listed"),
    [
        (OPEN, None, True),
        (PLAYING, "a table", True),
        (FINISHED, "a table", True),
        (ABANDONED, "a table", True),
        (ABANDONED, None, False),
    ],
)
def test_only_a_match_that_was_abandoned_before_its_start_is_not_listed(status, table, listed):
    assert of("listed", status=status, table=table) == listed


@pytest.mark.parametrize(
    ("proposed_at", "revision", "over", "current"),
    [(7, 7, False, True), (6, 7, False, False), (8, 7, False, False), (7, 7, True, False)],
)
def test_a_proposal_is_for_one_revision(proposed_at, revision, over, current):
    proposed = SimpleNamespace(revision=proposed_at)
    found = of("proposal", proposed=proposed, revision=revision, over=over)
    assert found is (proposed if current else None)
    assert of("proposal", proposed=None, revision=revision, over=over) is None


def test_the_server_may_have_to_act_in_a_match_with_clocks_or_bots():
    seats = [Seat(), Seat(stand_in=True)]
    assert not of("is_timed", seats=seats, clocks=None)
    assert of("is_timed", seats=seats, clocks=Clocks(()))
    assert of("is_timed", seats=[*seats, Seat(bot="random")], clocks=None)
    assert [seat.automatic for seat in (*seats, Seat(bot="random"))] == [False, True, True]


def test_the_first_of_the_callers_seats_that_is_pending_decides():
    match: Any = SimpleNamespace(pending={1: "a", 3: "b"})
    assert Match.decides(match, (0, 3, 1)) == 3
    assert Match.decides(match, (1,)) == 1
    assert Match.decides(match, (0, 2)) is None
    assert Match.decides(match, ()) is None


SEATED: Any = SimpleNamespace(
    seats=[Seat("Ann"), Seat("Bob", deputy=Deputy("Cy", 1, b"x")), Seat("Ann 2")],
    version=SimpleNamespace(change_count=7),
)


@pytest.mark.parametrize(
    ("name", "but", "taken"),
    [
        ("Ann", -1, True),
        ("ANN", -1, True),
        ("Ann", 0, False),
        ("Ann", 1, True),
        ("Bob", -1, True),
        ("Cy", -1, True),
        ("Cy", 1, False),
        ("Bob", 1, False),
        ("Dee", -1, False),
    ],
)
def test_a_name_is_taken_by_holders_and_deputies_of_other_seats(name, but, taken):
    assert is_named(SEATED, name, but) == taken


def test_a_name_that_is_taken_gets_the_first_free_number():
    found = [name_for(SEATED, name) for name in ("Dee", "Cy", "ann")]
    assert found == ["Dee", "Cy 2", "ann 3"]


def test_seats_and_proposals_change_only_so_often():
    require_changes_left(SEATED, 8)
    for most in (7, 6):
        with pytest.raises(MatchTooLong):
            require_changes_left(SEATED, most)


def test_nothing_is_pending_before_the_start_and_after_the_end():
    assert of("step", table=None, pending={0: "a"}) is None
    assert of("step", table=SimpleNamespace(agenda=["step"]), pending={}) is None
