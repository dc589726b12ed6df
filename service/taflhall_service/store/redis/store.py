"""Matches in Redis (or Valkey): one hash, one stream and one table of request ids each.

All keys of a match carry its id as hash tag, so they lie in one slot of a cluster. What has
to be atomic is ``commit.lua``; its comments say why it is as it is. The list of matches and
the servers' shared key lie elsewhere: the list is only a hint.
"""

from __future__ import annotations

import asyncio
import secrets
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from importlib.resources import files
from time import monotonic
from typing import Any, Final

import structlog

from taflhall_service.app.ports.match_store import (
    OUTAGES,
    SILENCE_MS,
    Alive,
    Commit,
    Durability,
    Hint,
    Outcome,
    Seen,
    Standing,
    StoredEntry,
    StoredMatch,
    Verdict,
    Version,
    roster_of,
)
from taflhall_service.store.clock_estimate import Reckoning
from taflhall_service.store.redis.accounts import RedisBooks
from taflhall_service.store.redis.batcher import GONE, Calls, Script, unavailable
from taflhall_service.store.redis.notifications import Hints, channel_of
from taflhall_service.store.redis.transports import Parted, Straight

FIELDS: Final = {
    "schema": "sv",
    "origin": "x",
    "roster": "r",
    "status": "st",
    "snapshot": "s",
    "result": "o",
    "archived": "ar",
    "frozen": "z",
    "clocks": "k",
    "due": "d",
    "proposal": "p",
    "faces": "f",
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
"""Over so many keys the timers are spread."""

_TIME: Final = "return redis.call('TIME')"
VERSION: Final = ("v", "h", "c", "n")
_COMMIT: Final = files(__package__).joinpath("scripts", "commit.lua").read_text("utf-8")
_ALIVE: Final = files(__package__).joinpath("scripts", "alive.lua").read_text("utf-8")
_NOTE: Final = files(__package__).joinpath("scripts", "note.lua").read_text("utf-8")


class RedisStore:
    """Keeps matches in one Redis, behind a Sentinel, or in a Cluster."""

    def __init__(
        self,
        client: Any,
        durability: Durability,
        copies: int = 0,
        cluster: bool = False,
        owned: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.durability = durability
        self._client = client
        self._calls = Calls(Parted(client) if cluster else Straight(client), copies)
        self._hints = Hints(client, cluster)
        self._alive = Script(_ALIVE)
        self._script = Script(_COMMIT)
        self._note = Script(_NOTE)
        self.books = RedisBooks(self._calls)
        self._owned = owned
        self.failovers = 0
        self._primaries: frozenset[str] = frozenset()
        self._reckoning = Reckoning(self._look)

    async def commit(self, commit: Commit) -> Outcome:
        before = ("", "", "", "") if commit.expected is None else _written(commit.expected)
        fields: list[Any] = []
        for name, part in zip(VERSION, _written(commit.version), strict=True):
            fields += [name, part]
        for name, value in commit.fields.items():
            fields += [FIELDS[name], value]
        entries = [part for entry in commit.entries for part in entry]
        answer = await self._calls.run(
            self._script,
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
        return Outcome(Verdict(answer[0].decode()), *answer[1:])

    async def alive(self) -> Alive:
        before = monotonic()
        asked = (ALIVE, OUTAGE_LIST, SILENCE_MS, OUTAGES)
        now, found = await self._calls.run(self._alive, 2, *asked)
        self._reckoning.told(int(now), before)
        outages = [outage.split() for outage in found]
        return Alive(int(now), tuple((int(start), int(stop)) for start, stop in outages))

    async def schedule(self, match_id: str, due_ms: int | None) -> None:
        timers = _timers(zlib.crc32(match_id.encode()) % SHARDS)
        if due_ms is None:
            await self._calls.call("ZREM", timers, match_id)
        else:
            await self._calls.call("ZADD", timers, due_ms, match_id)

    async def due(self, now_ms: int, count: int) -> list[str]:
        asked = ("-inf", now_ms, "WITHSCORES", "LIMIT", 0, count)
        answers = await asyncio.gather(
            *[self._calls.call("ZRANGEBYSCORE", _timers(n), *asked) for n in range(SHARDS)]
        )
        found = [_scored(answer) for answer in answers]
        pairs = sorted(pair for part in found for pair in part)
        return [name.decode() for _, name in pairs[:count]]

    async def now(self) -> int:
        return await self._reckoning.now()

    async def _look(self) -> int:
        seconds, micros = await self._calls.call("EVAL", _TIME, 1, ALIVE)
        return int(seconds) * 1000 + int(micros) // 1000

    async def load(self, match_id: str) -> StoredMatch | None:
        found = await self._calls.call("HMGET", _match(match_id), *VERSION, *FIELDS.values())
        version = version_of(found[: len(VERSION)])
        if version is None:
            return None
        schema, *rest = found[len(VERSION) :]
        return StoredMatch(version, int(schema or 0), *[value or b"" for value in rest])

    async def peek(self, match_id: str, key: str) -> Seen:
        match, _, records = _keys(match_id)
        record, found = await asyncio.gather(
            self._calls.call("HGET", records, key, write=True),  # to be confirmed too
            self._calls.call("HMGET", match, *VERSION),
        )
        return Seen(version_of(found), record)

    async def entries(self, match_id: str, first: int, last: int | None) -> list[StoredEntry]:
        start, end = f"{max(first, 1)}-0", "+" if last is None else f"{last}-0"
        found = await self._calls.call("XRANGE", _keys(match_id)[1], start, end)
        return [_entry(name, fields) for name, fields in found]

    async def versions(self, match_ids: Sequence[str]) -> list[Version | None]:
        answers = await asyncio.gather(
            *[self._calls.call("HMGET", _match(match_id), *VERSION) for match_id in match_ids]
        )
        return [version_of(answer) for answer in answers]

    async def standings(self, match_ids: Sequence[str]) -> list[Standing | None]:
        names = [FIELDS[name] for name in Standing._fields]
        answers = await asyncio.gather(
            *[self._calls.call("HMGET", _match(match_id), *names) for match_id in match_ids]
        )
        return [
            None if answer[0] is None else Standing(*[value or b"" for value in answer])
            for answer in answers
        ]

    async def frozen(self, match_ids: Sequence[str]) -> list[bytes]:
        name = FIELDS["frozen"]
        answers = await asyncio.gather(
            *[self._calls.call("HGET", _match(match_id), name) for match_id in match_ids]
        )
        return [answer or b"" for answer in answers]

    async def note(
        self, match_id: str, version: Version, name: str, value: bytes, keep: float | None = None
    ) -> bool:
        still = "" if keep is None else int(keep * 1000)
        keys = _keys(match_id)
        place = (version.revision, version.head, FIELDS[name])
        answer = await self._calls.run(self._note, 3, *keys, *place, value, still)
        return bool(answer[0] == b"OK")

    async def every(self) -> AsyncIterator[str]:
        try:
            async for key in self._client.scan_iter(match=_match("*"), count=1000):
                yield key[len(b"taflhall:{") : -len(b"}:m")].decode()
        except GONE as error:
            raise unavailable(error) from None

    async def unlist(self, mark: str) -> None:
        await self._calls.call("ZREM", LIST, mark)

    async def enlist(self, mark: str) -> None:
        await self._calls.call("ZADD", LIST, 0, mark)

    async def listed(self, before: str, count: int) -> list[str]:
        top = f"({before}" if before else "+"
        found = await self._calls.call("ZREVRANGEBYLEX", LIST, top, "-", "LIMIT", 0, count)
        return [mark.decode() for mark in found]

    async def key(self) -> bytes:
        await self._calls.call("SET", KEY, secrets.token_bytes(32), "NX")
        found: bytes = await self._calls.call("GET", KEY)
        return found

    async def listen(self, match_id: str) -> None:
        await self._hints.listen(match_id)

    async def ignore(self, match_id: str) -> None:
        await self._hints.ignore(match_id)

    def on_hint(self, hint: Hint) -> None:
        self._hints.on_hint(hint)

    async def ping(self) -> None:
        try:
            await self._client.ping()
        except GONE as error:
            raise unavailable(error) from None
        primaries = _primaries(self._client)
        if self._primaries and primaries and primaries != self._primaries:
            self.failovers += 1
            _log.warning("failed_over", failovers=self.failovers)
        self._primaries = primaries or self._primaries

    async def close(self) -> None:
        await self._hints.close()
        await self._client.aclose()
        if self._owned is not None:
            await self._owned()


def _entry(name: bytes, fields: Any) -> StoredEntry:
    if isinstance(fields, list):  # as it came: name, value, name, value
        fields = dict(zip(fields[::2], fields[1::2], strict=True))
    return StoredEntry(int(name.partition(b"-")[0]), fields[b"h"], fields[b"b"])


def _timers(shard: int) -> str:
    return f"taflhall:timers:{shard}"


def _scored(answer: Any) -> list[tuple[int, bytes]]:
    """Return scores and names: as they came, name, score, name, score; or in pairs."""
    if answer and isinstance(answer[0], bytes):
        answer = list(zip(answer[::2], answer[1::2], strict=True))
    return [(int(float(score)), name) for name, score in answer]


def _primaries(client: Any) -> frozenset[str]:
    """Return the primaries that a client knows behind Sentinels or in a Cluster."""
    if hasattr(client, "get_primaries"):
        return frozenset(node.name for node in client.get_primaries())
    address = getattr(client.connection_pool, "master_address", None)
    return frozenset() if address is None else frozenset((str(address),))


def _match(match_id: str) -> str:
    return f"taflhall:{{{match_id}}}:m"


def _keys(match_id: str) -> tuple[str, str, str]:
    stem = f"taflhall:{{{match_id}}}:"
    return stem + "m", stem + "e", stem + "i"


def version_of(found: Sequence[bytes | None]) -> Version | None:
    """Return the version that is stored under :data:`VERSION`; ``None`` if none is."""
    revision, head, changes, drawn = found
    if revision is None or head is None or changes is None:
        return None
    of, _, number = (drawn or b"").partition(b" ")
    return Version(
        int(revision), head, roster_of(int(changes), int(number) if of == changes else 0)
    )


def _written(version: Version) -> tuple[int, bytes, int, str]:
    """Return the parts of a version as they are stored under :data:`VERSION`."""
    drawn = f"{version.changes} {version.drawn}" if version.drawn else ""
    return version.revision, version.head, version.changes, drawn
