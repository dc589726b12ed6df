"""A store that is counted: what became of commits, how long they took, when it did not answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Sequence
from time import perf_counter
from typing import Final, TypeVar

from taflhall_service.app.errors import DurabilityUnconfirmed, StoreUnavailable
from taflhall_service.app.ports.account_store import Books
from taflhall_service.app.ports.match_store import (
    Alive,
    Commit,
    Durability,
    Hint,
    Outcome,
    Seen,
    Standing,
    Store,
    StoredEntry,
    StoredMatch,
    Verdict,
    Version,
)
from taflhall_service.observability.metrics import Meter

T = TypeVar("T")


class MeteredStore:
    """Does as *store* does, and counts."""

    def __init__(self, store: Store, meter: Meter) -> None:
        commits = meter.counter("commits", "Commits by what became of them", "outcome")
        errors = meter.counter("store_errors", "Calls that the store did not answer", "kind")
        self._seconds = meter.histogram("commit_seconds", "Duration of commits")
        self._commits: Final = {
            verdict: commits.labels(verdict.name.lower()) for verdict in Verdict
        }
        self._unavailable: Final = errors.labels("unavailable")
        self._unconfirmed: Final = errors.labels("unconfirmed")
        self._store = store

    async def _counted(self, call: Awaitable[T]) -> T:
        try:
            return await call
        except StoreUnavailable:
            self._unavailable.inc()
            raise
        except DurabilityUnconfirmed:
            self._unconfirmed.inc()
            raise

    @property
    def books(self) -> Books:
        return self._store.books

    @property
    def failovers(self) -> int:
        return self._store.failovers

    @property
    def durability(self) -> Durability:
        return self._store.durability

    async def commit(self, commit: Commit) -> Outcome:
        started = perf_counter()
        outcome = await self._counted(self._store.commit(commit))
        self._seconds.observe(perf_counter() - started)
        self._commits[outcome.verdict].inc()
        return outcome

    async def alive(self) -> Alive:
        return await self._counted(self._store.alive())

    async def schedule(self, match_id: str, due_ms: int | None) -> None:
        await self._counted(self._store.schedule(match_id, due_ms))

    async def due(self, now_ms: int, count: int) -> list[str]:
        return await self._counted(self._store.due(now_ms, count))

    async def now(self) -> int:
        return await self._store.now()

    async def load(self, match_id: str) -> StoredMatch | None:
        return await self._counted(self._store.load(match_id))

    async def peek(self, match_id: str, key: str) -> Seen:
        return await self._counted(self._store.peek(match_id, key))

    async def entries(self, match_id: str, first: int, last: int | None) -> list[StoredEntry]:
        return await self._counted(self._store.entries(match_id, first, last))

    async def versions(self, match_ids: Sequence[str]) -> list[Version | None]:
        return await self._counted(self._store.versions(match_ids))

    async def standings(self, match_ids: Sequence[str]) -> list[Standing | None]:
        return await self._counted(self._store.standings(match_ids))

    async def frozen(self, match_ids: Sequence[str]) -> list[bytes]:
        return await self._counted(self._store.frozen(match_ids))

    async def note(
        self, match_id: str, version: Version, name: str, value: bytes, keep: float | None = None
    ) -> bool:
        return await self._counted(self._store.note(match_id, version, name, value, keep))

    def every(self) -> AsyncIterator[str]:
        return self._store.every()

    async def unlist(self, mark: str) -> None:
        await self._counted(self._store.unlist(mark))

    async def enlist(self, mark: str) -> None:
        await self._counted(self._store.enlist(mark))

    async def listed(self, before: str, count: int) -> list[str]:
        return await self._counted(self._store.listed(before, count))

    async def key(self) -> bytes:
        return await self._counted(self._store.key())

    async def listen(self, match_id: str) -> None:
        await self._store.listen(match_id)

    async def ignore(self, match_id: str) -> None:
        await self._store.ignore(match_id)

    def on_hint(self, hint: Hint) -> None:
        self._store.on_hint(hint)

    async def ping(self) -> None:
        await self._counted(self._store.ping())

    async def close(self) -> None:
        await self._store.close()
