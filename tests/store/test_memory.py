"""A store in memory keeps its times to the millisecond, and counts as any store does."""

from __future__ import annotations

from prometheus_client import CollectorRegistry

from taflhall_service.app.ports.match_store import (
    HEARTBEAT_TIMEOUT_MS,
    MAX_OUTAGES,
    PRESENCE_KEEP_MS,
    CommitStatus,
)
from taflhall_service.observability.metrics import StoreMetrics
from taflhall_service.store.memory import Memory, MemoryStore
from tests.store.test_commits import START, command, creation
from tests.waiting import settle

T = 1_000_000


class Timed:
    """A store whose time only the test advances."""

    def __init__(self) -> None:
        self.now = T
        self.store = MemoryStore(Memory(lambda: self.now))

    async def outages_after(self, *silences: int) -> tuple[tuple[int, int], ...]:
        """Return the outages that heartbeats after these silences note."""
        found = await self.store.heartbeat()
        for silence in silences:
            self.now += silence
            found = await self.store.heartbeat()
            assert found.now == self.now
        return found.outages


async def test_a_silence_is_an_outage_if_it_is_longer_than_the_limit():
    limit = HEARTBEAT_TIMEOUT_MS
    assert await Timed().outages_after() == ()
    assert await Timed().outages_after(limit) == ()
    assert await Timed().outages_after(limit + 1) == ((T + limit, T + 2 * limit + 1),)
    two = await Timed().outages_after(limit + 1, limit + 1)
    assert [stop - start for start, stop in two] == [limit + 1] * 2


async def test_the_newest_outages_are_kept():
    outages = await Timed().outages_after(*[HEARTBEAT_TIMEOUT_MS + 1] * (MAX_OUTAGES + 2))
    assert len(outages) == MAX_OUTAGES
    first, step = T + HEARTBEAT_TIMEOUT_MS, HEARTBEAT_TIMEOUT_MS + 1
    assert [start for start, _ in outages] == [first + step * n for n in range(2, MAX_OUTAGES + 2)]


async def test_no_outage_covers_what_another_covers():
    timed, limit = Timed(), HEARTBEAT_TIMEOUT_MS
    noted = await timed.outages_after(limit + 1, limit + 1)
    timed.now -= limit + 1  # the clock jumps back, and then to where it was
    assert len(noted) == 2
    assert await timed.outages_after(limit + 1) == noted


async def test_a_commit_is_made_at_its_time():
    timed = Timed()
    await timed.store.commit(creation("match"))
    due = command("match", START, "0:one")._replace(not_before=T + 1)
    assert (await timed.store.commit(due)).status is CommitStatus.TOO_EARLY
    timed.now += 1
    assert (await timed.store.commit(due)).status is CommitStatus.COMMITTED


async def test_claims_and_presence_are_kept_until_their_time():
    timed = Timed()
    await timed.store.claim("name", b"value", b"", 1000)
    await timed.store.report_presence("match", {"one:0": b"1"})
    timed.now += 999
    assert await timed.store.claimed("name") == b"value"
    timed.now += 1
    assert await timed.store.claimed("name") == b""
    timed.now = T + PRESENCE_KEEP_MS - 1
    assert await timed.store.presence("match") == {"one:0": b"1"}
    timed.now += 1
    assert await timed.store.presence("match") == {}


async def test_commits_are_counted_by_their_outcome_and_timed():
    registry = CollectorRegistry()
    store = MemoryStore(metrics=StoreMetrics(registry))
    for _ in range(2):
        await store.commit(creation("match"))

    def counted(outcome: str) -> float | None:
        return registry.get_sample_value("taflhall_commits_total", {"outcome": outcome})

    assert (counted("committed"), counted("duplicate")) == (1, 1)
    seconds = registry.get_sample_value("taflhall_commit_seconds_sum")
    assert seconds is not None
    assert 0 <= seconds < 60


async def test_a_store_that_is_closed_hears_of_nothing():
    memory = Memory()
    one, two = MemoryStore(memory), MemoryStore(memory)
    heard: list[str] = []
    two.on_signal(lambda match_id, _: heard.append(match_id))
    await two.listen("match")
    await one.signal("match", b"a")
    await settle(2)
    for _ in range(2):
        await two.close()
    await one.signal("match", b"b")
    await settle(2)
    assert heard == ["match"]
