"""G13: no seat times out early or twice, whatever happens to servers and store."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from taflhall_engine.kernel.agenda import Command
from taflhall_engine.kernel.meta_commands import FORFEIT, TIMEOUT, MetaCommand
from taflhall_service.app.model.clocks import Clocks, SeatClock, TimeControl
from taflhall_service.app.model.records import Entry
from tests.faults.checkers.timing import PROMISES, Answered, Timed
from tests.faults.scenarios.clocks import clocks

T = 1_000_000


def entry(
    revision: int, action: Command[Any] | MetaCommand, at: int, since: int, decision: str
) -> Entry:
    clock = Clocks((SeatClock(1000, since),))
    return Entry(revision, b"", 0, action, [], None, {0: decision}, "playing", at, clock, 0)


def good() -> Timed:
    """An answer, and then a decision that is not answered in its second and a half."""
    entries = [
        entry(1, Command(), T, T, "1-a"),
        entry(2, TIMEOUT, T + 1500, T + 1500, "2-b"),
    ]
    answers = [Answered(1, T - 700, T), Answered(-1, T + 1600, T + 1500)]
    return Timed("m", TimeControl(1000, 0, 500), entries, {"timer:1:2:0"}, (), answers)


def broken(timed: Timed) -> set[str]:
    return {name for name, check in PROMISES.items() if check(timed)}


def test_nothing_is_wrong_with_what_is_right():
    assert broken(good()) == set()


@pytest.mark.parametrize("action", [TIMEOUT, FORFEIT])
def test_time_that_is_up_early_is_found(action):
    timed = good()
    timed.entries[1] = entry(2, action, T + 1499, T + 1499, "2-b")
    assert broken(timed) == {"G13 never early"}


def test_time_that_is_up_in_spite_of_an_outage_is_found():
    timed = good()
    timed.outages = ((T + 100, T + 5000),)
    assert broken(timed) == {"G13 never early"}


def test_a_timeout_before_the_deadline_is_found():
    timed = good()
    timed.answers.append(Answered(-1, T + 1400, T + 1500))
    assert broken(timed) == {"G13 never early"}


def test_time_that_is_up_twice_is_found():
    timed = good()
    timed.timers.clear()
    assert broken(timed) == {"G13 once"}
    timed = good()
    timed.entries.append(entry(3, TIMEOUT, T + 4000, T + 4000, "2-b"))
    timed.timers.add("timer:2:2:0")
    assert broken(timed) == {"G13 once"}


def test_an_answer_in_whose_place_time_was_up_is_found():
    timed = good()
    timed.answers.append(Answered(2, T + 900, T + 1500))
    assert broken(timed) == {"G13 answers count"}
    timed.answers[-1] = Answered(3, T + 900, T + 1500)
    assert broken(timed) == {"G13 answers count"}


def test_nobodys_time_is_up_early_or_twice_amid_troubles(settle):
    settle(
        asyncio.run(clocks(6, seed=1)),
        **{"times up": 2, "answers in time": 15, "matches": 5},
    )
