"""Deadlines that are near, and timeouts that another server or an outage makes void."""

from __future__ import annotations

import asyncio

import pytest

from taflhall_service.app.jobs.deadlines import SOON_MS
from taflhall_service.app.model.clocks import TimeControl, TimeoutPolicy
from taflhall_service.app.ports.match_store import (
    HEARTBEAT_TIMEOUT_MS,
    CommitResult,
    CommitStatus,
)
from tests.service.requests.matches import playing
from tests.service.requests.process import T
from tests.service.requests.test_due_matches import DUE, TIMED, TWO, Timed
from tests.virtual_time import in_virtual_time, now_ms


async def ahead_of_the_deadline(ms: int) -> Timed:
    """Return timers of a match whose deadline comes that much later, in the time of the test."""
    timed = await Timed().holding(TIMED, DUE - ms)
    timed.memory.clock = lambda: DUE - ms + now_ms()
    return timed


@pytest.mark.parametrize("ms", [1, SOON_MS])
@in_virtual_time
async def test_a_deadline_that_is_near_is_waited_for_to_the_millisecond(ms: int):
    timed = await ahead_of_the_deadline(ms)
    await timed.timers.deal("match")
    assert asyncio.get_running_loop().time() == pytest.approx(ms / 1000, abs=1e-5)
    assert timed.ups == [(TimeoutPolicy.NEUTRAL, 0.0)]


@in_virtual_time
async def test_a_deadline_further_off_is_noted_at_once():
    timed = await ahead_of_the_deadline(SOON_MS + 1)
    await timed.timers.deal("match")
    assert now_ms() == 0
    await timed.matches.idle(60)
    assert (timed.deadlines, timed.ups) == ({"match": DUE}, [])


async def test_a_match_without_a_deadline_waits_for_none():
    timed = await Timed().holding(playing(*TWO), T)
    timed.deadlines["match"] = T
    await timed.timers.deal("match")
    await timed.matches.idle(60)
    assert timed.deadlines == {}


async def test_a_timeout_that_another_server_has_committed_is_not_counted_again():
    timed = await Timed().holding(TIMED, DUE)
    timed.store.answers = [CommitResult(CommitStatus.DUPLICATE)]
    await timed.timers.deal("match")
    assert len(timed.store.commits) == 1
    assert timed.ups == []


async def test_a_timeout_that_an_outage_prevents_is_not_counted():
    """The server learns of the outage when it is about to act."""
    heard, base = 2500, 10_000
    timed = await Timed().holding(playing(*TWO, clock=TimeControl(base)), heard)
    assert heard + HEARTBEAT_TIMEOUT_MS < 2000 + base
    timed.clock[0] = 60_000
    await timed.timers.deal("match")
    assert (timed.stored.revision, timed.ups) == (0, [])
