"""The timers: which matches they deal with, what they do for each, and what they leave."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from taflhall_engine.kernel.meta_commands import TIMEOUT
from taflhall_service.app.errors import Busy, CommitTooEarly, Refused
from taflhall_service.app.jobs.deadlines import (
    AT_ONCE,
    LATER_MS,
    LOOK_SECONDS,
    PAGE,
    SOON_MS,
    STUCK_MS,
    Timers,
)
from taflhall_service.app.model.clocks import TimeControl, TimeoutPolicy
from taflhall_service.app.model.codec import decode_entry
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.server_bots import SERVER_BOTS
from taflhall_service.app.ports.bots import BotFailed, BotUnavailable
from taflhall_service.app.ports.match_store import (
    ADMIN_PREFIX,
    HEARTBEAT_TIMEOUT_MS,
    DueQueue,
)
from tests.service.requests.matches import bot, playing, seat
from tests.service.requests.process import Process, T, whole
from tests.virtual_time import in_virtual_time, now_ms
from tests.waiting import take

TERMS = TimeControl(1000)
TWO = (seat("ann"), seat("bob"))
DUE = 3000
"""When the time of the seat that decides in :data:`TIMED` runs out."""
TIMED = playing(*TWO, clock=TERMS)


class Chooses:
    """Bots that give the first whole answer, or fail as the test says."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.failure = failure
        self.asked: list[tuple[int, int]] = []
        """The seats that were asked for, and how much they may try out."""
        self.match: Match | None = None

    async def choose(
        self, match_id: str, game: Any, table: Any, seat: int, seed: int, plies: int
    ) -> list[int]:
        self.asked.append((seat, plies))
        if self.failure is not None:
            raise self.failure
        assert self.match is not None
        return [*whole(self.match, seat)]


class Timed(Process):
    """A process with timers."""

    def __init__(self, bots: Any = None) -> None:
        super().__init__()
        self.bots = bots or Chooses()
        self.ups: list[tuple[TimeoutPolicy, float]] = []
        self.timers = Timers(self.matches, self.bots, self.time_up, plies=7)

    def time_up(self, policy: TimeoutPolicy, late: float) -> None:
        self.ups.append((policy, late))

    async def holding(self, match: Match, at_ms: int) -> Timed:
        self.bots.match = await self.hold(match)
        self.clock[0] = at_ms
        await self.matches.store_clock.send_heartbeat()
        return self

    async def look(self) -> None:
        await self.timers.look()
        await self.matches.idle(60)

    @property
    def deadlines(self) -> dict[str, int]:
        return self.memory.queues[DueQueue.DEADLINES]


# ---------------------------------------------------------------- what is done


async def test_a_seat_whose_time_is_over_is_timed_out_once():
    timed = await Timed().holding(TIMED, DUE + 500)
    await timed.timers.deal("match")
    [kept] = timed.memory.entries["match"]
    entry = decode_entry(timed.stored.game, timed.stored.origin, kept)
    assert entry.command == TIMEOUT
    assert timed.ups == [(TimeoutPolicy.NEUTRAL, 0.5)]
    await timed.timers.deal("match")
    assert len(timed.ups) == 1


async def test_the_deadline_of_a_match_whose_time_is_not_over_is_noted():
    timed = await Timed().holding(TIMED, DUE - SOON_MS - 1)
    await timed.timers.deal("match")
    await timed.matches.idle(60)
    assert (timed.deadlines, timed.ups) == ({"match": DUE}, [])


async def test_a_match_that_is_gone_or_as_long_as_may_be_is_dealt_with_no_more():
    timed = await Timed().holding(TIMED, DUE)
    timed.deadlines.update({"match": DUE, "gone": DUE})
    await timed.timers.deal("gone")
    assert timed.deadlines == {"match": DUE}
    for revision, left in ((19, 1), (20, 0)):
        long = TIMED.replaced(version=TIMED.version._replace(revision=revision))
        process = await Timed().holding(long, DUE - SOON_MS - 1)
        process.deadlines["match"] = DUE
        await process.timers.deal("match")
        await process.matches.idle(60)
        assert len(process.deadlines) == left


async def test_a_pause_that_is_over_ends():
    clocks = TIMED.clocks
    assert clocks is not None
    paused = TIMED.replaced(clocks=type(clocks)(clocks.seats, paused=2100))
    timed = await Timed().holding(paused, 2100 + 60_000)
    await timed.timers.deal("match")
    assert timed.stored.clocks is not None
    assert not timed.stored.clocks.paused
    assert timed.ups == []


async def test_a_bot_tries_out_what_it_may_and_a_stand_in_what_the_timers_say():
    timed = await Timed().holding(playing(bot("A"), bot("B")), T)
    await timed.timers.deal("match")
    assert timed.bots.asked[0][1] == SERVER_BOTS["random"].plies
    assert timed.stored.revision == 1
    stand_ins = playing(seat("ann", stand_in=True), seat("bob", stand_in=True), clock=TERMS)
    timed = await Timed().holding(stand_ins, T)
    await timed.timers.deal("match")
    assert timed.bots.asked == [(min(stand_ins.pending), 7)]
    assert timed.stored.revision == 1


async def test_a_bot_that_fails_answers_neutrally_and_one_that_is_away_is_asked_later():
    match = playing(bot("A"), bot("B"))
    timed = await Timed(Chooses(BotFailed("why"))).holding(match, T)
    await timed.timers.deal("match")
    assert timed.stored.revision == 1
    timed = await Timed(Chooses(BotUnavailable())).holding(match, T)
    await timed.timers.deal("match")
    assert (timed.stored.revision, timed.deadlines) == (0, {"match": T + LATER_MS})


# ---------------------------------------------------------------- which matches


class Noting(Timed):
    """Notes the matches that are dealt with; the first one ends as the test says."""

    def __init__(self, failure: Exception | None = None) -> None:
        super().__init__()
        self.failure = failure
        self.dealt: list[str] = []
        self.timers = NotingTimers(self)


class NotingTimers(Timers):
    def __init__(self, process: Noting) -> None:
        super().__init__(process.matches, process.bots, process.time_up)
        self.process = process

    async def deal(self, match_id: str) -> None:
        self.process.dealt.append(match_id)
        if self.process.failure is not None:
            raise self.process.failure


async def test_matches_are_dealt_with_that_are_due_or_soon_will_be():
    process = Noting()
    await process.matches.store_clock.send_heartbeat()
    process.deadlines.update({"a": T, "b": T + SOON_MS, "c": T + SOON_MS + 1})
    process.matches.due_now.add("d")
    await process.look()
    assert process.dealt[0] == "d"
    assert sorted(process.dealt) == ["a", "b", "d"]
    assert process.matches.due_now == set()


async def test_a_look_takes_a_limited_number_of_matches():
    process = Noting()
    await process.matches.store_clock.send_heartbeat()
    process.deadlines.update({f"m{number}": T for number in range(AT_ONCE + 1)})
    await process.look()
    assert len(process.dealt) == AT_ONCE
    assert process.dealt != sorted(process.dealt)  # other servers begin with others


@pytest.mark.parametrize(("late", "dealt"), [(0, 1), (1, 0)])
async def test_no_match_is_dealt_with_while_there_may_be_an_unknown_outage(late: int, dealt: int):
    process = Noting()
    await process.matches.store_clock.send_heartbeat()
    process.deadlines["a"] = T
    process.clock[0] = T + HEARTBEAT_TIMEOUT_MS + late
    await process.look()
    assert len(process.dealt) == dealt


@pytest.mark.parametrize(
    ("failure", "later"),
    [(CommitTooEarly(), 0), (Busy(), LATER_MS), (ValueError(), LATER_MS)],
)
async def test_a_match_that_failed_is_left_alone_for_a_while(failure: Exception, later: int):
    process = Noting(failure)
    await process.matches.store_clock.send_heartbeat()
    process.deadlines["a"] = T
    await process.look()
    assert process.deadlines == {"a": T + later}
    process.failure = None
    process.clock[0] = T + later
    await process.matches.store_clock.send_heartbeat()
    await process.look()
    assert process.dealt == ["a", "a"]


@pytest.mark.parametrize("frozen", [ADMIN_PREFIX + b"why", b"its seats are damaged"])
async def test_a_match_that_waits_for_an_operator_is_left_alone_longer(frozen: bytes):
    timed = await Timed().holding(TIMED, DUE)
    stored = timed.memory.matches["match"]
    timed.memory.matches["match"] = stored._replace(frozen=frozen)
    timed.matches.forget("match")
    timed.deadlines["match"] = DUE
    await timed.look()
    assert timed.deadlines == {"match": DUE + STUCK_MS}


async def test_a_match_that_is_due_again_at_once_is_looked_at_at_once():
    process = Noting()
    await process.matches.store_clock.send_heartbeat()
    process.deadlines["a"] = T

    async def due_again(match_id: str) -> None:
        process.matches.due_now.add(match_id)

    process.timers.deal = due_again  # type: ignore[method-assign]
    await process.look()
    assert process.matches.deadline_now.is_set()


@in_virtual_time
async def test_the_timers_look_about_five_times_a_second_and_at_once_when_something_is_due():
    process = Noting()
    due, looks = process.store.due, list[int]()

    async def noting(*given: Any) -> Any:
        looks.append(now_ms())
        return await due(*given)

    process.store.due = noting
    await process.matches.store_clock.send_heartbeat()
    task = asyncio.create_task(process.timers.run())
    await take(10)
    gaps = [after - before for before, after in pairwise(looks)]
    least, most = 0.8 * LOOK_SECONDS * 1000, 1.2 * LOOK_SECONDS * 1000
    assert least - 1 <= min(gaps) <= max(gaps) <= most + 1  # to the millisecond
    await take((looks[-1] + 100) / 1000 - now_ms() / 1000)
    for _ in range(3):
        looks.clear()
        process.matches.deadline_now.set()
        await take(0.01)
        assert looks == [now_ms() - 10]
    task.cancel()


# ---------------------------------------------------------------- scans


async def test_a_scan_notes_the_deadlines_of_all_matches_that_are_played():
    process = Timed()
    await process.hold(TIMED)
    stored = process.memory.matches.pop("match")._replace(deadline=b"3000")
    for number in range(PAGE + 1):
        process.memory.matches[f"m{number}"] = stored
    process.memory.matches["over"] = stored._replace(status=b"finished")
    process.memory.matches["untimed"] = stored._replace(deadline=b"")
    process.deadlines.clear()
    asked: list[int] = []
    summaries = process.store.summaries

    async def counting(names: Sequence[str]) -> Any:
        asked.append(len(names))
        return await summaries(names)

    process.store.summaries = counting
    await process.timers.scan()
    assert process.deadlines == {f"m{number}": 3000 for number in range(PAGE + 1)}
    assert asked == [PAGE, 3]


async def test_a_scan_that_failed_is_tried_again():
    process = Timed()
    await process.hold(TIMED)
    stored = process.memory.matches["match"]
    process.memory.matches["match"] = stored._replace(deadline=b"3000")
    process.deadlines.clear()
    schedule, failures = process.store.schedule, [Busy()]

    async def failing(*given: Any) -> None:
        if failures:
            raise failures.pop()
        await schedule(*given)

    process.store.schedule = failing
    with pytest.raises(Refused):
        await process.timers.scan_if_due()
    await process.timers.scan_if_due()
    assert process.deadlines == {"match": 3000}
    process.deadlines.clear()
    await process.timers.scan_if_due()
    assert process.deadlines == {}


@in_virtual_time
async def test_matches_are_scanned_every_hour_and_after_each_failover():
    process = Timed()
    await process.hold(TIMED)
    stored = process.memory.matches["match"]
    process.memory.matches["match"] = stored._replace(deadline=b"3000")
    task = asyncio.create_task(process.timers.scan_always())

    async def scanned(minutes: float) -> bool:
        process.deadlines.clear()
        await take(minutes * 60)
        return bool(process.deadlines)

    assert await scanned(1.1)
    assert not await scanned(58)
    assert await scanned(3)
    for _ in range(2):
        process.store.failovers += 1
        assert await scanned(1.1)
        assert not await scanned(50)
    task.cancel()
