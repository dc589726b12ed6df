"""Matches: the tables this process remembers, and the way in which one changes.

Every change goes the same way (:meth:`Matches.act`): prepare it on what is remembered, then
compare and set in the store. If what was remembered turns out to be old, it is read again and
the change prepared anew; so an answer is never given from an old table, and a table in memory
costs no round trip. A request id that has been answered before gives that answer, whatever
has become of the match.
"""

from __future__ import annotations

import asyncio
import random
from collections import OrderedDict
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final, NamedTuple, Protocol, TypeVar
from weakref import WeakValueDictionary

from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.errors import (
    Busy,
    CommitTooEarly,
    Malformed,
    MatchFrozen,
    MatchNotFound,
    Refused,
    RequestIdReused,
    RulesTooNew,
    StoredDataDamaged,
)
from taflhall_service.app.matches.store_clock import StoreClock
from taflhall_service.app.matches.visibility import states_after
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.codec import index_key_of
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.model.match import Match, decode_match
from taflhall_service.app.model.records import Entry
from taflhall_service.app.model.visible_states import encode_states
from taflhall_service.app.ports.match_store import (
    ADMIN_PREFIX,
    FINGERPRINT_BYTES,
    Commit,
    CommitStatus,
    Durability,
    MatchStore,
)
from taflhall_service.app.spectating.spectators import Spectators
from taflhall_service.app.watching.channels import Channel, Hub

MAX_ATTEMPTS: Final = 16
"""How often a change is prepared before the caller is told to come back."""

AHEAD_MS: Final = 1000
"""How far this process may reckon ahead of the store's clock where it charges time by it."""

T = TypeVar("T")


class Prepared(NamedTuple):
    """A change that is ready to be committed."""

    match: Match
    """The match as it will be."""
    fields: dict[str, bytes]
    entries: list[Entry]
    commit: list[Any]
    """The entries as they are stored."""
    reply: bytes
    """What to remember for the request id."""
    not_before: int = 0
    """The earliest time for it, by the store's clock; 0: any."""
    frozen: bytes = b""
    """Why the match is frozen that changes; of all but administrators it must not be."""


class Act(Protocol):
    """A change that somebody asks for."""

    fingerprint: bytes

    def key(self, match: Match) -> str:
        """Return the request id in its scope, or raise if the caller may not do this at all."""
        ...

    def prepare(self, match: Match, now: Moment) -> Prepared | None:
        """Return the change, ``None`` if there is nothing to do, or raise why it is refused."""
        ...


class Done(NamedTuple):
    """What came of an act."""

    match: Match | None
    """The match afterwards; ``None`` if the answer comes from the record."""
    entries: list[Entry]
    reply: bytes
    replayed: bool
    durability: Durability


class Matches:
    """The matches of a store, through the eyes of one process."""

    def __init__(
        self, store: MatchStore, hub: Hub, limits: Limits, key: bytes, tables: int
    ) -> None:
        self.store: Final = store
        self.hub: Final = hub
        self.limits: Final = limits
        self.store_clock: Final = StoreClock(store)
        self.server_key: Final = key
        """The secret that all servers over the store share."""
        self._tables = tables
        self._known: OrderedDict[str, Match] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._running: set[asyncio.Task[Any]] = set()
        self._deadline_writes: dict[str, Match] = {}
        """Matches of which it is being noted when they are due."""
        self.conflicts = 0
        self.spectators: Final = Spectators(self)
        self.keep_seconds = 86400.0
        """How long the store keeps a match that was given up before it began."""
        self.deadline_now = asyncio.Event()
        """Set when a match is due at once."""

    async def fresh(self, match_id: str) -> Match:
        """Read a match from the store, or raise ``MatchNotFound``."""
        if not match_id:
            raise Malformed(field="match_id", expected="the id of a match")
        if not (match_id.isascii() and match_id.isalnum()):
            raise MatchNotFound(match_id=match_id[:64])
        found = await self.store.load(match_id)
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
        except (RulesTooNew, StoredDataDamaged) as error:
            raise type(error)(match_id=match_id) from None
        self.remember(match)
        return match

    async def current(self, match_id: str) -> Match:
        """Return a match as it stands now; its table is read only if it is not remembered."""
        known = self._known.get(match_id)
        if known is not None:
            (version,) = await self.store.versions([match_id])
            if version == known.version:
                return known
        return await self.fresh(match_id)

    async def seen_by(self, identity: Identity, match_id: str) -> Match:
        """Return a match as it stands now; or as it was, for who may see no more of it anyway."""
        late = await self.spectators.peek(match_id, identity)
        return late or await self.current(match_id)

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

        Where spectators see it late its mark stays in the list for them.
        """
        if not match.origin.spectators.delay_ms:
            await self.store.index_remove(index_key_of(match.origin))
        await self.store.set_field(match.id, match.version, "archived", b"", self.keep_seconds)

    def remember(self, match: Match) -> None:
        """Keep *match* in memory; the one that was used longest ago makes room."""
        self._known[match.id] = match
        self._known.move_to_end(match.id)
        if len(self._known) > self._tables:
            self._known.popitem(last=False)

    def __len__(self) -> int:
        return len(self._known)

    def any_id(self) -> str:
        """Return the id of any match that is remembered; empty if none is."""
        return random.choice(list(self._known)) if self._known else ""

    def forget(self, match_id: str) -> None:
        """Remember a match no longer."""
        self._known.pop(match_id, None)

    async def act(self, match_id: str, act: Act) -> Done:
        """Carry out *act*; what is under way goes on even if the caller stops waiting."""
        return await self.shield(self.carry_out(match_id, act))

    async def shield(self, work: Coroutine[Any, Any, T]) -> T:
        """Run *work* to its end, whether or not the caller waits for it."""
        task = asyncio.ensure_future(work)
        self.track(task)
        return await asyncio.shield(task)

    def track(self, task: asyncio.Task[Any]) -> None:
        """Let *task* end, whoever still waits for it."""
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def idle(self, seconds: float) -> None:
        """Wait until no change is under way, at most *seconds*."""
        if self._running:
            await asyncio.wait(self._running, timeout=seconds)

    async def carry_out(self, match_id: str, act: Act) -> Done:
        """Carry out *act* in the caller's task, which must not be cancelled meanwhile."""
        lock = self._locks.get(match_id)
        if lock is None:
            lock = self._locks[match_id] = asyncio.Lock()
        async with lock:
            match = await self.cached_or_load(match_id)
            for _ in range(MAX_ATTEMPTS):
                done = await self._try(match, act)
                if done is not None:
                    return done
                self.conflicts += 1
                match = await self.fresh(match_id)
        raise Busy

    async def now(self) -> Moment:
        """Return the time by the store's clock."""
        return Moment(await self.store.now(), self.store_clock.outages)

    async def trusted_now(self) -> Moment:
        """Return the time, with every outage that was before it."""
        now = await self.now()
        if now.ms > self.store_clock.trusted_until:
            await self.store_clock.beat()
            now = await self.now()
        return now._replace(ms=min(now.ms, self.store_clock.trusted_until))

    def schedule(self, match: Match) -> None:
        """Note when the house has to act for a seat of *match*; nobody waits for it."""
        due = match.next_deadline(self.store_clock.outages)
        if due is not None and due.ms == 0:
            self.deadline_now.set()
        under_way = match.id in self._deadline_writes
        self._deadline_writes[match.id] = match
        if not under_way:
            self.track(asyncio.create_task(self._note(match.id)))

    async def _note(self, match_id: str) -> None:
        """Note when a match is due, until the last word in the store is about its last version."""
        try:
            with suppress(Refused):  # a sweep finds what is not noted
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

    async def _try(self, match: Match, act: Act) -> Done | None:
        """Carry out *act* on *match*; ``None`` if the match is old and it may end otherwise."""
        key = ""
        prepared: Prepared | None = None
        refused: Refused | None = None
        now = await (self.now() if match.clocks is None else self.trusted_now())
        try:
            key = act.key(match)
            prepared = act.prepare(match, now)
        except Refused as error:
            refused = error
        if prepared is not None:
            return await self._commit(match, act, key, prepared, now)
        seen = await self.store.peek(match.id, key)
        if seen.remembered is not None and key:
            if seen.remembered[:FINGERPRINT_BYTES] != act.fingerprint:
                raise RequestIdReused(request_id=_id_of(act, key))
            return self._replayed(seen.remembered[FINGERPRINT_BYTES:])
        if seen.version != match.version:
            return None
        if refused is not None:
            raise refused
        return Done(match, [], b"", False, self.store.durability)

    async def _commit(
        self, match: Match, act: Act, key: str, prepared: Prepared, now: Moment
    ) -> Done | None:
        earliest = prepared.not_before
        clocked = prepared.match.clocks is not None
        if clocked and not earliest:
            earliest = now.ms - AHEAD_MS
        fields = prepared.fields | {"changed": str(now.ms).encode()}
        prepared.match.visible_states = states_after(match, prepared.match, now.ms)
        if prepared.match.visible_states is not match.visible_states:
            fields["visible_states"] = encode_states(match.origin, prepared.match.visible_states)
        outcome = await self.store.commit(
            Commit(
                match.id,
                match.version,
                key,
                act.fingerprint,
                prepared.reply,
                prepared.match.version,
                fields,
                prepared.commit,
                earliest,
                prepared.frozen,
            )
        )
        if outcome.status is CommitStatus.COMMITTED:
            self.remember(prepared.match)
            self.hub.committed(match.version, prepared.match, prepared.entries)
            if clocked:
                self.schedule(prepared.match)
            level = self.store.durability
            return Done(prepared.match, prepared.entries, prepared.reply, False, level)
        if outcome.status is CommitStatus.DUPLICATE:
            if clocked:  # it may be our own commit, sent twice
                self.schedule(match)
            return self._replayed(outcome.reply)
        if outcome.status is CommitStatus.KEY_REUSED:
            raise RequestIdReused(request_id=_id_of(act, key))
        if outcome.status is CommitStatus.NOT_FOUND:
            self.forget(match.id)
            raise MatchNotFound(match_id=match.id)
        if outcome.status is CommitStatus.FROZEN:
            self.forget(match.id)
            damaged = outcome.reply and not outcome.reply.startswith(ADMIN_PREFIX)
            raise (StoredDataDamaged if damaged else MatchFrozen)(match_id=match.id)
        if outcome.status is CommitStatus.TOO_EARLY:
            await self.store_clock.beat()  # it tells the time anew
            if prepared.not_before:
                raise CommitTooEarly
        return None

    def _replayed(self, reply: bytes) -> Done:
        return Done(None, [], reply, True, self.store.durability)


def _id_of(act: Act, key: str) -> str:
    """Return the request id of *act*, which has one of its own where *key* holds only a digest."""
    return str(getattr(act, "request_id", key.partition(":")[2]))
