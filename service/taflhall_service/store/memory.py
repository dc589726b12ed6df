"""A store in memory, for tests: lost with its process, otherwise like any other."""

from __future__ import annotations

import asyncio
import secrets
import time
from bisect import bisect_left, bisect_right, insort
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from itertools import chain
from time import perf_counter
from typing import Any

from taflhall_service.app.ports.match_store import (
    FINGERPRINT_BYTES,
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
from taflhall_service.store.redis.accounts import MemoryAccountStore


class Memory:
    """The data that several :class:`MemoryStore` share, as several servers share one Redis."""

    def __init__(self, clock: Callable[[], int] | None = None) -> None:
        self.clock = clock or _steady()
        """Returns the time in milliseconds."""
        self.matches: dict[str, StoredMatch] = {}
        self.entries: dict[str, list[StoredEntry]] = {}
        self.records: dict[str, dict[str, bytes]] = {}
        self.damaged: dict[str, bytes] = {}
        self.indexes: defaultdict[str, list[str]] = defaultdict(list)
        self.announced: deque[StoredAnnouncement] = deque(maxlen=MAX_ANNOUNCEMENTS)
        self.claims: dict[str, tuple[bytes, int]] = {}
        """The value of each claim, and until when it is kept."""
        self.queues: dict[DueQueue, dict[str, int]] = {queue: {} for queue in DueQueue}
        self.presence: dict[str, tuple[dict[str, bytes], int]] = {}
        """The reports of each match's presence, and until when they are kept."""
        self.keeps: dict[str, asyncio.TimerHandle] = {}
        """The timers that delete matches which are stored for a while only."""
        self.sign = 0
        """When a server last sent a heartbeat."""
        self.outages: list[tuple[int, int]] = []
        self.key = secrets.token_bytes(32)
        self.accounts = MemoryAccountStore()
        self.stores: list[MemoryStore] = []

    def size(self) -> int:
        """Return the bytes of all matches, without what they cost Python."""
        matches = chain.from_iterable(self.matches.values())
        replies = chain.from_iterable(replies.values() for replies in self.records.values())
        entries = (entry.body for log in self.entries.values() for entry in log)
        return sum(
            len(part) for part in chain(matches, replies, entries) if isinstance(part, bytes)
        )

    def drop(self, match_id: str) -> None:
        """Delete everything of a match."""
        for kept in (self.matches, self.entries, self.records, self.keeps):
            kept.pop(match_id, None)


class MemoryStore:
    """One server's access to a :class:`Memory`."""

    durability = Durability.MEMORY
    failovers = 0

    def __init__(self, memory: Memory | None = None, metrics: StoreMetrics | None = None) -> None:
        self.memory = memory or Memory()
        self.memory.stores.append(self)
        self.accounts = self.memory.accounts
        self._metrics = metrics or StoreMetrics()
        self._heard: set[str] = set()
        self._hint: ChangeListener = _nobody
        self._signalled: SignalListener = _no_one

    async def commit(self, commit: Commit) -> CommitResult:
        started = perf_counter()
        outcome = self._commit(commit)
        self._metrics.committed(outcome.status.name.lower(), perf_counter() - started)
        if outcome.status is CommitStatus.COMMITTED:
            for store in self.memory.stores:
                if commit.match_id in store._heard:
                    now = commit.version
                    loop = asyncio.get_running_loop()
                    loop.call_soon(store._hint, commit.match_id, now.revision, now.change_count)
        return outcome

    def _commit(self, commit: Commit) -> CommitResult:
        memory = self.memory
        records = memory.records.get(commit.match_id, {})
        seen = records.get(commit.key)
        if seen is not None:
            if seen[:FINGERPRINT_BYTES] != commit.fingerprint:
                return CommitResult(CommitStatus.KEY_REUSED)
            return CommitResult(CommitStatus.DUPLICATE, seen[FINGERPRINT_BYTES:])
        now = memory.matches.get(commit.match_id)
        if commit.expected is None:
            if now is not None:
                return CommitResult(CommitStatus.CONFLICT)
            now = StoredMatch(commit.version, 0, b"", b"", b"", b"", b"")
        elif now is None:
            return CommitResult(CommitStatus.NOT_FOUND)
        elif now.frozen != commit.frozen:
            return CommitResult(CommitStatus.FROZEN, now.frozen)
        elif now.version != commit.expected:
            same = now.version._replace(head=commit.expected.head) == commit.expected
            return CommitResult(CommitStatus.DIVERGED if same else CommitStatus.CONFLICT)
        if commit.not_before and memory.clock() < commit.not_before:
            return CommitResult(CommitStatus.TOO_EARLY)
        fields: dict[str, Any] = dict(commit.fields)
        if "schema" in commit.fields:
            fields["schema"] = int(commit.fields["schema"])
        memory.entries.setdefault(commit.match_id, []).extend(commit.entries)
        memory.matches[commit.match_id] = now._replace(version=commit.version, **fields)
        records = memory.records.setdefault(commit.match_id, {})
        records[commit.key] = commit.fingerprint + commit.reply
        return CommitResult(CommitStatus.COMMITTED)

    async def heartbeat(self) -> HeartbeatReply:
        memory, now = self.memory, self.memory.clock()
        if memory.sign and now - memory.sign > HEARTBEAT_TIMEOUT_MS:
            known = memory.outages[-1][1] if memory.outages else 0
            start, stop = max(memory.sign + HEARTBEAT_TIMEOUT_MS, known), now + HEARTBEAT_TIMEOUT_MS
            if start < stop:
                memory.outages = [*memory.outages, (start, stop)][-MAX_OUTAGES:]
        memory.sign = now  # even if the clock jumped back: its correction is an outage
        return HeartbeatReply(now, tuple(memory.outages))

    async def schedule(
        self, name: str, due_ms: int | None, queue: DueQueue = DueQueue.DEADLINES
    ) -> None:
        self.memory.queues[queue].pop(name, None)
        if due_ms is not None:
            self.memory.queues[queue][name] = due_ms

    async def due(self, now_ms: int, count: int, queue: DueQueue = DueQueue.DEADLINES) -> list[str]:
        waiting = sorted((due, name) for name, due in self.memory.queues[queue].items())
        return [name for due, name in waiting if due <= now_ms][:count]

    async def due_times(self, names: Sequence[str], queue: DueQueue) -> list[int | None]:
        return [self.memory.queues[queue].get(name) for name in names]

    async def queue_length(self, queue: DueQueue) -> int:
        return len(self.memory.queues[queue])

    async def memory_used(self) -> int:
        return self.memory.size()

    async def now(self) -> int:
        return self.estimated_now()

    def estimated_now(self) -> int:
        return self.memory.clock()

    async def load(self, match_id: str) -> StoredMatch | None:
        return self.memory.matches.get(match_id)

    async def peek(self, match_id: str, key: str) -> PeekResult:
        now = self.memory.matches.get(match_id)
        record = self.memory.records.get(match_id, {}).get(key)
        return PeekResult(None if now is None else now.version, record)

    async def entries(self, match_id: str, first: int, last: int | None) -> list[StoredEntry]:
        kept = self.memory.entries.get(match_id, [])
        return [e for e in kept if e.revision >= first and (last is None or e.revision <= last)]

    async def versions(self, match_ids: Sequence[str]) -> list[Version | None]:
        found = [self.memory.matches.get(match_id) for match_id in match_ids]
        return [None if match is None else match.version for match in found]

    async def summaries(self, match_ids: Sequence[str]) -> list[MatchSummary | None]:
        found = [self.memory.matches.get(match_id) for match_id in match_ids]
        return [
            None if m is None else MatchSummary(m.status, m.archived, m.deadline, m.changed)
            for m in found
        ]

    async def frozen(self, match_ids: Sequence[str]) -> list[bytes]:
        found = [self.memory.matches.get(match_id) for match_id in match_ids]
        return [b"" if match is None else match.frozen for match in found]

    async def freeze_damaged(self, match_id: str, why: bytes) -> None:
        now = self.memory.matches.get(match_id)
        if now is not None and not now.frozen:
            self.memory.matches[match_id] = now._replace(frozen=why)
        self.memory.damaged[match_id] = why

    async def damaged(self) -> dict[str, bytes]:
        return dict(self.memory.damaged)

    async def forget_damage(self, match_id: str) -> None:
        self.memory.damaged.pop(match_id, None)

    async def set_field(
        self, match_id: str, version: Version, name: str, value: bytes, keep: float | None = None
    ) -> bool:
        now = self.memory.matches.get(match_id)
        if now is None or now.version[:2] != version[:2]:
            return False
        changed: dict[str, Any] = {name: value}
        self.memory.matches[match_id] = now._replace(**changed)
        keeps, drop = self.memory.keeps, self.memory.drop
        if keep is not None and match_id in keeps:
            keeps.pop(match_id).cancel()
        if keep == 0:
            drop(match_id)
        elif keep is not None:
            keeps[match_id] = asyncio.get_running_loop().call_later(keep, drop, match_id)
        return True

    async def scan_ids(self) -> AsyncIterator[str]:
        for match_id in list(self.memory.matches):
            yield match_id

    async def index_remove(self, key: str, index: str = "") -> None:
        if key in self.memory.indexes[index]:
            self.memory.indexes[index].remove(key)

    async def index_add(self, key: str, index: str = "") -> None:
        if key not in self.memory.indexes[index]:
            insort(self.memory.indexes[index], key)

    async def index_page(
        self, last: str, count: int, index: str = "", *, ascending: bool = False
    ) -> list[str]:
        keys = self.memory.indexes[index]
        if ascending:
            start = bisect_right(keys, last)
            return keys[start : start + count]
        end = bisect_left(keys, last) if last else len(keys)
        return keys[max(0, end - count) : end][::-1]

    async def index_names(self) -> AsyncIterator[str]:
        for name in [name for name, keys in self.memory.indexes.items() if keys]:
            yield name

    async def announce(self, text: bytes) -> None:
        number = int(await self.last_announcement()) + 1
        self.memory.announced.append(StoredAnnouncement(str(number), text))

    async def last_announcement(self) -> str:
        announced = self.memory.announced
        return announced[-1].id if announced else "0"

    async def announcements(self, after: str, count: int) -> list[StoredAnnouncement] | None:
        kept, newest = self.memory.announced, int(await self.last_announcement())
        known = int(after) if after.isdecimal() else -1
        if not newest - len(kept) <= known <= newest:
            return None
        return [kept[n] for n in range(known + len(kept) - newest, len(kept))][:count]

    async def claimed(self, name: str) -> bytes:
        value, until = self.memory.claims.get(name, (b"", 0))
        return value if self.memory.clock() < until else b""

    async def claim(self, name: str, value: bytes, expected: bytes, keep_ms: int) -> bytes:
        now = await self.claimed(name)
        if now != expected:
            return now
        self.memory.claims[name] = (value, self.memory.clock() + keep_ms)
        return value

    async def key(self) -> bytes:
        return self.memory.key

    async def listen(self, match_id: str) -> None:
        self._heard.add(match_id)

    async def ignore(self, match_id: str) -> None:
        self._heard.discard(match_id)

    def on_change(self, hint: ChangeListener) -> None:
        self._hint = hint

    async def signal(self, match_id: str, text: bytes) -> None:
        for store in self.memory.stores:
            if match_id in store._heard:
                asyncio.get_running_loop().call_soon(store._signalled, match_id, text)

    def on_signal(self, listener: SignalListener) -> None:
        self._signalled = listener

    async def report_presence(self, match_id: str, reports: Mapping[str, bytes]) -> None:
        known, until = await self.presence(match_id), self.memory.clock() + PRESENCE_KEEP_MS
        self.memory.presence[match_id] = ({**known, **reports}, until)

    async def presence(self, match_id: str) -> dict[str, bytes]:
        reports, until = self.memory.presence.get(match_id, ({}, 0))
        return reports if self.memory.clock() < until else {}

    async def ping(self) -> None:
        """Do nothing: it is there."""

    async def close(self) -> None:
        if self in self.memory.stores:
            self.memory.stores.remove(self)


def _steady() -> Callable[[], int]:
    """Return a clock that starts at the present time and is never adjusted."""
    ahead = time.time() - time.monotonic()
    return lambda: int((time.monotonic() + ahead) * 1000)


def _nobody(match_id: str, revision: int, changes: int) -> None:
    """Ignore the hint: no other process shares this store."""


def _no_one(match_id: str, text: bytes) -> None:
    """Ignore the signal: nobody listens yet."""
