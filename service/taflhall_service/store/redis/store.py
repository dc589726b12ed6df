"""Matches in Redis (or Valkey): one hash, one stream and one table of request ids each.

All keys of a match carry its id as hash tag, so they share one slot of a cluster. Whatever has
to be atomic is ``commit.lua``; its comments give the reasons. The index of matches and the
servers' shared key have slots of their own: the index is only a hint.
"""

from __future__ import annotations

import asyncio
import secrets
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from importlib.resources import files
from time import monotonic, perf_counter
from typing import Final

import structlog

from taflhall_service.app.ports.match_store import (
    HEARTBEAT_TIMEOUT_MS,
    MAX_OUTAGES,
    ChangeListener,
    Commit,
    CommitResult,
    CommitStatus,
    Durability,
    HeartbeatReply,
    MatchSummary,
    PeekResult,
    StoredEntry,
    StoredMatch,
    Version,
    change_id_of,
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
from taflhall_service.store.redis.client import Argument, RedisClient
from taflhall_service.store.redis.notifications import ChangeNotifications, channel_of
from taflhall_service.store.redis.transports import ClusterTransport, Transport

FIELDS: Final = {
    "schema": "sv",
    "origin": "x",
    "seats": "r",
    "status": "st",
    "snapshot": "s",
    "result": "o",
    "archived": "ar",
    "frozen": "z",
    "clocks": "k",
    "deadline": "d",
    "proposal": "p",
    "visible_states": "f",
    "changed": "t",
}
"""The names of the hash for the fields of a match; beside them it holds its version:
v (revision), h (head), c (changes) and n (what was drawn, behind the changes that it belongs to: a
server of an older build counts without drawing)."""

_log = structlog.get_logger("store")

LIST: Final = "taflhall:matches"
KEY: Final = "taflhall:key"
ALIVE: Final = "taflhall:{clock}:alive"
OUTAGE_LIST: Final = "taflhall:{clock}:outages"
"""The node of a cluster that has these is also asked for the time."""

SHARDS: Final = 4
"""Number of keys over which the deadlines are spread."""

_TIME: Final = "return redis.call('TIME')"
VERSION: Final = ("v", "h", "c", "n")
_COMMIT: Final = files(__package__).joinpath("scripts", "commit.lua").read_text("utf-8")
_HEARTBEAT: Final = files(__package__).joinpath("scripts", "heartbeat.lua").read_text("utf-8")
_SET_FIELD: Final = files(__package__).joinpath("scripts", "set_field.lua").read_text("utf-8")


class RedisStore:
    """Matches in one Redis, behind Sentinels, or in a cluster."""

    def __init__(
        self,
        client: RedisClient,
        transport: Transport,
        durability: Durability,
        replicas: int = 0,
        on_close: Callable[[], Awaitable[None]] | None = None,
        metrics: StoreMetrics | None = None,
    ) -> None:
        self.durability = durability
        self._client = client
        self._metrics = metrics or StoreMetrics()
        self._batcher = CommandBatcher(transport, replicas, metrics=self._metrics)
        self._notifications = ChangeNotifications(client, isinstance(transport, ClusterTransport))
        self._heartbeat_script = Script(_HEARTBEAT)
        self._commit_script = Script(_COMMIT)
        self._set_field_script = Script(_SET_FIELD)
        self.accounts = RedisAccountStore(self._batcher)
        self._on_close = on_close
        self.failovers = 0
        self._primaries: frozenset[str] = frozenset()
        self._clock = ClockEstimate(self._read_clock)

    async def commit(self, commit: Commit) -> CommitResult:
        expected = commit.expected
        before = ("", "", "", "") if expected is None else _written(expected)
        fields: list[Argument] = []
        for pair in zip(VERSION, _written(commit.version), strict=True):
            fields += pair
        for name, value in commit.fields.items():
            fields += [FIELDS[name], value]
        entries: list[Argument] = []
        for entry in commit.entries:
            entries += [entry.revision, entry.head, entry.body]
        started = perf_counter()
        answer = await self._batcher.run_script(
            self._commit_script,
            4,
            *_keys(commit.match_id),
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
        outcome = CommitResult(CommitStatus(answer[0].decode()), *answer[1:])
        self._metrics.committed(outcome.status.name, perf_counter() - started)
        return outcome

    async def heartbeat(self) -> HeartbeatReply:
        before = monotonic()
        asked = (ALIVE, OUTAGE_LIST, HEARTBEAT_TIMEOUT_MS, MAX_OUTAGES)
        now, found = await self._batcher.run_script(self._heartbeat_script, 2, *asked)
        self._clock.observe(int(now), before)
        outages = [outage.split() for outage in found]
        return HeartbeatReply(int(now), tuple((int(start), int(stop)) for start, stop in outages))

    async def schedule(self, match_id: str, due_ms: int | None) -> None:
        timers = _timers(zlib.crc32(match_id.encode()) % SHARDS)
        if due_ms is None:
            await self._batcher.send("ZREM", timers, match_id)
        else:
            await self._batcher.send("ZADD", timers, due_ms, match_id)

    async def due(self, now_ms: int, count: int) -> list[str]:
        asked = ("-inf", now_ms, "WITHSCORES", "LIMIT", 0, count)
        answers = await asyncio.gather(
            *[self._batcher.send("ZRANGEBYSCORE", _timers(n), *asked) for n in range(SHARDS)]
        )
        pairs = [
            (int(float(score)), name)
            for answer in answers
            for name, score in zip(answer[::2], answer[1::2], strict=True)
        ]
        return [name.decode() for _, name in sorted(pairs)[:count]]

    async def now(self) -> int:
        return await self._clock.now()

    async def _read_clock(self) -> int:
        seconds, micros = await self._batcher.send("EVAL", _TIME, 1, ALIVE)
        return int(seconds) * 1000 + int(micros) // 1000

    async def load(self, match_id: str) -> StoredMatch | None:
        found = await self._batcher.send("HMGET", _match(match_id), *VERSION, *FIELDS.values())
        version = version_of(found[: len(VERSION)])
        if version is None:
            return None
        schema, *rest = found[len(VERSION) :]
        return StoredMatch(version, int(schema or 0), *[value or b"" for value in rest])

    async def peek(self, match_id: str, key: str) -> PeekResult:
        match, _, records = _keys(match_id)
        record, found = await asyncio.gather(
            self._batcher.send("HGET", records, key, write=True),  # to be confirmed too
            self._batcher.send("HMGET", match, *VERSION),
        )
        return PeekResult(version_of(found), record)

    async def entries(self, match_id: str, first: int, last: int | None) -> list[StoredEntry]:
        start, end = f"{max(first, 1)}-0", "+" if last is None else f"{last}-0"
        found = await self._batcher.send("XRANGE", _keys(match_id)[1], start, end)
        return [_entry(name, fields) for name, fields in found]

    async def versions(self, match_ids: Sequence[str]) -> list[Version | None]:
        answers = await asyncio.gather(
            *[self._batcher.send("HMGET", _match(match_id), *VERSION) for match_id in match_ids]
        )
        return [version_of(answer) for answer in answers]

    async def summaries(self, match_ids: Sequence[str]) -> list[MatchSummary | None]:
        names = [FIELDS[name] for name in MatchSummary._fields]
        answers = await asyncio.gather(
            *[self._batcher.send("HMGET", _match(match_id), *names) for match_id in match_ids]
        )
        return [
            None if answer[0] is None else MatchSummary(*[value or b"" for value in answer])
            for answer in answers
        ]

    async def frozen(self, match_ids: Sequence[str]) -> list[bytes]:
        name = FIELDS["frozen"]
        answers = await asyncio.gather(
            *[self._batcher.send("HGET", _match(match_id), name) for match_id in match_ids]
        )
        return [answer or b"" for answer in answers]

    async def set_field(
        self, match_id: str, version: Version, name: str, value: bytes, keep: float | None = None
    ) -> bool:
        still = "" if keep is None else int(keep * 1000)
        keys = _keys(match_id)
        place = (version.revision, version.head, FIELDS[name])
        answer = await self._batcher.run_script(
            self._set_field_script, 3, *keys, *place, value, still
        )
        return bool(answer[0] == b"OK")

    async def scan_ids(self) -> AsyncIterator[str]:
        try:
            async for key in self._client.scan_iter(match=_match("*"), count=1000):
                yield key[len(b"taflhall:{") : -len(b"}:m")].decode()
        except CONNECTION_ERRORS as error:
            raise unavailable(error) from None

    async def index_remove(self, mark: str) -> None:
        await self._batcher.send("ZREM", LIST, mark)

    async def index_add(self, mark: str) -> None:
        await self._batcher.send("ZADD", LIST, 0, mark)

    async def index_page(self, before: str, count: int) -> list[str]:
        top = f"({before}" if before else "+"
        found = await self._batcher.send("ZREVRANGEBYLEX", LIST, top, "-", "LIMIT", 0, count)
        return [mark.decode() for mark in found]

    async def key(self) -> bytes:
        await self._batcher.send("SET", KEY, secrets.token_bytes(32), "NX")
        found: bytes = await self._batcher.send("GET", KEY)
        return found

    async def listen(self, match_id: str) -> None:
        await self._notifications.listen(match_id)

    async def ignore(self, match_id: str) -> None:
        await self._notifications.ignore(match_id)

    def on_change(self, hint: ChangeListener) -> None:
        self._notifications.on_change(hint)

    async def ping(self) -> None:
        try:
            await self._client.ping()
        except CONNECTION_ERRORS as error:
            raise unavailable(error) from None
        primaries = _primaries(self._client)
        if self._primaries and primaries and primaries != self._primaries:
            self.failovers += 1
            _log.warning("failed_over", failovers=self.failovers)
        self._primaries = primaries or self._primaries

    async def close(self) -> None:
        await self._notifications.close()
        await self._client.aclose()
        if self._on_close is not None:
            await self._on_close()


def _entry(name: bytes, fields: list[bytes]) -> StoredEntry:
    values = dict(zip(fields[::2], fields[1::2], strict=True))
    return StoredEntry(int(name.partition(b"-")[0]), values[b"h"], values[b"b"])


def _timers(shard: int) -> str:
    return f"taflhall:timers:{shard}"


def _primaries(client: RedisClient) -> frozenset[str]:
    """Return the primaries that a client knows behind Sentinels or in a cluster."""
    primaries = getattr(client, "get_primaries", None)
    if primaries is not None:
        return frozenset(node.name for node in primaries())
    address = getattr(client.connection_pool, "master_address", None)
    return frozenset() if address is None else frozenset((str(address),))


def _match(match_id: str) -> str:
    return f"taflhall:{{{match_id}}}:m"


def _keys(match_id: str) -> tuple[str, str, str]:
    stem = f"taflhall:{{{match_id}}}:"
    return stem + "m", stem + "e", stem + "i"


def version_of(found: Sequence[bytes | None]) -> Version | None:
    """Return the version that is stored under :data:`VERSION`; ``None`` if none is."""
    revision, head, changes, nonce = found
    if revision is None or head is None or changes is None:
        return None
    of, _, number = (nonce or b"").partition(b" ")
    return Version(
        int(revision), head, change_id_of(int(changes), int(number) if of == changes else 0)
    )


def _written(version: Version) -> tuple[Argument, ...]:
    """Return the parts of a version as they are stored under :data:`VERSION`."""
    nonce = f"{version.change_count} {version.nonce}" if version.nonce else ""
    return version.revision, version.head, version.change_count, nonce
