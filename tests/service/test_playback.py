"""A match played back, step by step, as values."""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace
from typing import Any

import pytest

from taflhall_service.app.model.clocks import Clocks, SeatClock
from taflhall_service.app.model.match import ABANDONED, FINISHED, OPEN, PLAYING, Match
from taflhall_service.app.model.records import Seat
from taflhall_service.app.model.visible_states import VisibleState
from taflhall_service.app.ports.match_store import Version, change_id_of
from taflhall_service.app.spectating.playback import Playhead, as_created, match_at, play_back


def state(changes: int, revision: int = 0, at_ms: int = 0, **fields: Any) -> VisibleState:
    given: dict[str, Any] = {
        "status": PLAYING,
        "laid_out": True,
        "seats": (Seat("Ann"),),
        "clocks": None,
        "proposed": None,
        **fields,
    }
    return VisibleState(at_ms, revision, changes, nonce=7, **given)


def entry(revision: int, at_ms: int = 0, status: str = PLAYING, clocks: Any = None) -> Any:
    return SimpleNamespace(
        revision=revision, head=b"%d" % revision, at_ms=at_ms, status=status, clocks=clocks
    )


def head(revision: int = 0, changes: int = 0, at_ms: int = 0, **fields: Any) -> Playhead:
    change_id = change_id_of(changes, 7) if changes else 0
    return Playhead(Version(revision, b"%d" % revision, change_id), at_ms, **fields)


STATES = [state(1, 0, 10), state(2, 0, 20), state(3, 2, 30)]


@pytest.mark.parametrize(
    ("revision", "changes", "following"),
    [(0, 0, 0), (0, 1, 1), (0, 2, None), (1, 2, None), (2, 2, 2), (3, 2, 2), (2, 3, None)],
)
def test_a_state_comes_when_its_commands_have_come(revision, changes, following):
    found = head(revision, changes).next_state(STATES)
    assert found is (None if following is None else STATES[following])


@pytest.mark.parametrize(
    ("at", "entries", "time"),
    [
        (head(0, 0, at_ms=3), [entry(1, 5)], 10),
        (head(0, 0, at_ms=13), [entry(1, 5)], 13),
        (head(0, 2, at_ms=3), [entry(1, 25), entry(2, 26)], 25),
        (head(0, 2, at_ms=27), [entry(1, 25)], 27),
        (head(0, 2), [], None),
        (head(2, 3), [], None),
    ],
)
def test_times_of_changes_never_go_back(at, entries, time):
    assert at.next_time(STATES, entries) == time


@pytest.mark.parametrize(
    ("changes", "states", "on"),
    [
        (0, STATES, True),
        (0, [], True),
        (2, STATES, True),
        (1, STATES, True),
        (1, STATES[1:], True),
        (4, STATES, False),
        (2, [STATES[0], STATES[2]], False),
        (2, [], False),
    ],
)
def test_a_state_that_is_neither_kept_nor_older_was_lost_by_the_store(changes, states, on):
    assert head(0, changes).is_on(states) == on


def test_there_is_a_table_after_a_command_or_a_state_with_one():
    closed = state(1, laid_out=False)
    assert not head().laid_out
    assert not head(state=closed).laid_out
    assert head(state=STATES[0]).laid_out
    assert head(state=closed, entry=entry(1)).laid_out


@pytest.mark.parametrize(
    ("time", "revision", "changes", "passed"),
    [
        (9, 0, 0, []),
        (10, 0, 1, []),
        (19, 0, 1, []),
        (20, 0, 2, []),
        (24, 0, 2, []),
        (25, 1, 2, [1]),
        (29, 2, 2, [1, 2]),
        (30, 2, 3, [1, 2]),
        (40, 3, 3, [1, 2, 3]),
    ],
)
def test_states_and_commands_are_passed_in_their_order(time, revision, changes, passed):
    entries: Any = deque([entry(1, 25), entry(2, 26), entry(3, 40)])
    after, found = play_back(head(), STATES, entries, time)
    assert after.version == head(revision, changes).version
    assert after.at_ms == time
    assert [e.revision for e in found] == passed
    assert [e.revision for e in entries] == [1, 2, 3][len(passed) :]
    assert after.state is (STATES[changes - 1] if changes else None)
    assert after.entry is (found[-1] if found else None)


def test_a_state_that_comes_first_is_waited_for_though_a_command_has_an_earlier_time():
    entries: Any = deque([entry(1, 25)])
    at, found = play_back(head(), [state(1, 0, 30)], entries, 29)
    assert (at.version, found, len(entries)) == (head().version, [], 1)


GAME: Any = SimpleNamespace(id="a game")
ORIGIN: Any = SimpleNamespace(match_id="match", chain=b"key", created_ms=5, secret=b"")
LIVE = Match(
    GAME, ORIGIN, "a setup", (Seat("Ann"), Seat("Bob")), head(9, 9).version, PLAYING, ended_ms=77
)
CLOCKS = Clocks((SeatClock(1),))
OTHERS = Clocks((SeatClock(2),))


def test_a_match_as_created_is_open_and_empty():
    made = as_created(LIVE)
    assert made.seats == (Seat(), Seat())
    assert (made.revision, made.version.change_id, made.status) == (0, 0, OPEN)
    assert (made.as_of, made.updated_ms, made.ended_ms) == (5, 0, 0)
    assert (made.game, made.origin, made.setup) == (GAME, ORIGIN, "a setup")


@pytest.mark.parametrize(
    ("state_at", "entry_at", "status", "clocks"),
    [
        (None, None, OPEN, None),
        (state(1, 0, status=ABANDONED, clocks=CLOCKS), None, ABANDONED, CLOCKS),
        (None, entry(1, status=FINISHED, clocks=OTHERS), FINISHED, OTHERS),
        (state(1, 0, clocks=CLOCKS), entry(1, 0, FINISHED, OTHERS), FINISHED, OTHERS),
        (state(1, 1, clocks=CLOCKS), entry(1, 0, FINISHED, OTHERS), PLAYING, CLOCKS),
        (state(1, 2, clocks=CLOCKS), entry(1, 0, FINISHED, OTHERS), PLAYING, CLOCKS),
    ],
)
def test_the_later_of_state_and_command_says_how_it_was(state_at, entry_at, status, clocks):
    at = head(1, 1, at_ms=99, state=state_at, entry=entry_at)
    found = match_at(at, as_created(LIVE), None)
    assert (found.status, found.clocks) == (status, clocks)
    assert found.seats == ((Seat("Ann"),) if state_at else (Seat(), Seat()))
    assert (found.version, found.as_of, found.updated_ms) == (at.version, 99, 99)
    assert found.ended_ms == (99 if status in (FINISHED, ABANDONED) else 0)
    assert found.table is None
