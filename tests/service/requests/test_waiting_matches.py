"""Jobs over matches that wait: what is idle, what is queued again, and at which pace."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from structlog.testing import capture_logs

from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.app.jobs.idle_matches import LOOK_AGAIN_MS, PATIENCE_MS, IdleMatchCloser
from taflhall_service.app.jobs.idle_matches import PAGE as IDLE_PAGE
from taflhall_service.app.jobs.pacing import Throttle
from taflhall_service.app.jobs.queue_repair import CLAIM, LEASE_MS, PAGE, PERIOD_MS, QueueRepair
from taflhall_service.app.model.clocks import TimeControl
from taflhall_service.app.model.codec import index_key_of
from taflhall_service.app.model.match import ABANDONED, OPEN, PLAYING, Match
from taflhall_service.app.model.records import Seat
from taflhall_service.app.ports.match_store import (
    UNREADABLE_SUMMARY,
    DueQueue,
    MatchSummary,
    StoredMatch,
)
from taflhall_service.app.tournaments.listing import index_key, index_of
from tests.service.requests.matches import open_match, playing, seat
from tests.service.requests.process import Process, T
from tests.service.tournaments.values import Office
from tests.virtual_time import in_virtual_time
from tests.waiting import take

HOUR = 3_600_000
HOURS = 10
LIMIT = HOURS * HOUR
TWO = (seat("ann"), seat("bob"))


# ---------------------------------------------------------------- the pace


async def test_work_rests_for_as_long_as_its_share_says():
    times, rests = [0.0], list[float]()

    async def sleep(seconds: float) -> None:
        rests.append(seconds)
        times[0] += seconds

    pace = Throttle(0.25, 2.0, lambda: times[0], sleep)
    for worked in (1.5, 0.25):
        times[0] += worked
        await pace.yield_()
    assert rests == []
    times[0] += 0.25
    await pace.yield_()
    assert rests == [6.0]
    await pace.yield_()
    times[0] += 1.0
    await pace.yield_()
    assert rests == [6.0]
    times[0] += 100.0
    pace.start()
    times[0] += 1.0
    await pace.yield_()
    assert rests == [6.0]
    times[0] += 2.0
    await pace.yield_()
    assert rests == [6.0, 9.0]


async def test_the_whole_share_never_rests():
    times, rests = [0.0], list[float]()

    async def sleep(seconds: float) -> None:
        rests.append(seconds)

    pace = Throttle(1.0, 1.0, lambda: times[0], sleep)
    times[0] += 5.0
    await pace.yield_()
    assert rests == [0.0]


# ---------------------------------------------------------------- idle matches


async def waiting(match: Match, changed: int) -> tuple[Process, IdleMatchCloser]:
    """Return a process with a match that changed last at *changed*, and is due to be looked at."""
    process = Process()
    await process.hold(match)
    note(process, changed=str(changed).encode())
    return process, IdleMatchCloser(process.matches, HOURS)


def note(process: Process, **fields: bytes) -> None:
    process.memory.matches["match"] = process.memory.matches["match"]._replace(**fields)  # type: ignore[arg-type]


def queue(process: Process, which: DueQueue = DueQueue.IDLE) -> dict[str, int]:
    return process.memory.queues[which]


def pages_read(process: Process) -> list[int]:
    """Return a list that gets the number of matches whose state is read in one round trip."""
    pages: list[int] = []
    summaries = process.store.summaries

    async def counting(names: Sequence[str]) -> list[MatchSummary | None]:
        pages.append(len(names))
        found: list[MatchSummary | None] = await summaries(names)
        return found

    process.store.summaries = counting
    return pages


@pytest.mark.parametrize(("early", "closed"), [(1, 0), (0, 1)])
async def test_a_match_is_closed_when_it_has_not_changed_for_its_hours(early: int, closed: int):
    process, closer = await waiting(playing(*TWO), T)
    process.clock[0] = T + LIMIT - early
    assert await closer.scan() == closed
    assert process.stored.status == (ABANDONED if closed else PLAYING)
    assert queue(process) == ({} if closed else {"match": T})


async def test_a_match_that_is_over_waits_for_the_archive_unless_it_is_there():
    for archived in (b"", b"digest"):
        process, closer = await waiting(playing(*TWO), T)
        note(process, status=b"finished", archived=archived)
        process.clock[0] = T + LIMIT
        assert await closer.scan() == 0
        assert queue(process) == {}
        expected = {} if archived else {"match": T + LIMIT}
        assert queue(process, DueQueue.ARCHIVE) == expected


@pytest.mark.parametrize("frozen", [b"admin: why", b"damaged"])
async def test_a_match_that_cannot_be_closed_is_looked_at_again_in_an_hour(frozen: bytes):
    process, closer = await waiting(playing(*TWO), T)
    note(process, frozen=frozen)
    process.clock[0] = T + LIMIT
    assert await closer.scan() == 0
    assert queue(process) == {"match": T + LOOK_AGAIN_MS}


async def test_a_match_that_cannot_be_read_is_looked_at_again_in_an_hour():
    process, closer = await waiting(playing(*TWO), T)

    async def unreadable(names: object) -> list[MatchSummary | None]:
        return [UNREADABLE_SUMMARY]

    process.store.summaries = unreadable
    process.clock[0] = T + LIMIT
    assert await closer.scan() == 0
    assert queue(process) == {"match": T + LOOK_AGAIN_MS}


async def test_a_running_clock_keeps_a_match_open_until_it_has_been_dealt_with():
    process, closer = await waiting(playing(*TWO, clock=TimeControl(1000)), T)
    deadline = T + LIMIT + 5000
    note(process, deadline=str(deadline).encode())
    for early in (5000, 1):
        process.clock[0] = deadline - early
        assert await closer.scan() == 0
        assert queue(process) == {"match": deadline - LIMIT}
    process.clock[0] = deadline
    assert await closer.scan() == 1  # the clocks themselves ran out long ago


async def test_a_deadline_that_the_timers_have_just_missed_keeps_a_match_open():
    match = playing(*TWO, clock=TimeControl(1000))
    due = 3000  # the clock of the seat that decides began to run at 2000
    for late, closed in ((PATIENCE_MS - 5, 0), (PATIENCE_MS - 1, 0), (PATIENCE_MS, 1)):
        process = Process()
        await process.hold(match)
        process.clock[0] = due + late
        await process.matches.store_clock.send_heartbeat()
        closer = IdleMatchCloser(process.matches, 0.5)
        note(process, changed=b"1000")
        assert await closer.scan() == closed
        if not closed:
            assert queue(process) == {"match": due + PATIENCE_MS - HOUR // 2}


async def test_a_match_that_has_never_changed_counts_from_its_creation():
    match = open_match(seat("ann"), Seat())
    for early, closed in ((1, 0), (0, 1)):
        process = Process()
        await process.hold(match)
        process.clock[0] = 1000 + LIMIT - early
        assert await IdleMatchCloser(process.matches, HOURS).scan() == closed
        assert process.stored.status == (ABANDONED if closed else OPEN)


async def test_a_match_that_goes_while_it_is_looked_at_is_looked_at_again_in_an_hour():
    process, closer = await waiting(playing(*TWO), T)

    async def gone(_: str) -> None:
        return None

    process.store.load = gone
    process.clock[0] = T + LIMIT
    assert await closer.scan() == 0
    assert queue(process) == {"match": T + LOOK_AGAIN_MS}


async def test_a_match_that_changes_before_it_is_closed_is_left_to_the_next_scan():
    """A build that notes no time of a change has changed it, so that its age is not known."""
    process, closer = await waiting(playing(*TWO), T)
    load = process.store.load

    async def changing(match_id: str) -> StoredMatch:
        process.store.load = load
        found: StoredMatch = await load(match_id)
        changed = found._replace(version=found.version.changed(), changed=b"")
        process.memory.matches[match_id] = changed
        return found

    process.store.load = changing
    process.clock[0] = T + LIMIT
    assert await closer.scan() == 0
    assert queue(process) == {"match": T + 1}


async def test_idle_matches_are_read_page_by_page():
    process, closer = await waiting(playing(*TWO), T)
    queue(process).update({f"gone{number}": T for number in range(IDLE_PAGE)})
    pages = pages_read(process)
    process.clock[0] = T + LIMIT
    assert await closer.scan() == 1
    assert pages == [IDLE_PAGE, 1]


@in_virtual_time
async def test_idle_matches_are_closed_again_and_again():
    process, closer = await waiting(playing(*TWO), T)
    task = asyncio.create_task(closer.run(60.0))
    await take(61)
    assert process.stored.status == PLAYING
    process.clock[0] = T + LIMIT
    await take(61)
    assert process.stored.status == ABANDONED
    task.cancel()


# ---------------------------------------------------------------- the repair of queues


async def test_every_match_is_queued_again_and_those_that_are_gone_are_listed_no_more():
    process = Process()
    await process.hold(open_match(seat("ann"), Seat()))
    keys = [f"{2000 + number:012x}m{number}" for number in range(PAGE + 1)]
    for key in keys:
        await process.store.index_add(key)
    queue(process).clear()
    note(process, changed=b"1500")
    pages = pages_read(process)
    assert await QueueRepair(process.store).repair() == 1
    assert pages == [PAGE, 2]
    assert queue(process) == {"match": 1500}
    assert process.memory.indexes[""] == [index_key_of(process.stored.origin)]


async def test_one_server_repairs_the_queues_for_all():
    process = Process()
    other = Process(process)
    assert await QueueRepair(process.store).repair_if_due()
    assert await QueueRepair(other.store).repair_if_due() is False
    assert len(await process.store.claimed(CLAIM)) == 8


async def test_the_queues_are_repaired_once_a_week():
    process = Process()
    repair = QueueRepair(process.store)
    for _ in range(2):
        assert await repair.repair_if_due()
        process.clock[0] += PERIOD_MS - 1
        assert not await repair.repair_if_due()
        process.clock[0] += 1


async def test_a_server_that_died_while_it_repaired_the_queues_is_waited_for():
    process = Process()
    index_page = process.store.index_page

    async def silent(*_: object) -> list[str]:
        raise StoreUnavailable

    process.store.index_page = silent
    with pytest.raises(StoreUnavailable):
        await QueueRepair(process.store).repair_if_due()
    process.store.index_page = index_page
    process.clock[0] += LEASE_MS - 1
    assert not await QueueRepair(process.store).repair_if_due()
    process.clock[0] += 1
    assert await QueueRepair(process.store).repair_if_due()


@in_virtual_time
async def test_a_server_looks_regularly_whether_the_queues_are_to_be_repaired():
    process = Process()
    await process.hold(open_match(seat("ann"), Seat()))
    queue(process).clear()
    task = asyncio.create_task(QueueRepair(process.store).run(60.0))
    await take(61)
    assert "match" in queue(process)
    task.cancel()


async def test_tournaments_are_listed_again_with_the_queues():
    office = Office()
    cup = await office.cup()
    store = office.process.store
    await store.index_remove(index_key(cup), index_of(0))
    with capture_logs() as logged:
        assert await QueueRepair(store).repair_if_due()
    assert await office.listed(index_of(0)) == [index_key(cup)]
    assert [line["matches"] for line in logged if line["event"] == "queues_repaired"] == [0]


async def test_a_server_that_loses_the_race_repairs_nothing():
    process = Process()
    await process.hold(open_match(seat("ann"), Seat()))
    queue(process).clear()

    async def another(*_: object) -> bytes:
        return b"another"

    process.store.claim = another
    assert not await QueueRepair(process.store).repair_if_due()
    assert queue(process) == {}
