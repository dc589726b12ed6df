"""The states that a match leaves behind for those who see it late."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from taflhall_service.app.matches.visibility import SLACK_MS, state_of, states_after
from taflhall_service.app.model.spectator_policy import SpectatorPolicy, SpectatorSettings
from taflhall_service.app.model.visible_states import VisibleState

DELAY = 10_000
MOST = 8
T = 1_000_000


def state(at: int) -> VisibleState:
    return VisibleState(at, 0, 0, "playing", True, (), None, None)


def match(change: int = 1, policy=SpectatorPolicy.DELAYED, states=()) -> Any:
    return SimpleNamespace(
        origin=SimpleNamespace(spectators=SpectatorSettings(policy, DELAY)),
        visible_states=tuple(states),
        revision=7,
        version=SimpleNamespace(change_id=change, change_count=5, nonce=3),
        status="open",
        table=None,
        seats=(),
        clocks=None,
        proposed=None,
    )


def times(states) -> list[int]:
    return [each.at_ms for each in states]


def test_a_change_leaves_the_state_that_it_makes():
    [left] = states_after(match(1), match(2), T, MOST)
    assert left == state_of(match(2), T)
    assert left == VisibleState(T, 7, 5, "open", False, (), None, None, 3)
    held = match(2)
    held.table = object()
    assert state_of(held, T).laid_out


def test_only_delayed_spectators_need_states_and_only_of_changes():
    before = match(1, states=[state(T - 1)])
    assert states_after(before, match(1), T, MOST) == before.visible_states
    for policy in (SpectatorPolicy.PUBLIC, SpectatorPolicy.NONE):
        assert states_after(before, match(2, policy), T, MOST) == before.visible_states
    assert times(states_after(before, match(2), T, MOST)) == [T - 1, T]


def test_time_never_runs_back_between_states():
    before = match(1, states=[state(T + 50)])
    assert times(states_after(before, match(2), T, MOST)) == [T + 50, T + 50]
    two = match(1, states=[state(T - 50), state(T + 50)])
    assert times(states_after(two, match(2), T, MOST)) == [T - 50, T + 50, T + 50]


def test_a_state_stays_until_nobody_can_see_it():
    last_seen = T - DELAY - SLACK_MS
    before = match(1, states=[state(last_seen - 9), state(last_seen - 5), state(last_seen + 1)])
    assert times(states_after(before, match(2), T, MOST)) == [last_seen - 5, last_seen + 1, T]
    assert times(states_after(before, match(2), T + 1, MOST)) == [last_seen + 1, T + 1]
    alone = match(1, states=[state(1)])
    assert times(states_after(alone, match(2), T, MOST)) == [1, T]


def test_every_other_one_of_too_many_states_is_dropped_but_not_the_last():
    few = match(1, states=[state(T + n) for n in range(MOST - 1)])
    assert len(states_after(few, match(2), T, MOST)) == MOST
    for count in (MOST, MOST + 1):
        many = match(1, states=[state(T + n) for n in range(count)])
        kept = times(states_after(many, match(2), T + 999, MOST))
        assert kept == [*range(T, T + count - 1, 2), T + count - 1, T + 999]
