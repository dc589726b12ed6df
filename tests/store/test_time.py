"""What a store says of the time, the same for memory, one Redis, Sentinel and Cluster."""

from __future__ import annotations

import asyncio
import secrets
import time

import pytest

from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.app.ports.match_store import HEARTBEAT_TIMEOUT_MS, CommitStatus
from taflhall_service.store.clock_estimate import ClockEstimate
from taflhall_service.store.memory import Memory, MemoryStore
from tests.store.test_commits import START, command, creation
from tests.waiting import settle, take, until

DAY = 86_400_000
SAME_MS = 2000
"""How far two clocks of this machine may be apart."""


async def opened(store) -> str:
    match_id = secrets.token_hex(8)
    assert (await store.commit(creation(match_id))).status is CommitStatus.COMMITTED
    return match_id


async def test_the_store_tells_the_time(store):
    began = time.time() * 1000
    before = await store.now()
    assert began - SAME_MS < before < time.time() * 1000 + SAME_MS

    async def has_passed() -> bool:
        return bool(40 < await store.now() - before < 20_000)

    await until(has_passed)


async def test_a_commit_is_not_made_before_its_time(store):
    match_id, now = await opened(store), await store.now()
    early = command(match_id, START, "timer:0:0:0")._replace(not_before=now + DAY)
    assert (await store.commit(early)).status is CommitStatus.TOO_EARLY
    assert (await store.load(match_id)).version == START
    assert await store.entries(match_id, 1, None) == []
    assert (await store.peek(match_id, early.key)).remembered is None
    in_time = early._replace(not_before=await store.now() - 10_000)
    assert (await store.commit(in_time)).status is CommitStatus.COMMITTED
    assert (await store.commit(in_time)).status is CommitStatus.DUPLICATE


async def test_a_duplicate_is_reported_before_a_commit_that_is_too_early(store):
    match_id, later = await opened(store), await store.now() + DAY
    first = command(match_id, START, "0:one")
    await store.commit(first)
    again = first._replace(not_before=later)
    assert (await store.commit(again)).status is CommitStatus.DUPLICATE
    other = command(match_id, START, "timer:0:0:0")._replace(not_before=later)
    assert (await store.commit(other)).status is CommitStatus.CONFLICT


async def test_clocks_and_when_they_run_out_are_fields_of_the_match(store):
    match_id = await opened(store)
    done = command(match_id, START, "0:one")
    done = done._replace(fields={**done.fields, "clocks": b"\x93clocks", "deadline": b"1234"})
    await store.commit(done)
    found = await store.load(match_id)
    assert (found.clocks, found.deadline) == (b"\x93clocks", b"1234")
    (summary,) = await store.summaries([match_id])
    assert summary.deadline == b"1234"
    plain = await opened(store)
    assert (await store.load(plain)).clocks == b""


async def test_matches_are_due_in_the_order_of_their_times(store):
    names = [secrets.token_hex(8) for _ in range(8)]
    for number, name in enumerate(names):
        await store.schedule(name, 1000 + number)
    assert await store.due(1004, 100) == names[:5]
    assert await store.due(1009, 3) == names[:3]
    await store.schedule(names[0], 2000)
    await store.schedule(names[1], None)
    assert await store.due(1009, 100) == names[2:]
    assert await store.due(3000, 100) == [*names[2:], names[0]]
    for name in names:
        await store.schedule(name, None)
    assert await store.due(DAY, 100) == []


async def test_heartbeats_return_the_time_and_record_no_outage(store):
    began = time.time() * 1000
    first = await store.heartbeat()
    second = await store.heartbeat()
    assert began - SAME_MS < second.now < time.time() * 1000 + SAME_MS
    assert second.outages == first.outages
    assert second.now >= first.now


async def test_a_heartbeat_after_a_silence_records_an_outage(connect, request):
    if request.node.callspec.params["connect"] == "memory":
        memory = Memory(lambda: clock[0])
        clock, store = [1_000_000], MemoryStore(memory)
        known = (await store.heartbeat()).outages
        clock[0] += HEARTBEAT_TIMEOUT_MS + 1
        other = MemoryStore(memory)
        found = (await other.heartbeat()).outages
        assert found == (
            *known,
            (1_000_000 + HEARTBEAT_TIMEOUT_MS, 1_000_000 + 2 * HEARTBEAT_TIMEOUT_MS + 1),
        )
        assert (await store.heartbeat()).outages == found
        return
    store, other = await connect(), await connect()
    last = (await store.heartbeat()).now
    known = (await store.heartbeat()).outages

    async def all_are_silent_for_long() -> bool:
        return bool(await store.now() > last + HEARTBEAT_TIMEOUT_MS + 200)

    await until(all_are_silent_for_long)
    ((start, stop),) = set((await other.heartbeat()).outages) - set(known)
    assert start >= last + HEARTBEAT_TIMEOUT_MS
    assert HEARTBEAT_TIMEOUT_MS < stop - start < HEARTBEAT_TIMEOUT_MS + 20_000
    assert len((await store.heartbeat()).outages) == len(known) + 1  # it is written down once


async def test_no_time_is_written_down_twice_when_the_clock_goes_back_and_forth():
    clock = [1_000_000]
    store = MemoryStore(Memory(lambda: clock[0]))
    for clock[0] in (1_000_000, 1_060_000, 1_001_000, 1_061_000, 1_002_000, 1_030_000):
        await store.heartbeat()
    assert (await store.heartbeat()).outages == (
        (1_000_000 + HEARTBEAT_TIMEOUT_MS, 1_060_000 + HEARTBEAT_TIMEOUT_MS),
        (1_060_000 + HEARTBEAT_TIMEOUT_MS, 1_061_000 + HEARTBEAT_TIMEOUT_MS),
    )


class FarClock:
    """A clock that is far ahead; a reading takes *takes* seconds, or fails while *silent*."""

    def __init__(self) -> None:
        self.ahead = 5_000_000.0
        self.takes = 0.0
        self.silent = False
        self.readings = 0

    async def read(self) -> int:
        await take(self.takes)
        self.readings += 1
        if self.silent:
            raise StoreUnavailable
        return int(time.monotonic() * 1000 + self.ahead)

    def error(self, estimated: int) -> float:
        return estimated - time.monotonic() * 1000 - self.ahead


async def test_the_estimate_follows_a_store_with_another_clock():
    far = FarClock()
    estimate = ClockEstimate(far.read, refresh_seconds=0.0)
    assert abs(far.error(await estimate.now())) < 20_000
    far.ahead += 3_600_000  # the store has failed over to a machine with another clock

    async def has_followed() -> bool:
        return abs(far.error(await estimate.now())) <= 20_000

    await until(has_followed)


async def test_a_slow_reading_is_ignored():
    far = FarClock()
    estimate = ClockEstimate(far.read, refresh_seconds=0.0, slow_seconds=0.0)
    await estimate.now()
    far.ahead += 3_600_000

    async def has_read_thrice() -> bool:
        await estimate.now()
        return far.readings >= 3

    await until(has_read_thrice)
    assert abs(far.error(await estimate.now()) + 3_600_000) < 20_000


async def test_time_passes_while_the_store_is_silent():
    far = FarClock()
    estimate = ClockEstimate(far.read, refresh_seconds=0.0)
    far.silent = True
    with pytest.raises(StoreUnavailable):
        await estimate.now()
    far.silent = False
    await estimate.now()
    far.silent = True

    async def has_tried_often() -> bool:
        assert abs(far.error(await estimate.now())) < 20_000
        return far.readings >= 5

    await until(has_tried_often)


class Far:
    """A store's clock that is far ahead. Only the test advances it and ours."""

    def __init__(self) -> None:
        self.here = 100.0
        self.there = 9_000_000
        self.takes = 0.0
        self.readings = 0
        self.estimate = ClockEstimate(self.read, 2.0, 0.125, lambda: self.here)

    async def read(self) -> int:
        self.readings += 1
        await asyncio.sleep(0)
        self.here += self.takes
        return self.there


async def test_a_reading_is_that_of_the_middle_of_its_round_trip():
    far = Far()
    far.takes = 0.0625
    assert await far.estimate.now() == 9_000_031
    far.here += 1.0
    assert await far.estimate.now() == far.estimate.last() == 9_001_031
    assert far.readings == 1


async def test_without_a_reading_there_is_no_last_one():
    far = Far()
    with pytest.raises(StoreUnavailable):
        far.estimate.last()
    far.estimate.observe(5000, far.here)
    assert far.estimate.last() == await far.estimate.now() == 5000
    assert far.readings == 0


async def test_the_first_reading_counts_however_long_it_took():
    far = Far()
    far.here = 1.0
    far.estimate.observe(5000, far.here - 0.5)
    assert far.estimate.last() == 5250


async def test_the_clock_is_read_again_once_the_reading_is_old():
    far = Far()
    await far.estimate.now()
    for waited, readings in ((2.0, 1), (0.0625, 2), (2.0, 2), (0.0625, 3)):
        far.here += waited
        await far.estimate.now()
        await settle(3)
        assert far.readings == readings


async def test_one_reading_is_under_way_at_a_time():
    far = Far()
    await far.estimate.now()
    for _ in range(3):
        far.here += 2.0625
        await far.estimate.now()
    await settle(3)
    assert far.readings == 2


async def test_who_asks_while_a_reading_is_under_way_is_told_the_time_by_the_last_one():
    far = Far()
    await far.estimate.now()
    far.there = 9_060_000
    far.here += 2.0625
    assert await far.estimate.now() == 9_002_062
    await settle(3)
    assert await far.estimate.now() == 9_060_000


@pytest.mark.parametrize(("took", "accepted"), [(0.125, True), (0.1875, False)])
async def test_a_reading_that_took_too_long_is_ignored_while_a_recent_one_exists(took, accepted):
    far = Far()
    await far.estimate.now()
    far.here += 1.0
    far.estimate.observe(10_000_000, far.here - took)
    assert far.estimate.last() == (10_000_062 if accepted else 9_001_000)


@pytest.mark.parametrize(("age", "accepted"), [(20.0, False), (20.0625, True)])
async def test_a_slow_reading_is_better_than_an_old_one(age, accepted):
    far = Far()
    await far.estimate.now()
    far.here += 0.5
    far.estimate.observe(9_000_500, far.here)
    far.estimate.observe(1, far.here - 1)  # slow, and so it makes the other no younger
    far.here += age
    far.estimate.observe(10_000_000, far.here - 0.5)
    assert far.estimate.last() == (10_000_250 if accepted else 9_000_500 + int(age * 1000))


@pytest.mark.parametrize("silent", [False, True])
async def test_a_reading_that_is_slow_or_fails_is_not_repeated_at_once(silent):
    class Failing(Far):
        async def read(self) -> int:
            ms = await super().read()
            if silent and self.readings > 1:
                raise StoreUnavailable
            return ms

    far = Failing()
    await far.estimate.now()
    far.takes = 0.5
    for readings in (2, 3):
        far.here += 2.0625
        for _ in range(3):
            await far.estimate.now()
            await settle(3)
        assert far.readings == readings
    assert await far.estimate.now() == 9_000_000 + 2 * 2562 + 1
