"""Reading history: the record of a finished match, and a viewer's view at a revision.

Both replay the match from its setup, its secret and its commands, in small portions that do not
block other calls.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from taflhall_engine.kernel.agenda import Event, Table, Waiting, asked, waiting
from taflhall_engine.kernel.mainline import Mainline, ReplayState, replay_states
from taflhall_engine.kernel.meta_commands import Action as MatchAction
from taflhall_engine.kernel.meta_commands import Move, pending
from taflhall_engine.kernel.snapshot import digest
from taflhall_service.app.access.permissions import Action, require_status
from taflhall_service.app.errors import (
    NotFinished,
    NotStarted,
    StoredDataDamaged,
    UnknownRevision,
)
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.model.codec import decode_entry
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Entry
from taflhall_service.app.model.tokens import decision_id
from taflhall_service.app.ports.match_store import MatchStore, StoredMatch, Version, ms_of

PORTION = 16
"""Commands that are replayed before others get their turn."""


class RecordedMove(NamedTuple):
    """One move of a record."""

    seat: int
    command: MatchAction
    digest: str
    at_ms: int
    """When it was, by the store's clock."""
    used_ms: int | None
    """How long the seat took for it; ``None`` without clocks."""


class MatchRecord(NamedTuple):
    """Everything that is needed to replay a match."""

    match: Match
    start_digest: str
    commands: list[RecordedMove]


class PastMatch(NamedTuple):
    """A match as it was at a revision."""

    match: Match
    table: Table
    step: Waiting[Any] | None
    pending: Mapping[int, str]
    events: list[Event]


async def record_of(
    store: MatchStore, match: Match, rest: Callable[[int], Awaitable[object]]
) -> MatchRecord:
    """Return the record of *match*, which is over, checked against its stored data.

    *rest* is called at each revision.
    """
    if not match.over or match.table is None:
        raise NotFinished(match_id=match.id)
    entries = await entries_up_to(store, match, match.revision)
    digests: list[str] = []
    last: Table | None = None
    replay = _replay(match, entries)
    for position in replay:
        digests.append(digest(match.game, position.table))
        last = position.table
        await rest(position.revision)
    if last is None or digests[-1] != digest(match.game, match.table):
        raise StoredDataDamaged(match_id=match.id)
    commands = [
        RecordedMove(
            entry.seat,
            entry.command,
            after,
            entry.at_ms,
            None if entry.clocks is None else entry.used_ms,
        )
        for entry, after in zip(entries, digests[1:], strict=True)
    ]
    return MatchRecord(match, digests[0], commands)


async def match_at(matches: Matches, match: Match, revision: int) -> PastMatch:
    """Return a match as it was after *revision* commands."""
    require_status(Action.GET_MATCH_VIEW, match)
    if match.table is None:
        raise NotStarted(match_id=match.id)
    if not 0 <= revision <= match.revision:
        raise UnknownRevision(revision=match.revision)
    entries = await entries_up_to(matches.store, match, revision)
    found: ReplayState | None = None
    replay = _replay(match, entries)
    for found in replay:
        await give_way(found.revision)
    assert found is not None
    seats = pending(match.game, found.table, found.withdrawn)
    step = waiting(found.table) if seats else None
    if entries:
        ids = entries[-1].pending
    else:
        key = match.origin.chain
        head = chain.first_head(key, match.id)
        ids = {seat: decision_id(key, head, 0, seat) for seat in asked(found.table)}
    return PastMatch(match, found.table, step, ids if seats else {}, found.events)


async def match_after(
    matches: Matches, match: Match, first: int, last: int, change_id: int
) -> tuple[Match, list[Entry]]:
    """Return *match* as it was after revision *last*, and its entries from *first* on."""
    found = await matches.store.entries(match.id, first, last)
    entries = [decode_entry(match.game, match.origin, entry) for entry in found]
    if [entry.revision for entry in entries] != list(range(first, last + 1)):
        raise StoredDataDamaged(match_id=match.id)
    newest = entries[-1]
    version = Version(last, newest.head, change_id)
    if match.revision == last:
        return replace(match, version=version), entries
    past = await match_at(matches, match, last)
    then = replace(
        match,
        version=version,
        status=newest.status,
        table=past.table,
        pending=newest.pending,
        result=None,
        clocks=newest.clocks,
        proposed=None,
    )
    return then, entries


async def line_of(matches: Matches, match: Match) -> Mainline:
    """Return the line of a match that has begun, as it is now."""
    entries = await entries_up_to(matches.store, match, match.revision)
    try:
        line = Mainline(match.game, match.setup, match.origin.secret)
        for entry in entries:
            line.push(entry.seat, entry.command)
            await give_way(entry.revision)
    except Exception:
        raise StoredDataDamaged(match_id=match.id) from None
    return line


def _replay(match: Match, entries: list[Entry]) -> Iterator[ReplayState]:
    """Yield the match from its start; every failure means that its stored data is damaged."""
    try:
        yield from replay_states(match.game, match.setup, match.origin.secret, _moves(entries))
    except Exception:
        raise StoredDataDamaged(match_id=match.id) from None


def _moves(entries: list[Entry]) -> list[Move]:
    return [(entry.seat, entry.command) for entry in entries]


async def give_way(revision: int) -> None:
    """Let others have their turn after every :data:`PORTION` commands."""
    if revision % PORTION == 0:
        await asyncio.sleep(0)


async def entries_up_to(store: MatchStore, match: Match, last: int) -> list[Entry]:
    """Return the entries up to revision *last*, or raise ``StoredDataDamaged`` if one lacks."""
    found = await store.entries(match.id, 1, last) if last else []
    entries = [decode_entry(match.game, match.origin, entry) for entry in found]
    if [entry.revision for entry in entries] != list(range(1, last + 1)):
        raise StoredDataDamaged(match_id=match.id)
    return entries


async def changed_at(store: MatchStore, found: StoredMatch, match: Match) -> int:
    """Return when a match was last changed, by the store's clock, in milliseconds.

    A server of an older build notes no such time: its deeds have their own.
    """
    changed = max(ms_of(found.changed), match.origin.created_ms)
    at = match.revision
    entries = await store.entries(match.id, at, at) if at else []
    return max(
        [changed, *[decode_entry(match.game, match.origin, entry).at_ms for entry in entries]]
    )
