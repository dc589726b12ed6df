"""The matches of a store as one process knows them: the tables that it remembers.

How a match changes is in :mod:`~taflhall_service.app.matches.transaction`.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

import structlog

from taflhall_service.app.errors import (
    Malformed,
    MatchNotFound,
    Refused,
    RulesTooNew,
    StoredDataDamaged,
)
from taflhall_service.app.matches.damage import FIELDS_UNREADABLE, DamageLog, damaged_part
from taflhall_service.app.matches.indexes import CODES, code_index_key, remove_from_indexes
from taflhall_service.app.matches.locks import MatchLocks
from taflhall_service.app.matches.store_clock import StoreClock
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.codec import index_key_of
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.model.match import Match, decode_match
from taflhall_service.app.model.records import Entry
from taflhall_service.app.ports.match_store import (
    ADMIN_PREFIX,
    MatchStore,
    Version,
)
from taflhall_service.app.watching.announcements import Announcements
from taflhall_service.app.watching.channels import Channel, Hub
from taflhall_service.app.watching.presence import Presence
from taflhall_service.observability.tracing import Tracer

_log = structlog.get_logger("matches")

T = TypeVar("T")


class Matches:
    """The matches of a store, as one process remembers them."""

    def __init__(
        self,
        store: MatchStore,
        hub: Hub,
        limits: Limits,
        key: bytes,
        tables: int,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
        tracer: Tracer | None = None,
    ) -> None:
        self.store: Final = store
        self.hub: Final = hub
        self.limits: Final = limits
        self.announcements: Final = Announcements(store, hub.spawn)
        self.store_clock: Final = StoreClock(store)
        self.damage: Final = DamageLog(store)
        self.server_key: Final = key
        """The secret that all servers over the store share."""
        self.random_bytes: Final = random_bytes
        """Draws the randomness and the keys of new matches."""
        self.tracer: Final = tracer or Tracer()
        self._tables = tables
        self.presence: Final = Presence(store, hub, self.track)
        self._known: OrderedDict[str, Match] = OrderedDict()
        self.locks: Final = MatchLocks()
        self._running: set[asyncio.Task[Any]] = set()
        self._deadline_writes: dict[str, Match] = {}
        """Matches whose next deadline is being written to the queue."""
        self.conflicts = 0
        self.keep_seconds = 86400.0
        """How long the store keeps a match that was abandoned before it started."""
        self.due_now: Final[set[str]] = set()
        """Matches in which, as this process knows, the server has to act at once."""
        self.deadline_now = asyncio.Event()
        """Set when there is one."""

    async def fresh(self, match_id: str) -> Match:
        """Read a match from the store, or raise ``MatchNotFound``."""
        if not match_id:
            raise Malformed(field="match_id", expected="the id of a match")
        if not (match_id.isascii() and match_id.isalnum()):
            raise MatchNotFound(match_id=match_id[:64])
        try:
            found = await self.store.load(match_id)
        except StoredDataDamaged:
            await self.damage.note(match_id, FIELDS_UNREADABLE)
            raise
        known = self._known.get(match_id)
        if found is None:
            self.forget(match_id)
            raise MatchNotFound(match_id=match_id[:64])
        if found.frozen and not found.frozen.startswith(ADMIN_PREFIX):
            self.forget(match_id)
            raise StoredDataDamaged(match_id=match_id)
        if known is not None and known.version == found.version:
            return known
        try:
            match = decode_match(found)
        except RulesTooNew:
            raise RulesTooNew(match_id=match_id) from None
        except StoredDataDamaged:
            part = damaged_part(found)
            if part:
                await self.damage.note(match_id, part)
            raise StoredDataDamaged(match_id=match_id) from None
        self.remember(match)
        return match

    async def current(self, match_id: str) -> Match:
        """Return the current match; its table is read only if it is not cached."""
        known = self._known.get(match_id)
        if known is not None:
            (version,) = await self.store.versions([match_id])
            if version == known.version:
                return known
        return await self.fresh(match_id)

    async def cached_or_load(self, match_id: str) -> Match:
        """Return a match as remembered, else as stored. It may be old: commit to find out."""
        return self._known.get(match_id) or await self.fresh(match_id)

    async def watched(self, channel: Channel) -> Match:
        """Return a watched match at the newest version known; it is read once for all."""
        async with channel.lock:
            known = self._known.get(channel.match.id)
            if known is None or known.version != channel.version:
                known = await self.fresh(channel.match.id)
            if known.origin.chain != channel.match.origin.chain:
                channel.deleted = True  # another match has its id now
                raise MatchNotFound(match_id=known.id)
            return known

    async def expire_unstarted(self, match: Match) -> None:
        """Let the store forget a match that never began, after a while; it is listed no more.

        In a match with delayed spectators, the index keeps its key for them.
        """
        if not match.origin.spectators.delay_ms:
            await remove_from_indexes(self.store, index_key_of(match.origin))
        await self.store.index_remove(code_index_key(match), CODES)
        await self.store.set_field(match.id, match.version, "archived", b"", self.keep_seconds)

    def remember(self, match: Match) -> None:
        """Keep *match* in memory; the least recently used one is dropped if there are too many."""
        self._known[match.id] = match
        self._known.move_to_end(match.id)
        if len(self._known) > self._tables:
            self._known.popitem(last=False)

    def __len__(self) -> int:
        return len(self._known)

    def cached(self, match_id: str) -> Match | None:
        """Return a match as it is remembered, which may be old; ``None`` if it is not."""
        return self._known.get(match_id)

    def any_id(self) -> str:
        """Return the id of any match that is remembered; empty if none is."""
        return random.choice(list(self._known)) if self._known else ""

    def forget(self, match_id: str) -> None:
        """Remember a match no longer."""
        self._known.pop(match_id, None)

    async def shield(self, work: Coroutine[Any, Any, T]) -> T:
        """Run *work* to its end, whether or not the caller waits for it."""
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_log_failure)
            raise

    def track(self, task: asyncio.Task[Any]) -> None:
        """Let *task* end, though nobody waits for it."""
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        task.add_done_callback(_log_failure)

    async def idle(self, seconds: float) -> None:
        """Wait until no change is under way, at most *seconds*."""
        if self._running:
            await asyncio.wait(self._running, timeout=seconds)

    async def now(self) -> Moment:
        """Return the time by the store's clock."""
        return Moment(await self.store.now(), self.store_clock.outages)

    async def trusted_now(self) -> Moment:
        """Return the time up to which every earlier outage is known, with these outages."""
        now = await self.now()
        if now.ms > self.store_clock.trusted_until:
            await self.store_clock.send_heartbeat()
            now = await self.now()
        return now._replace(ms=min(now.ms, self.store_clock.trusted_until))

    def schedule(self, match: Match) -> None:
        """Note in the background when the server has to act for a seat of *match*."""
        due = match.next_deadline(self.store_clock.outages)
        if due is not None and due.ms == 0:
            self.due_now.add(match.id)
            self.deadline_now.set()
        under_way = match.id in self._deadline_writes
        self._deadline_writes[match.id] = match
        if not under_way:
            self.track(asyncio.create_task(self._note(match.id)))

    async def _note(self, match_id: str) -> None:
        """Schedule a match's deadline, again until the stored one is that of its newest version."""
        try:
            with suppress(Refused):  # a scan finds the match without the note
                while True:
                    match = self._deadline_writes[match_id]
                    due = match.next_deadline(self.store_clock.outages)
                    await self.store.schedule(match_id, None if due is None else due.ms)
                    (version,) = await self.store.versions([match_id])
                    if self._deadline_writes[match_id] is match:
                        if version is None or version == match.version:
                            return
                        self._deadline_writes[match_id] = await self.fresh(match_id)
        finally:
            del self._deadline_writes[match_id]

    def committed(self, before: Version, match: Match, entries: Sequence[Entry]) -> None:
        """Take up what this process has committed to a match that was at *before*."""
        self.remember(match)
        self.hub.committed(before, match, entries)
        if match.is_timed:
            self.schedule(match)


def _log_failure(task: asyncio.Task[Any]) -> None:
    """Log why a task failed that nobody awaits, other than by a refusal of its request."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, Refused):
        _log.error("task_failed", kind=type(error).__name__)
