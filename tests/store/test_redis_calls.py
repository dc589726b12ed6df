"""What the store asks of Redis for each call, and what it makes of the replies."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, NamedTuple

import pytest
from prometheus_client import CollectorRegistry
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError
from structlog.testing import capture_logs

from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.app.ports.match_store import (
    HEARTBEAT_TIMEOUT_MS,
    MAX_ANNOUNCEMENTS,
    MAX_OUTAGES,
    PRESENCE_KEEP_MS,
    UNREADABLE_SUMMARY,
    UNREADABLE_VERSION,
    CommitResult,
    CommitStatus,
    DueQueue,
    Durability,
    MatchSummary,
    StoredAnnouncement,
)
from taflhall_service.observability.metrics import StoreMetrics
from taflhall_service.store.redis.durability import StoreGuard
from taflhall_service.store.redis.store import (
    ALIVE,
    ANNOUNCEMENTS,
    DAMAGED,
    FIRST,
    OUTAGE_LIST,
    SHARDS,
    RedisStore,
)
from tests.store.test_batcher import Scripted
from tests.store.test_commits import START, command, creation

WRONG_TYPE = ResponseError("WRONGTYPE Operation against a key")
REFUSED = ResponseError("OOM command not allowed")


class Node(NamedTuple):
    """A primary of a cluster."""

    name: str


class Client:
    """A client of a sound store without a server; it fails while it is *broken*."""

    def __init__(self) -> None:
        self.broken = False
        self.primaries = [Node("one"), Node("two")]
        self.used = {"one": 10, "two": 30}
        self.closed = 0
        self.key: bytes | None = None

    def get_primaries(self) -> list[Node]:
        return self.primaries

    def pubsub(self) -> Any:
        return self

    async def info(self, section: str, target_nodes: Node) -> Mapping[str, Any]:
        self._fail()
        return {"used_memory": self.used.get(target_nodes.name, 0), "valkey_version": "99.0.0"}

    async def config_get(self, *_: str, target_nodes: Node) -> Mapping[str, str]:
        return {"appendonly": "yes", "appendfsync": "always"}

    async def get(self, _: str) -> bytes | None:
        return self.key

    async def scan_iter(self, *, match: str, count: int) -> AsyncIterator[bytes]:
        for key in (b"taflhall:{abc}:m", b"taflhall:{a-b}:m"):
            yield key
        self._fail()

    async def aclose(self) -> None:
        self.closed += 1

    def _fail(self) -> None:
        if self.broken:
            raise RedisConnectionError("gone")


class Over:
    """A store over a transport that returns the given replies."""

    def __init__(self, *replies: Any) -> None:
        self.client = Client()
        client: Any = self.client
        self.transport = Scripted(*replies)
        self.registry = CollectorRegistry()
        metrics, guard = StoreMetrics(self.registry), StoreGuard(Durability.DISK)
        self.store = RedisStore(client, self.transport, guard, metrics=metrics)

    @property
    def commands(self) -> list[Any]:
        return [command for commands in self.transport.pipelines for command in commands]


async def test_damage_of_one_match_is_no_failure_of_many():
    over = Over(WRONG_TYPE, [b"7", b"head", b"0"], WRONG_TYPE, [b"open"] + [None] * 3)
    assert (await over.store.versions(["a", "b"]))[0] == UNREADABLE_VERSION
    assert await over.store.summaries(["a", "b"]) == [
        UNREADABLE_SUMMARY,
        MatchSummary(b"open", b""),
    ]
    assert await Over(WRONG_TYPE, b"why", None).store.frozen(["a", "b", "c"]) == [b"", b"why", b""]


async def test_a_failure_of_one_match_of_many_is_one_of_the_call():
    for name in ("versions", "summaries", "frozen"):
        with pytest.raises(StoreUnavailable):
            await getattr(Over(REFUSED, None).store, name)(["a", "b"])


async def test_a_note_is_kept_for_its_time_to_the_millisecond():
    over = Over([b"OK"], [b"OK"], [b"CONFLICT"])
    assert await over.store.set_field("abc", START, "archived", b"digest", 1.5)
    assert await over.store.set_field("abc", START, "archived", b"digest")
    assert not await over.store.set_field("abc", START, "archived", b"digest", 0.0)
    assert [command[-1] for command in over.commands] == [1500, "", 0]


async def test_the_damaged_are_named_as_far_as_they_can_be_names():
    over = Over([b"abc", b"why", b"a-b", b"what"])
    assert await over.store.damaged() == {"abc": b"why"}
    assert over.commands == [("HGETALL", DAMAGED)]


async def test_announcements_are_read_from_the_first_or_after_one_that_is_there():
    one, two = [b"1-0", [b"text", b"a"]], [b"2-0", [b"text", b"b"]]
    first, second = StoredAnnouncement("1-0", b"a"), StoredAnnouncement("2-0", b"b")
    assert await Over([one, two]).store.announcements(FIRST, 5) == [first, second]
    assert await Over([]).store.announcements(FIRST, 5) == []
    after = Over([one, two])
    assert await after.store.announcements("1-0", 5) == [second]
    assert after.commands[0][-2:] == ("COUNT", 6)
    assert await Over([one]).store.announcements("1-0", 5) == []
    assert await Over([two]).store.announcements("1-0", 5) is None
    assert await Over([]).store.announcements("1-0", 5) is None
    assert await Over([]).store.last_announcement() == FIRST
    assert await Over([two]).store.last_announcement() == "2-0"
    over = Over(b"3-0")
    await over.store.announce(b"c")
    kept = "MAXLEN", "~", MAX_ANNOUNCEMENTS
    assert over.commands == [("XADD", ANNOUNCEMENTS, *kept, "*", "text", b"c")]


async def test_names_that_no_server_can_have_written_are_removed():
    over = Over([b"good", b"b-d", b"\xff"], 2)
    assert await over.store.index_page("", 10) == ["good"]
    assert over.commands[1:] == [("ZREM", "taflhall:matches", b"b-d", b"\xff")]
    sound = Over([b"good"])
    assert await sound.store.index_page("", 10) == ["good"]
    assert len(sound.commands) == 1


async def test_what_is_due_comes_from_all_parts_of_a_queue_in_order():
    over = Over([b"d", b"4", b"b", b"2"], [b"a", b"1"], [], [b"c", b"3"])
    assert await over.store.due(9, 3, DueQueue.IDLE) == ["a", "b", "c"]
    assert len(over.commands) == SHARDS
    assert {command[-1] for command in over.commands} == {3}
    assert await Over(1, 2, 3, 4).store.queue_length(DueQueue.IDLE) == 10
    assert await Over(b"5.0", None).store.due_times(["a", "b"], DueQueue.IDLE) == [5, None]


async def test_the_time_is_read_once_and_counted_on():
    over = Over([b"12", b"345678"])
    first = await over.store.now()
    assert 12_345 <= first < 72_345
    assert first <= over.store.estimated_now() <= await over.store.now() < 72_345
    (command,) = over.commands
    assert (command[0], *command[2:]) == ("EVAL", 1, ALIVE)
    with pytest.raises(StoreUnavailable):
        Over().store.estimated_now()


async def test_a_heartbeat_tells_the_time_and_the_outages():
    over = Over([b"5000", [b"1000 2000", b"3000 4000"]])
    found = await over.store.heartbeat()
    assert found == (5000, ((1000, 2000), (3000, 4000)))
    assert 5000 <= over.store.estimated_now() < 65_000
    limits = HEARTBEAT_TIMEOUT_MS, MAX_OUTAGES
    assert over.commands[0][2:] == (2, ALIVE, OUTAGE_LIST, *limits)


async def test_a_commit_is_counted_by_its_outcome_and_says_what_it_dropped():
    done = [CommitStatus.COMMITTED.value.encode()]
    over = Over([*done, 0], [*done, 2], [b"DUPLICATE", b"answer"])
    with capture_logs() as logged:
        assert await over.store.commit(creation("abc")) == (CommitStatus.COMMITTED, b"")
        assert logged == []
        await over.store.commit(command("abc", START, "0:one"))
        again = await over.store.commit(creation("abc"))
    assert again == CommitResult(CommitStatus.DUPLICATE, b"answer")
    assert [(line["event"], line["entries"]) for line in logged] == [("foreign_entries_dropped", 2)]
    counted = [
        over.registry.get_sample_value("taflhall_commits_total", {"outcome": outcome})
        for outcome in ("committed", "duplicate")
    ]
    assert counted == [2, 1]
    seconds = over.registry.get_sample_value("taflhall_commit_seconds_sum")
    assert seconds is not None
    assert 0 <= seconds < 60


async def test_a_commit_sends_what_is_expected_and_what_is_to_be_written():
    over = Over([CommitStatus.COMMITTED.value.encode(), 0], [b"CONFLICT"])
    await over.store.commit(creation("abc"))
    await over.store.commit(command("abc", START, "0:one", many=2))
    made, done = over.commands
    keys = tuple(f"taflhall:{{abc}}:{part}" for part in "mein")
    assert made[2:10] == (4, *keys, "", "", "")
    assert done[2:10] == (4, *keys, 0, b"start", 0)
    number = done[15]
    assert done[16 : 16 + number : 2] == ("revision", "head", "change_id", "snapshot", "status")
    assert done[17] == 2
    assert [done[16 + number], done[19 + number]] == [1, 2]
    assert len(done) == 16 + number + 6


async def test_the_memory_in_use_is_that_of_the_fullest_server():
    over = Over()
    assert await over.store.memory_used() == 30
    over.client.broken = True
    with pytest.raises(StoreUnavailable):
        await over.store.memory_used()


async def test_a_scan_that_breaks_off_is_a_failure():
    over = Over()
    assert [match_id async for match_id in over.store.scan_ids()] == ["abc"]
    over.client.broken = True
    with pytest.raises(StoreUnavailable):
        assert [match_id async for match_id in over.store.scan_ids()]


async def test_other_primaries_than_before_are_a_failover():
    over = Over()
    with capture_logs() as logged:
        for number, primaries in enumerate((["one", "two"], ["two", "one"], ["one", "three"], [])):
            over.client.primaries = [Node(name) for name in primaries]
            if primaries:
                await over.store.ping()
            assert over.store.failovers == (number >= 2)
    assert [line["event"] for line in logged] == ["failed_over"]
    over.client.broken = True
    over.client.primaries = [Node("one")]
    with pytest.raises(StoreUnavailable):
        await over.store.ping()
    assert over.store.failovers == 1
    over.client.broken = False
    over.client.primaries = [Node("four"), Node("one")]
    await over.store.ping()
    assert over.store.failovers == 2


async def test_the_key_of_the_servers_is_made_by_the_first():
    over = Over(None, b"k" * 32)
    assert await over.store.key() == b"k" * 32
    made, asked = over.commands
    assert (made[0], made[1], len(made[2]), made[3]) == ("SET", asked[1], 32, "NX")
    assert asked[0] == "GET"


async def test_a_store_without_the_key_of_the_servers_is_another_one():
    over = Over(None, b"k" * 32)
    await over.store.ping()
    await over.store.key()
    with pytest.raises(StoreUnavailable):
        await over.store.ping()
    over.client.key = b"k" * 32
    await over.store.ping()


async def test_presence_is_kept_for_its_time():
    over = Over(1, 1, [b"one:0", b"1", b"two:1", b"2"])
    await over.store.report_presence("abc", {"one:0": b"1", "two:1": b"2"})
    assert await over.store.presence("abc") == {"one:0": b"1", "two:1": b"2"}
    key = "taflhall:{abc}:p"
    assert over.commands == [
        ("HSET", key, "one:0", b"1", "two:1", b"2"),
        ("PEXPIRE", key, PRESENCE_KEEP_MS),
        ("HGETALL", key),
    ]


async def test_the_audit_log_is_ordered_by_the_keys_of_its_entries():
    key, audit = "0" * 20, "taflhall:{accounts}:audit"
    over = Over(1, [key.encode() + b"did it"], [])
    await over.store.accounts.append_audit(key, b"did it")
    assert await over.store.accounts.read_audit("", 5) == [(key, b"did it")]
    assert await over.store.accounts.read_audit(key, 5) == []
    lists = "ZREVRANGEBYLEX", audit
    assert over.commands == [
        ("ZADD", audit, 0, key.encode() + b"did it"),
        (*lists, "+", "-", "LIMIT", 0, 5),
        (*lists, f"({key}", "-", "LIMIT", 0, 5),
    ]


async def test_values_of_a_namespace_are_read_by_name_and_changed_by_a_script():
    pairs = [b"one", b"1", b"two", b"2", b"three", b"3"]
    over = Over([b"a", None], pairs, [b"OK"], [b"CONFLICT"])
    accounts, key = over.store.accounts, "taflhall:{accounts}:notes"
    assert await accounts.read("notes", ["one", "two"]) == [b"a", b""]
    assert await accounts.all("notes") == {"one": b"1", "two": b"2", "three": b"3"}
    assert await accounts.compare_and_set("notes", "name", b"new", b"old") is True
    assert await accounts.compare_and_set("notes", "name", b"new", b"old") is False
    assert await accounts.read("notes", []) == []
    assert over.commands[:2] == [("HMGET", key, "one", "two"), ("HGETALL", key)]
    assert over.commands[2][2:] == (1, key, "name", b"new", b"old")


async def test_a_store_closes_its_client_and_what_it_was_opened_with():
    closed: list[str] = []

    async def close() -> None:
        closed.append("server")

    for on_close in (None, close):
        client: Any = Client()
        store = RedisStore(client, Scripted(), StoreGuard(Durability.DISK), on_close)
        await store.close()
        assert client.closed == 2  # that of the notifications as well
    assert closed == ["server"]
