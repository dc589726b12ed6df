"""The matches that a process remembers: when they are read, and when they are forgotten."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from taflhall_service.app import errors
from taflhall_service.app.matches.abandon import AbandonIdle, AbandonMatch, abandon
from taflhall_service.app.matches.create import store_new_match
from taflhall_service.app.matches.damage import (
    FIELDS_UNREADABLE,
    MAX_NOTED,
    DamageLog,
    damaged_part,
)
from taflhall_service.app.matches.indexes import CODES, queue_for_jobs, queue_of
from taflhall_service.app.matches.reactions import AT_ONCE, MAX_SEATS, SECONDS_EACH, ReactionLimiter
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.model.clocks import Moment, TimeControl
from taflhall_service.app.model.codec import index_key_of
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Seat
from taflhall_service.app.model.spectator_policy import SpectatorPolicy, SpectatorSettings
from taflhall_service.app.ports.match_store import (
    ADMIN_PREFIX,
    HEARTBEAT_TIMEOUT_MS,
    DueQueue,
    MatchSummary,
    Version,
)
from taflhall_service.app.watching.channels import Hub
from taflhall_service.observability.tracing import Tracer
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.requests.matches import (
    CREATOR,
    FINGERPRINT,
    LIMITS,
    bot,
    caller,
    open_match,
    playing,
    seat,
)
from tests.service.requests.process import Process, T
from tests.waiting import settle, until


async def holding(match: Match) -> Process:
    process = Process()
    await process.hold(match)
    return process


def called(match_id: str) -> Match:
    match = open_match(seat("ann"), Seat())
    return match.replaced(origin=replace(match.origin, match_id=match_id))


async def test_the_match_that_was_used_longest_ago_makes_room():
    matches = Process(tables=3).matches
    kept = [called(name) for name in ("a", "b", "c", "d")]
    for match in (*kept[:3], kept[0], kept[3]):
        matches.remember(match)
    assert [matches.cached(name) is not None for name in "abcd"] == [True, False, True, True]
    assert len(matches) == 3
    matches.forget("a")
    matches.forget("nobody knows it")
    assert matches.cached("a") is None
    assert {matches.any_id() for _ in range(50)} <= {"c", "d"}
    assert Process().matches.any_id() == ""


async def test_a_match_is_read_once_as_long_as_it_is_current():
    process = await holding(open_match(seat("ann"), Seat()))
    matches, store = process.matches, process.store
    known = matches.cached("match")
    assert await matches.current("match") is known
    assert await matches.cached_or_load("match") is known
    assert store.loads == 0
    assert await matches.fresh("match") is known
    assert store.loads == 1
    stored = store.memory.matches["match"]
    store.memory.matches["match"] = stored._replace(version=stored.version.changed())
    assert await matches.cached_or_load("match") is known
    newer = await matches.current("match")
    assert newer is not known
    assert matches.cached("match") is newer
    assert store.loads == 2


@pytest.mark.parametrize(
    ("match_id", "error"),
    [
        ("", errors.Malformed),
        ("unknown", errors.MatchNotFound),
        ("no:id", errors.MatchNotFound),
        ("\u00e9", errors.MatchNotFound),
    ],
)
async def test_an_unknown_match_is_not_found(match_id: str, error: type[errors.Refused]):
    process = Process()
    matches, store = process.matches, process.store
    with pytest.raises(error):
        await matches.fresh(match_id)
    assert store.loads == (match_id == "unknown")
    with pytest.raises(errors.MatchNotFound) as refused:
        await matches.fresh("x" * 65)
    assert refused.value.metadata == {"match_id": "x" * 64}
    with pytest.raises(errors.MatchNotFound) as refused:
        await matches.fresh(":" * 65)
    assert refused.value.metadata == {"match_id": ":" * 64}


async def test_a_match_that_is_gone_is_forgotten():
    process = await holding(open_match(seat("ann"), Seat()))
    matches, store = process.matches, process.store
    store.memory.drop("match")
    with pytest.raises(errors.MatchNotFound):
        await matches.current("match")
    assert matches.cached("match") is None


async def test_a_match_that_an_administrator_has_frozen_is_read_and_a_damaged_one_is_not():
    process = await holding(open_match(seat("ann"), Seat()))
    matches, store = process.matches, process.store
    stored = store.memory.matches["match"]
    store.memory.matches["match"] = stored._replace(frozen=ADMIN_PREFIX + b"why")
    assert (await matches.fresh("match")).id == "match"
    store.memory.matches["match"] = stored._replace(frozen=b"its seats are damaged")
    with pytest.raises(errors.StoredDataDamaged) as refused:
        await matches.fresh("match")
    assert refused.value.metadata == {"match_id": "match"}
    assert matches.cached("match") is None


async def test_a_match_that_was_written_by_a_newer_release_is_left_alone():
    process = await holding(open_match(seat("ann"), Seat()))
    matches, store = process.matches, process.store
    matches.forget("match")
    stored = store.memory.matches["match"]
    store.memory.matches["match"] = stored._replace(schema=99)
    with pytest.raises(errors.RulesTooNew) as refused:
        await matches.fresh("match")
    assert refused.value.metadata == {"match_id": "match"}
    assert store.memory.damaged == {}


# ---------------------------------------------------------------- damage


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("origin", "its origin is damaged"),
        ("status", "its status is damaged"),
        ("seats", "its seats are damaged"),
        ("snapshot", "its snapshot is damaged"),
        ("result", "its result is damaged"),
        ("clocks", "its clocks are damaged"),
        ("proposal", "its proposal is damaged"),
        ("visible_states", "its visible states are damaged"),
    ],
)
async def test_a_damaged_field_is_named_and_the_match_is_frozen(name: str, what: str):
    process = await holding(open_match(seat("ann"), Seat()))
    matches, store = process.matches, process.store
    matches.forget("match")
    stored = store.memory.matches["match"]
    assert damaged_part(stored) == ""
    broken: dict[str, Any] = {name: b"\xc1" * 40}
    store.memory.matches["match"] = stored._replace(**broken)
    assert damaged_part(store.memory.matches["match"]) == what
    with pytest.raises(errors.StoredDataDamaged):
        await matches.fresh("match")
    assert store.memory.damaged == {"match": what.encode()}
    assert store.memory.matches["match"].frozen == what.encode()


async def test_a_damaged_match_is_frozen_once_by_a_process():
    store = MemoryStore()
    log = DamageLog(store)
    await log.note("match", "why")
    await store.forget_damage("match")
    await log.note("match", "why")
    assert store.memory.damaged == {}
    for number in range(MAX_NOTED - 1):
        await log.note(f"other{number}", "why")
    await store.forget_damage("match")
    await log.note("match", "why")
    assert "match" not in store.memory.damaged
    await log.note("one more", "why")  # there is no room, so what was noted is forgotten
    await log.note("match", "why")
    assert "match" in store.memory.damaged


class SilentStore(MemoryStore):
    """Does not answer at first."""

    silent = True

    async def freeze_damaged(self, match_id: str, why: bytes) -> None:
        if self.silent:
            raise errors.StoreUnavailable
        await super().freeze_damaged(match_id, why)


async def test_damage_that_could_not_be_noted_is_noted_the_next_time():
    store = SilentStore()
    log = DamageLog(store)
    await log.note("match", "why")
    store.silent = False
    await log.note("match", "why")
    assert store.memory.damaged == {"match": b"why"}


# ---------------------------------------------------------------- abandoned before the start


@pytest.mark.parametrize("delayed", [False, True])
async def test_a_match_that_was_abandoned_before_its_start_is_kept_for_a_while(delayed: bool):
    policy = SpectatorPolicy.DELAYED if delayed else SpectatorPolicy.PUBLIC
    settings = SpectatorSettings(policy, 1000 if delayed else 0)
    match = open_match(seat("ann"), Seat(), spectators=settings)
    process = await holding(match)
    matches, store = process.matches, process.store
    matches.keep_seconds = 3600.0
    assert (await abandon(matches, "match", AbandonIdle(match.version))).over
    key, memory = index_key_of(match.origin), store.memory
    assert (key in memory.indexes[""]) == delayed
    assert memory.indexes[CODES] == []
    assert set(memory.keeps) == {"match"}
    assert memory.queues[DueQueue.IDLE] == {}
    memory.keeps["match"].cancel()


async def test_a_match_may_be_abandoned_again_by_the_same_request():
    process = await holding(open_match(seat("ann"), Seat()))
    request = AbandonMatch(caller(CREATOR), "id", FINGERPRINT)
    for _ in range(2):
        assert (await abandon(process.matches, "match", request)).over
    process.memory.keeps["match"].cancel()


async def test_a_match_that_has_begun_is_kept_when_it_is_abandoned():
    match = playing(seat("ann"), seat("bob"))
    process = await holding(match)
    matches, store = process.matches, process.store
    assert (await abandon(matches, "match", AbandonIdle(match.version))).over
    assert store.memory.keeps == {}
    assert store.memory.indexes[CODES] != []


async def test_a_match_that_has_changed_meanwhile_is_not_abandoned():
    match = open_match(seat("ann"), Seat())
    process = await holding(match)
    matches, store = process.matches, process.store
    left = await abandon(matches, "match", AbandonIdle(match.version.changed()))
    assert not left.over
    assert store.memory.keeps == {}


# ---------------------------------------------------------------- queues


@pytest.mark.parametrize(
    ("summary", "queue", "name", "due"),
    [
        (MatchSummary(b"open", b"", changed=b"5"), DueQueue.IDLE, "match", 5),
        (MatchSummary(b"playing", b"", changed=b"5"), DueQueue.IDLE, "match", 5),
        (MatchSummary(b"finished", b"", changed=b"5"), DueQueue.ARCHIVE, "match", T),
        (MatchSummary(b"abandoned", b"", changed=b"5"), DueQueue.ARCHIVE, "match", T),
        (MatchSummary(b"finished", b"digest"), DueQueue.EXPIRY, "000000000009match", T),
        (MatchSummary(b"\xff", b""), DueQueue.IDLE, "match", 0),
    ],
)
async def test_a_match_waits_in_the_queue_of_the_job_that_it_is_for(summary, queue, name, due):
    store, key = MemoryStore(), "000000000009match"
    assert queue_of(key, summary) == (queue, name)
    await queue_for_jobs(store, key, summary, T)
    assert {each: names for each, names in store.memory.queues.items() if names} == {
        queue: {name: due}
    }


# ---------------------------------------------------------------- the time


async def test_no_time_is_trusted_beyond_that_of_the_last_heartbeat():
    process = Process()
    matches, store, clock = process.matches, process.store, process.clock
    assert (await matches.trusted_now()).ms == T
    assert store.memory.sign == T
    clock[0] = T + HEARTBEAT_TIMEOUT_MS
    assert (await matches.trusted_now()).ms == clock[0]
    assert store.memory.sign == T
    clock[0] += 1
    assert (await matches.trusted_now()).ms == clock[0]
    assert store.memory.sign == clock[0]


class HastyStore(MemoryStore):
    """Estimates a time that is far ahead of its own clock."""

    def estimated_now(self) -> int:
        return super().estimated_now() + HEARTBEAT_TIMEOUT_MS + 500


async def test_a_clock_that_is_ahead_is_cut_to_what_is_trusted():
    store = HastyStore(Memory(lambda: T))
    matches = Matches(store, Hub(store), LIMITS, bytes(32), 3)
    assert (await matches.trusted_now()).ms == T + HEARTBEAT_TIMEOUT_MS


async def test_a_server_sends_heartbeats_until_it_stops():
    process = Process()
    sending = asyncio.create_task(process.matches.store_clock.run())
    await until(lambda: process.memory.sign == T)
    process.clock[0] += 1
    await until(lambda: process.memory.sign == T + 1)
    sending.cancel()


async def test_an_outage_is_known_from_its_end_on():
    """It ends as long after the first heartbeat as its clients may have waited."""
    process = Process()
    store_clock, clock = process.matches.store_clock, process.clock
    await store_clock.send_heartbeat()
    assert store_clock.trusted_until == T + HEARTBEAT_TIMEOUT_MS
    back = clock[0] = T + HEARTBEAT_TIMEOUT_MS + 5000
    await store_clock.send_heartbeat()
    outage = (T + HEARTBEAT_TIMEOUT_MS, back + HEARTBEAT_TIMEOUT_MS)
    assert store_clock.outages == (outage,)
    assert (await process.matches.now()).outages == (outage,)
    clock[0] = back + 100
    assert store_clock.now(100) == Moment(back, (outage,))
    assert store_clock.now(101) == Moment(back - 1)
    assert store_clock.now() == Moment(back + 100, (outage,))


# ---------------------------------------------------------------- deadlines


async def test_the_deadline_of_a_match_is_noted_and_that_of_a_bot_at_once():
    match = playing(seat("ann"), seat("bob"), clock=TimeControl(9000))
    process = await holding(match)
    matches, store = process.matches, process.store
    matches.schedule(match)
    await matches.idle(60)
    assert store.memory.queues[DueQueue.DEADLINES] == {"match": 11_000}
    assert not matches.deadline_now.is_set()
    bots = match.replaced(seats=(bot("A"), bot("B")))
    matches.schedule(bots)
    assert (matches.due_now, matches.deadline_now.is_set()) == ({"match"}, True)
    await matches.idle(60)
    assert store.memory.queues[DueQueue.DEADLINES] == {"match": 0}
    matches.schedule(match.replaced(pending={}))
    await matches.idle(60)
    assert store.memory.queues[DueQueue.DEADLINES] == {}


async def test_only_a_match_in_which_the_server_may_have_to_act_is_scheduled():
    for match, noted in (
        (playing(seat("ann"), seat("bob")), {}),
        (playing(seat("ann"), seat("bob"), clock=TimeControl(9000)), {"match": 11_000}),
    ):
        process = await holding(match)
        matches, store = process.matches, process.store
        matches.committed(match.version, match, ())
        await matches.idle(60)
        assert store.memory.queues[DueQueue.DEADLINES] == noted


async def test_the_deadline_of_the_newest_version_is_noted():
    match = playing(seat("ann"), seat("bob"), clock=TimeControl(9000))
    process = await holding(match)
    matches, store = process.matches, process.store
    old = match.replaced(version=Version(0, match.version.head, 0), pending={})
    matches.forget("match")
    matches.schedule(old)
    await matches.idle(60)
    assert store.memory.queues[DueQueue.DEADLINES] == {"match": 11_000}


# ---------------------------------------------------------------- work that goes on


async def test_a_change_is_completed_although_its_caller_has_gone():
    matches = Process().matches
    done, proceed = list[str](), asyncio.Event()

    async def work() -> str:
        await proceed.wait()
        done.append("done")
        return "result"

    caller = asyncio.create_task(matches.shield(work()))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert done == []
    proceed.set()
    await matches.idle(60)
    assert done == ["done"]
    assert await matches.shield(work()) == "result"


class Outcome:
    """What some work leaves behind."""


async def test_nothing_is_kept_of_work_that_has_ended():
    matches = Process().matches

    async def work() -> Outcome:
        return Outcome()

    left = [weakref.ref(await matches.shield(work()))]
    task = asyncio.create_task(work())
    matches.track(task)
    left.append(weakref.ref(await task))
    del task
    await settle(3)
    gc.collect()
    assert [outcome() for outcome in left] == [None, None]


def test_a_process_makes_its_spans_with_the_tracer_it_was_given():
    store, tracer = MemoryStore(), Tracer()
    assert Matches(store, Hub(store), LIMITS, bytes(32), 3, tracer=tracer).tracer is tracer


class Unreadable(MemoryStore):
    """Cannot read any match."""

    async def load(self, match_id: str) -> Any:
        raise errors.StoredDataDamaged(match_id=match_id)


async def test_a_match_whose_fields_cannot_be_read_is_frozen():
    store = Unreadable()
    matches = Matches(store, Hub(store), LIMITS, bytes(32), 3)
    with pytest.raises(errors.StoredDataDamaged):
        await matches.fresh("match")
    assert store.memory.damaged == {"match": FIELDS_UNREADABLE.encode()}


@pytest.mark.parametrize(
    ("failure", "logged"), [(None, []), (errors.Busy(), []), (ValueError(), ["ValueError"])]
)
async def test_a_failure_that_nobody_waits_for_is_logged(failure: Any, logged: list[str]):
    matches, proceed = Process().matches, asyncio.Event()

    async def work() -> None:
        await proceed.wait()
        if failure is not None:
            raise failure

    with capture_logs() as lines:
        caller = asyncio.create_task(matches.shield(work()))
        matches.track(asyncio.create_task(work()))
        await settle(3)
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
        proceed.set()
        await matches.idle(60)
        await settle(3)
    kinds = [line["kind"] for line in lines if line["event"] == "task_failed"]
    assert kinds == logged * 2


async def test_a_commit_wakes_those_who_watch_the_match():
    match = playing(seat("ann"), seat("bob"))
    process = await holding(match)
    channel = process.matches.hub.open(match)
    after = match.changed()
    process.matches.committed(match.version, after, ())
    assert (channel.match, channel.wakeups) == (after, 1)
    assert process.matches.cached("match") is after
    process.matches.hub.close(channel)
    await process.matches.hub.stop()


async def test_nobody_waits_for_ever_for_changes_that_are_under_way():
    matches = Process().matches
    await matches.idle(60)
    task = asyncio.create_task(asyncio.Event().wait())
    matches.track(task)
    await matches.idle(0.001)
    assert not task.done()
    task.cancel()
    await matches.idle(60)


async def test_a_match_under_the_id_of_another_ends_what_was_watched():
    process = await holding(open_match(seat("ann"), Seat()))
    matches, store = process.matches, process.store
    channel = matches.hub.open(await matches.current("match"))
    assert await matches.watched(channel) is matches.cached("match")
    assert store.loads == 0
    matches.forget("match")
    assert (await matches.watched(channel)).id == "match"
    assert store.loads == 1
    channel.version = channel.version.changed()
    assert (await matches.watched(channel)).id == "match"
    assert store.loads == 2
    other = open_match(seat("ann"), Seat())
    other = other.replaced(origin=replace(other.origin, chain=b"o" * 32))
    store.memory.drop("match")
    await store_new_match(matches, other, FINGERPRINT, "")
    with pytest.raises(errors.MatchNotFound):
        await matches.watched(channel)
    assert channel.deleted
    matches.hub.close(channel)
    await matches.hub.stop()


# ---------------------------------------------------------------- reactions


def test_the_seat_that_has_been_silent_longest_is_forgotten_first():
    now = [0.0]
    limiter = ReactionLimiter(lambda: now[0])
    for _ in range(AT_ONCE):
        limiter.spend("first", 0)
    for number in range(MAX_SEATS - 1):
        limiter.spend("match", number)
    with pytest.raises(errors.RateLimited):
        limiter.spend("first", 0)
    now[0] += SECONDS_EACH
    limiter.spend("first", 0)  # after all others
    limiter.spend("another", 0)
    with pytest.raises(errors.RateLimited) as limited:
        limiter.spend("first", 0)
    assert limited.value.metadata["retry_after_ms"] == "2000"
    for number in range(1, MAX_SEATS):
        limiter.spend("other", number)
    limiter.spend("first", 0)


@pytest.mark.parametrize(
    ("passed", "wait_ms"), [(0.0, 2000), (0.5, 1500), (0.511, 1500), (1.4995, 520), (1.999, 20)]
)
def test_a_seat_is_told_to_the_next_step_how_long_it_waits(passed: float, wait_ms: int):
    now = [0.0]
    limiter = ReactionLimiter(lambda: now[0])
    for _ in range(AT_ONCE):
        limiter.spend("match", 0)
    now[0] = passed
    with pytest.raises(errors.RateLimited) as limited:
        limiter.spend("match", 0)
    assert limited.value.metadata["retry_after_ms"] == str(wait_ms)
