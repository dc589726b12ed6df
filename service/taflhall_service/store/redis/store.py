"""Matches in Redis (or Valkey): one hash, one stream and one table of request ids each.

All keys of a match carry its id as hash tag, so they share one slot of a cluster. Atomic changes
are in ``commit.lua``; its comments give the reasons. The index of matches and the
servers' shared key have slots of their own: the index is only a hint.
"""

from __future__ import annotations

import asyncio
import secrets
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from importlib.resources import files
from itertools import chain
from time import monotonic, perf_counter
from typing import Final

import structlog

from taflhall_service.app.errors import StoredDataDamaged
from taflhall_service.app.ports.match_store import (
    HEARTBEAT_TIMEOUT_MS,
    MAX_ANNOUNCEMENTS,
    MAX_OUTAGES,
    PRESENCE_KEEP_MS,
    ChangeListener,
    Commit,
    CommitResult,
    CommitStatus,
    DueQueue,
    Durability,
    HeartbeatReply,
    MatchSummary,
    PeekResult,
    SignalListener,
    StoredAnnouncement,
    StoredEntry,
    StoredMatch,
    Version,
)
from taflhall_service.observability.metrics import StoreMetrics
from taflhall_service.store.clock_estimate import ClockEstimate
from taflhall_service.store.redis.accounts import RedisAccountStore
from taflhall_service.store.redis.batcher import (
    CONNECTION_ERRORS,
    CommandBatcher,
    Script,
    unavailable,
)
from taflhall_service.store.redis.client import (
    Argument,
    ClusterNode,
    RedisClient,
    Reply,
    target_of,
)
from taflhall_service.store.redis.durability import KEY, StoreGuard
from taflhall_service.store.redis.layout import (
    FIELDS,
    VERSION_FIELDS,
    id_of_key,
    keys_of,
    match_key,
    presence_key,
    read_entry,
    read_match,
    read_version,
    readable_summary,
    readable_version,
    text_of,
    written_version,
)
from taflhall_service.store.redis.notifications import ChangeNotifications, channel_of
from taflhall_service.store.redis.transports import ClusterTransport, Transport

_log = structlog.get_logger("store")

ALIVE: Final = "taflhall:{clock}:alive"
OUTAGE_LIST: Final = "taflhall:{clock}:outages"
"""The node of a cluster that has these is also asked for the time."""

ANNOUNCEMENTS: Final = "taflhall:announcements"
FIRST: Final = "0-0"
"""The id before every entry of a stream."""

DAMAGED: Final = "taflhall:damaged"
"""The matches that were frozen as damaged, and why."""

SHARDS: Final = 4
"""Number of keys over which each queue is spread."""

_STATUSES: Final = {status.value.encode(): (status, status.name.lower()) for status in CommitStatus}
"""What ``commit.lua`` answers, and how it is counted."""

_TIME: Final = "return redis.call('TIME')"
_COMMIT: Final = files(__package__).joinpath("scripts", "commit.lua").read_text("utf-8")
_HEARTBEAT: Final = files(__package__).joinpath("scripts", "heartbeat.lua").read_text("utf-8")
_FREEZE: Final = files(__package__).joinpath("scripts", "freeze.lua").read_text("utf-8")
_CLAIM: Final = files(__package__).joinpath("scripts", "claim.lua").read_text("utf-8")
_SET_FIELD: Final = files(__package__).joinpath("scripts", "set_field.lua").read_text("utf-8")


class RedisStore:
    """Matches in one Redis, behind Sentinels, or in a cluster."""

    def __init__(
        self,
        client: RedisClient,
        transport: Transport,
        guard: StoreGuard,
        on_close: Callable[[], Awaitable[None]] | None = None,
        metrics: StoreMetrics | None = None,
    ) -> None:
        self.guard: Final = guard
        self._client = client
        self._metrics = metrics or StoreMetrics()
        self._batcher = CommandBatcher(
            transport, guard.replicas, self._metrics, may_write=lambda: not guard.problem
        )
        self._notifications = ChangeNotifications(client, isinstance(transport, ClusterTransport))
        self._heartbeat_script = Script(_HEARTBEAT)
        self._commit_script = Script(_COMMIT)
        self._freeze_script = Script(_FREEZE)
        self._claim_script = Script(_CLAIM)
        self._set_field_script = Script(_SET_FIELD)
        self.accounts = RedisAccountStore(self._batcher)
        self._on_close = on_close
        self.failovers = 0
        self._primaries: frozenset[str] = frozenset()
        self._clock = ClockEstimate(self._read_clock)

    @property
    def durability(self) -> Durability:
        return self.guard.durability

    async def commit(self, commit: Commit) -> CommitResult:
        expected = commit.expected
        before = ("", "", "") if expected is None else written_version(expected)
        version = zip(VERSION_FIELDS, written_version(commit.version), strict=True)
        fields: list[Argument] = [*chain.from_iterable((*version, *commit.fields.items()))]
        entries: list[Argument] = []
        for entry in commit.entries:
            entries += [entry.revision, entry.head, entry.body]
        started = perf_counter()
        answer = await self._batcher.run_script(
            self._commit_script,
            4,
            *keys_of(commit.match_id),
            channel_of(commit.match_id),
            *before,
            commit.key,
            commit.fingerprint,
            commit.reply,
            commit.not_before,
            commit.frozen,
            len(fields),
            *fields,
            *entries,
        )
        name, *more = answer
        status, outcome = _STATUSES[name]
        self._metrics.committed(outcome, perf_counter() - started)
        if status is not CommitStatus.COMMITTED:
            return CommitResult(status, *more)
        if more[0]:
            _log.warning("foreign_entries_dropped", match=commit.match_id, entries=more[0])
        return CommitResult(status)

    async def heartbeat(self) -> HeartbeatReply:
        before = monotonic()
        asked = (ALIVE, OUTAGE_LIST, HEARTBEAT_TIMEOUT_MS, MAX_OUTAGES)
        now, found = await self._batcher.run_script(self._heartbeat_script, 2, *asked)
        self._clock.observe(int(now), before)
        outages = [outage.split() for outage in found]
        return HeartbeatReply(int(now), tuple((int(start), int(stop)) for start, stop in outages))

    async def schedule(
        self, name: str, due_ms: int | None, queue: DueQueue = DueQueue.DEADLINES
    ) -> None:
        key = _queue_of(queue, name)
        if due_ms is None:
            await self._batcher.send("ZREM", key, name)
        else:
            await self._batcher.send("ZADD", key, due_ms, name)

    async def due(self, now_ms: int, count: int, queue: DueQueue = DueQueue.DEADLINES) -> list[str]:
        asked = ("-inf", now_ms, "WITHSCORES", "LIMIT", 0, count)
        keys = [_queue(queue, shard) for shard in range(SHARDS)]
        answers = await asyncio.gather(
            *[self._batcher.send("ZRANGEBYSCORE", key, *asked) for key in keys]
        )
        found: list[tuple[float, str]] = []
        for key, answer in zip(keys, answers, strict=True):
            scores = dict(zip(answer[::2], map(float, answer[1::2]), strict=True))
            names = await self._names(key, answer[::2])
            found += [(scores[name.encode()], name) for name in names]
        return [name for _, name in sorted(found)[:count]]

    async def due_times(self, names: Sequence[str], queue: DueQueue) -> list[int | None]:
        scores = await asyncio.gather(
            *[self._batcher.send("ZSCORE", _queue_of(queue, name), name) for name in names]
        )
        return [None if score is None else int(float(score)) for score in scores]

    async def queue_length(self, queue: DueQueue) -> int:
        keys = [_queue(queue, shard) for shard in range(SHARDS)]
        return sum(await asyncio.gather(*[self._batcher.send("ZCARD", key) for key in keys]))

    async def memory_used(self) -> int:
        try:
            found = [await self._client.info("memory", **target_of(node)) for node in self._nodes()]
        except CONNECTION_ERRORS as error:
            raise unavailable(error) from None
        return max(int(info["used_memory"]) for info in found)

    async def now(self) -> int:
        return await self._clock.now()

    def estimated_now(self) -> int:
        return self._clock.last()

    async def _read_clock(self) -> int:
        seconds, micros = await self._batcher.send("EVAL", _TIME, 1, ALIVE)
        return int(seconds) * 1000 + int(micros) // 1000

    async def load(self, match_id: str) -> StoredMatch | None:
        names = (*VERSION_FIELDS, *FIELDS)
        return read_match(match_id, await self._batcher.send("HMGET", match_key(match_id), *names))

    async def peek(self, match_id: str, key: str) -> PeekResult:
        match, _, replies = keys_of(match_id)
        remembered, found = await asyncio.gather(
            self._batcher.send("HGET", replies, key, write=True),  # to be confirmed too
            self._batcher.send("HMGET", match, *VERSION_FIELDS),
        )
        return PeekResult(read_version(match_id, found), remembered)

    async def entries(self, match_id: str, first: int, last: int | None) -> list[StoredEntry]:
        start, end = f"{max(first, 1)}-0", "+" if last is None else f"{last}-0"
        found = await self._batcher.send("XRANGE", keys_of(match_id)[1], start, end)
        return [read_entry(match_id, entry) for entry in found]

    async def versions(self, match_ids: Sequence[str]) -> list[Version | None]:
        found = await self._of_each(match_ids, "HMGET", *VERSION_FIELDS)
        return [readable_version(*pair) for pair in zip(match_ids, found, strict=True)]

    async def summaries(self, match_ids: Sequence[str]) -> list[MatchSummary | None]:
        found = await self._of_each(match_ids, "HMGET", *MatchSummary._fields)
        return [readable_summary(*pair) for pair in zip(match_ids, found, strict=True)]

    async def frozen(self, match_ids: Sequence[str]) -> list[bytes]:
        found = await self._of_each(match_ids, "HGET", "frozen")
        return [b"" if isinstance(reply, StoredDataDamaged) else reply or b"" for reply in found]

    async def _of_each(self, match_ids: Sequence[str], name: str, *fields: str) -> list[Reply]:
        """Send a command for each match; the reply for a damaged one is its error."""
        sent = [self._batcher.send(name, match_key(match_id), *fields) for match_id in match_ids]
        replies = await asyncio.gather(*sent, return_exceptions=True)
        for reply in replies:
            if isinstance(reply, BaseException) and not isinstance(reply, StoredDataDamaged):
                raise reply
        return replies

    async def freeze_damaged(self, match_id: str, why: bytes) -> None:
        await self._batcher.run_script(self._freeze_script, 1, match_key(match_id), why)
        await self._batcher.send("HSET", DAMAGED, match_id, why, write=True)

    async def damaged(self) -> dict[str, bytes]:
        found = await self._batcher.send("HGETALL", DAMAGED)
        names = [text_of(name) for name in found[::2]]
        return {name: why for name, why in zip(names, found[1::2], strict=True) if name}

    async def forget_damage(self, match_id: str) -> None:
        await self._batcher.send("HDEL", DAMAGED, match_id, write=True)

    async def set_field(
        self, match_id: str, version: Version, name: str, value: bytes, keep: float | None = None
    ) -> bool:
        still = "" if keep is None else int(keep * 1000)
        keys = keys_of(match_id)
        place = (version.revision, version.head, name)
        answer = await self._batcher.run_script(
            self._set_field_script, 3, *keys, *place, value, still
        )
        return bool(answer[0] == b"OK")

    async def scan_ids(self) -> AsyncIterator[str]:
        async for key in self._keys(match_key("*")):
            match_id = id_of_key(key)
            if match_id is not None:
                yield match_id

    async def _keys(self, pattern: str) -> AsyncIterator[bytes]:
        try:
            async for key in self._client.scan_iter(match=pattern, count=1000):
                yield key
        except CONNECTION_ERRORS as error:
            raise unavailable(error) from None

    async def index_remove(self, key: str, index: str = "") -> None:
        await self._batcher.send("ZREM", _index(index), key)

    async def index_add(self, key: str, index: str = "") -> None:
        await self._batcher.send("ZADD", _index(index), 0, key)

    async def index_page(
        self, last: str, count: int, index: str = "", *, ascending: bool = False
    ) -> list[str]:
        key = _index(index)
        if ascending:
            asked = ("ZRANGEBYLEX", key, f"({last}" if last else "-", "+")
        else:
            asked = ("ZREVRANGEBYLEX", key, f"({last}" if last else "+", "-")
        found = await self._batcher.send(*asked, "LIMIT", 0, count)
        return await self._names(key, found)

    async def index_names(self) -> AsyncIterator[str]:
        async for key in self._keys(f"{_index('')}*"):
            name = key.decode("utf-8", "replace").removeprefix(_index(""))
            if not name or name.startswith(":"):
                yield name[1:]

    async def announce(self, text: bytes) -> None:
        kept = ("MAXLEN", "~", MAX_ANNOUNCEMENTS)
        await self._batcher.send("XADD", ANNOUNCEMENTS, *kept, "*", "text", text)

    async def last_announcement(self) -> str:
        found = await self._batcher.send("XREVRANGE", ANNOUNCEMENTS, "+", "-", "COUNT", 1)
        return found[0][0].decode() if found else FIRST

    async def announcements(self, after: str, count: int) -> list[StoredAnnouncement] | None:
        more = 0 if after == FIRST else 1
        found = await self._batcher.send("XRANGE", ANNOUNCEMENTS, after, "+", "COUNT", count + more)
        if more and (not found or found[0][0].decode() != after):
            return None
        return [StoredAnnouncement(name.decode(), fields[1]) for name, fields in found[more:]]

    async def claimed(self, name: str) -> bytes:
        return await self._batcher.send("GET", _claim(name)) or b""

    async def claim(self, name: str, value: bytes, expected: bytes, keep_ms: int) -> bytes:
        asked = (_claim(name), value, expected, keep_ms)
        found: bytes = await self._batcher.run_script(self._claim_script, 1, *asked)
        return found

    async def key(self) -> bytes:
        await self._batcher.send("SET", KEY, secrets.token_bytes(32), "NX")
        found: bytes = await self._batcher.send("GET", KEY)
        self.guard.expect(found)
        return found

    async def _names(self, key: str, found: Sequence[Reply]) -> list[str]:
        """Return the names in a sorted set, and remove those that this service cannot store."""
        names = [text_of(name) for name in found]
        foreign = [raw for raw, name in zip(found, names, strict=True) if name is None]
        if foreign:
            await self._batcher.send("ZREM", key, *foreign)
        return [name for name in names if name is not None]

    async def listen(self, match_id: str) -> None:
        await self._notifications.listen(match_id)

    async def ignore(self, match_id: str) -> None:
        await self._notifications.ignore(match_id)

    def on_change(self, hint: ChangeListener) -> None:
        self._notifications.on_change(hint)

    async def signal(self, match_id: str, text: bytes) -> None:
        await self._batcher.send("SPUBLISH", channel_of(match_id), text)

    def on_signal(self, listener: SignalListener) -> None:
        self._notifications.on_signal(listener)

    async def report_presence(self, match_id: str, reports: Mapping[str, bytes]) -> None:
        key = presence_key(match_id)
        fields = [part for report in reports.items() for part in report]
        await asyncio.gather(
            self._batcher.send("HSET", key, *fields),
            self._batcher.send("PEXPIRE", key, PRESENCE_KEEP_MS),
        )

    async def presence(self, match_id: str) -> dict[str, bytes]:
        found = await self._batcher.send("HGETALL", presence_key(match_id))
        return {name.decode(): report for name, report in zip(found[::2], found[1::2], strict=True)}

    async def ping(self) -> None:
        await self.guard.look(self._client, self._nodes())
        primaries = _primaries(self._client)
        if self._primaries and primaries and primaries != self._primaries:
            self.failovers += 1
            _log.warning("failed_over", failovers=self.failovers)
        self._primaries = primaries or self._primaries

    def _nodes(self) -> Sequence[ClusterNode | None]:
        """Return the primaries of a cluster; ``None`` for the one server."""
        nodes: Sequence[ClusterNode | None]
        nodes = getattr(self._client, "get_primaries", lambda: (None,))()
        return nodes

    async def close(self) -> None:
        await self._notifications.close()
        await self._client.aclose()
        if self._on_close is not None:
            await self._on_close()


def _index(name: str) -> str:
    return f"taflhall:matches:{name}" if name else "taflhall:matches"


def _claim(name: str) -> str:
    return f"taflhall:claims:{name}"


def _queue(queue: DueQueue, shard: int) -> str:
    return f"taflhall:{queue.value}:{shard}"


def _queue_of(queue: DueQueue, name: str) -> str:
    return _queue(queue, zlib.crc32(name.encode()) % SHARDS)


def _primaries(client: RedisClient) -> frozenset[str]:
    """Return the primaries that a client knows behind Sentinels or in a cluster."""
    primaries = getattr(client, "get_primaries", None)
    if primaries is not None:
        return frozenset(node.name for node in primaries())
    address = getattr(client.connection_pool, "master_address", None)
    return frozenset() if address is None else frozenset((str(address),))
