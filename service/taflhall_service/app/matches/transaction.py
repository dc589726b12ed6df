"""The way in which a match changes: authorize, prepare, commit.

Start with :func:`act`. A request (:class:`MatchRequest`) is a value. It is prepared on the match
that this process remembers, then compared and set in the store. If what was remembered turns out
to be old, it is read again and the change prepared again; so an answer never comes from an old
table, and a table in memory costs no round trip. A request id that has been answered before
gives that answer again, in any state of the match.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, Protocol

import msgspec

from taflhall_service.app.access.permissions import Caller
from taflhall_service.app.errors import (
    Busy,
    CommitTooEarly,
    MatchFrozen,
    MatchNotFound,
    Refused,
    RequestIdReused,
    StoredDataDamaged,
    StoreUnavailable,
)
from taflhall_service.app.matches.indexes import (
    COMMIT_MS,
    ListingChange,
    follow_listing,
    listing_change,
    name_early,
)
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.visibility import states_after
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.match import OPEN, Match
from taflhall_service.app.model.records import Entry
from taflhall_service.app.model.visible_states import encode_states
from taflhall_service.app.ports.match_store import (
    ADMIN_PREFIX,
    FINGERPRINT_BYTES,
    Commit,
    CommitStatus,
    DueQueue,
    Durability,
    StoredEntry,
)

MAX_ATTEMPTS: Final = 16
"""How often a change is prepared before the caller is asked to come back."""

AHEAD_MS: Final = 1000
"""How far this process may estimate ahead of the store's clock where it charges time by it."""

NO_FINGERPRINT: Final = bytes(FINGERPRINT_BYTES)
"""Fingerprint of a request that its key describes completely."""

SERVER: Final = Caller((), False)
"""The caller when the server acts by itself."""


class Change(msgspec.Struct, frozen=True):
    """A change that is ready to be committed."""

    match: Match
    """The match as it will be; if it is the match as it was, at most the answer is remembered."""
    fields: dict[str, bytes]
    """The fields of the stored match that change."""
    entries: Sequence[Entry] = ()
    stored_entries: Sequence[StoredEntry] = ()
    """The entries as they are stored."""
    outcome: bytes = b""
    """Data stored for the request id, in addition to the match."""
    not_before: int = 0
    """The earliest time for it, by the store's clock; 0: any."""
    frozen: bytes = b""
    """Why the match that changes is frozen; empty: it must not be."""
    answered: bool = False
    """The answer is remembered even if the match stays as it was: the same request, delayed, must
    do nothing later either."""

    def remembering(self, outcome: bytes) -> Change:
        """Return the change with *outcome* to remember."""
        return msgspec.structs.replace(self, outcome=outcome)


class MatchRequest(Protocol):
    """A request to change a match."""

    @property
    def request_id(self) -> str:
        """The caller's name for the request; empty if it has none."""
        ...

    @property
    def fingerprint(self) -> bytes:
        """Distinguishes it from another request with the same id."""
        ...

    def authorize(self, match: Match) -> Caller:
        """Return the caller, or raise if they may neither request this nor get its first answer."""
        ...

    def key(self, match: Match, caller: Caller) -> str:
        """Return the request id in its scope."""
        ...

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change | None:
        """Return the change, ``None`` if there is nothing to do, or raise why it is refused.

        That there was nothing to do is remembered for a request with an id.
        """
        ...


class Completion(msgspec.Struct, frozen=True):
    """How a request was completed."""

    match: Match | None
    """The match afterwards; ``None`` if this is the first answer again."""
    entries: Sequence[Entry]
    outcome: bytes
    """As in :class:`Change`."""
    replayed: bool
    """The request had been answered before."""
    durability: Durability
    at_ms: int
    """For which time by the store's clock it was prepared."""


async def act(matches: Matches, match_id: str, request: MatchRequest) -> Completion:
    """Carry out *request*; work under way continues even if the caller stops waiting."""
    return await matches.shield(carry_out(matches, match_id, request))


async def carry_out(matches: Matches, match_id: str, request: MatchRequest) -> Completion:
    """Carry out *request* in the caller's task, which must not be cancelled meanwhile."""
    with matches.tracer.use_case(request) as span:
        await matches.locks.acquire(match_id)
        try:
            match = await matches.cached_or_load(match_id)
            span.concern(match.id)
            for _ in range(MAX_ATTEMPTS):
                done = await _attempt(matches, match, request)
                if done is not None:
                    return done
                matches.conflicts += 1
                match = await matches.fresh(match_id)
            raise Busy
        finally:
            matches.locks.release(match_id)


async def _attempt(matches: Matches, match: Match, request: MatchRequest) -> Completion | None:
    """Carry out *request* on *match*; ``None`` if the match is old and it may end otherwise."""
    key = ""
    change: Change | None = None
    refused: Refused | None = None
    now = await (matches.now() if match.clocks is None else matches.trusted_now())
    try:
        caller = request.authorize(match)
        key = request.key(match, caller)
        change = request.prepare(match, caller, now)
        if change is None and request.request_id:
            change = Change(match, {}, answered=True)
    except Refused as error:
        refused = error
    if change is not None and (change.match is not match or change.answered):
        return await _commit(matches, match, request, key, change, now)
    seen = await matches.store.peek(match.id, key)
    if seen.remembered is not None and key:
        if seen.remembered[:FINGERPRINT_BYTES] != request.fingerprint:
            raise RequestIdReused(request_id=request.request_id)
        return _replayed(matches, seen.remembered[FINGERPRINT_BYTES:], now)
    if seen.version != match.version:
        return None
    if refused is not None:
        raise refused
    outcome = b"" if change is None else change.outcome
    return Completion(match, (), outcome, False, matches.store.durability, now.ms)


async def _commit(
    matches: Matches, match: Match, request: MatchRequest, key: str, change: Change, now: Moment
) -> Completion | None:
    after, earliest = change.match, change.not_before
    if after.clocks is not None and not earliest:
        earliest = now.ms - AHEAD_MS
    stamps = {"changed": now.ms} if change.fields or change.entries else {}
    if match.status == OPEN and after.table is not None:
        stamps["started"] = now.ms
    if after.over and not match.over:
        stamps["ended"] = now.ms
    fields = change.fields | {name: str(ms).encode() for name, ms in stamps.items()}
    states = states_after(match, after, now.ms, matches.limits.visible_states)
    if states is not after.visible_states:
        fields["visible_states"] = encode_states(match.origin, states)
    after = after.replaced(
        visible_states=states,
        updated_ms=stamps.get("changed", match.updated_ms),
        started_ms=stamps.get("started", match.started_ms),
        ended_ms=stamps.get("ended", match.ended_ms),
    )
    commit = Commit(
        match.id,
        match.version,
        key,
        request.fingerprint,
        change.outcome,
        after.version,
        fields,
        change.stored_entries,
        earliest,
        change.frozen,
    )
    listing = listing_change(match, after)
    await _queue(matches, match, after, now, listing)
    with matches.tracer.commit(match.id, after.revision) as span:
        result = await matches.store.commit(commit)
        span.end_with(result.status.name.lower())
    if result.status is CommitStatus.COMMITTED:
        span.lead_to(change.entries)
        if change.match is not match:
            await _follow(matches, match, after, change.entries, listing)
        level = matches.store.durability
        return Completion(after, change.entries, change.outcome, False, level, now.ms)
    if result.status is CommitStatus.DUPLICATE:
        if after.clocks is not None:  # it may be our own commit, sent twice
            matches.schedule(match)
        return _replayed(matches, result.reply, now)
    if result.status is CommitStatus.KEY_REUSED:
        raise RequestIdReused(request_id=request.request_id)
    if result.status is CommitStatus.NOT_FOUND:
        matches.forget(match.id)
        raise MatchNotFound(match_id=match.id)
    if result.status is CommitStatus.FROZEN:
        matches.forget(match.id)
        damaged = result.reply and not result.reply.startswith(ADMIN_PREFIX)
        raise (StoredDataDamaged if damaged else MatchFrozen)(match_id=match.id)
    if result.status is CommitStatus.TOO_EARLY:
        await matches.store_clock.send_heartbeat()  # reads the store's time
        if change.not_before:
            raise CommitTooEarly
    return None


async def _queue(
    matches: Matches, match: Match, after: Match, now: Moment, listing: ListingChange | None
) -> None:
    """Queue and index a match for what the next commit does, which turns it into *after*.

    It may be that the commit is never carried out. If a queue fails, a later scan finds the match;
    if an index does, the change fails too.
    """
    if after.is_timed:
        due, before = after.next_deadline(now.outages), match.next_deadline(now.outages)
        if due is not None and (before is None or due.ms < before.ms):
            noted = asyncio.ensure_future(matches.store.schedule(match.id, due.ms))
            matches.track(noted)
            await asyncio.sleep(0)  # it is sent before the commit, and nobody waits for it
    if listing is not None:
        work = [name_early(matches.store, listing)]
        if after.over:
            work.append(_queue_for_archive(matches, match.id, now))
        await asyncio.gather(*work)


async def _queue_for_archive(matches: Matches, match_id: str, now: Moment) -> None:
    with suppress(StoreUnavailable):
        await matches.store.schedule(match_id, now.ms + COMMIT_MS, DueQueue.ARCHIVE)


async def _follow(
    matches: Matches,
    before: Match,
    after: Match,
    entries: Sequence[Entry],
    listing: ListingChange | None,
) -> None:
    """Let this process, and the indexes, follow a change that is committed."""
    matches.committed(before.version, after, entries)
    if listing is None:
        return
    with suppress(StoreUnavailable):  # it is committed, and queued for the archive if it is over
        await follow_listing(matches.store, listing, after)
        matches.announcements.look()


def _replayed(matches: Matches, outcome: bytes, now: Moment) -> Completion:
    return Completion(None, (), outcome, True, matches.store.durability, now.ms)
