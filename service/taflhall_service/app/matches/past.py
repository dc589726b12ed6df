"""The past of a match: its table, and what was pending, at an earlier revision.

At regular intervals an entry of the mainline holds the table after it: a *keyframe*. An earlier
table is read from the nearest keyframe before it and the moves in between, so it costs the same
however long the history is.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from taflhall_engine.kernel.agenda import Event, Table, Waiting, asked, waiting
from taflhall_engine.kernel.chance import KeyedChance
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.meta_commands import (
    NO_WITHDRAWALS,
    Withdrawals,
    apply_move,
    pending,
)
from taflhall_service.app.errors import NotStarted, StoredDataDamaged, UnknownRevision
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.model.codec import decode_entry, decode_table
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import KEYFRAME_INTERVAL, Entry
from taflhall_service.app.model.tokens import decision_id
from taflhall_service.app.ports.match_store import MatchStore, Version

PORTION: Final = 16
"""Entries that are read at once, and commands that are replayed before others get their turn."""


class PastTable(NamedTuple):
    """A table as it was, with who had withdrawn then. It belongs to its reader."""

    table: Table
    withdrawn: Withdrawals

    def after(self, game: Game, entry: Entry) -> PastTable:
        """Carry out the move of *entry*, other than an undo, on the table; return the result."""
        withdrawn = apply_move(game, self.table, entry.seat, entry.command, self.withdrawn)
        return PastTable(self.table, withdrawn)


class PastMatch(NamedTuple):
    """A match as it was at a revision."""

    match: Match
    table: Table
    step: Waiting[Any] | None
    pending: Mapping[int, str]
    events: Sequence[Event]


async def table_at(store: MatchStore, match: Match, revision: int) -> PastTable:
    """Return the table of *match*, which has begun, as it was at *revision*."""
    if revision == match.revision and match.table is not None:
        return PastTable(match.table.copy(), match.withdrawn)
    game, start, moves = match.game, None, list[Entry]()
    async for entry in _mainline_back(store, match, revision):
        if entry.keyframe:
            start = decode_table(game, match.origin, entry.revision, entry.keyframe)
            break
        moves.append(entry)
        if len(moves) == KEYFRAME_INTERVAL:
            raise StoredDataDamaged(match_id=match.id)
    try:
        if start is None:
            past = at_start(match)
        else:
            past = PastTable(start.table, start.withdrawn)
        for entry in reversed(moves):
            past = past.after(game, entry)
            await yield_to_others(entry.revision)
    except Exception:
        raise StoredDataDamaged(match_id=match.id) from None
    return past


async def _mainline_back(store: MatchStore, match: Match, revision: int) -> AsyncIterator[Entry]:
    """Yield the moves that led to the table at *revision*, the latest first."""
    while revision:
        first = max(1, revision - PORTION + 1)
        found = await store.entries(match.id, first, revision)
        if not found:
            raise StoredDataDamaged(match_id=match.id)
        for kept in reversed(found):
            if kept.revision > revision:
                continue  # it was taken back
            entry = decode_entry(match.game, match.origin, kept)
            if entry.revision != revision:
                raise StoredDataDamaged(match_id=match.id)
            if entry.restores is None:
                revision -= 1
                yield entry
            elif 0 <= entry.restores < revision:
                revision = entry.restores
            else:
                raise StoredDataDamaged(match_id=match.id)


def at_start(match: Match) -> PastTable:
    """Return the table of *match* as it was laid out."""
    table = match.game.new(match.setup, KeyedChance(match.origin.secret))
    return PastTable(table, NO_WITHDRAWALS)


async def match_at(store: MatchStore, match: Match, revision: int) -> PastMatch:
    """Return a match as it was at *revision*; raise ``NotStarted`` or ``UnknownRevision``."""
    if match.table is None:
        raise NotStarted(match_id=match.id)
    if not 0 <= revision <= match.revision:
        raise UnknownRevision(revision=match.revision)
    table, withdrawn = await table_at(store, match, revision)
    events: Sequence[Event] = ()
    if revision:
        [newest] = await entries_between(store, match, revision, revision)
        ids, events = newest.pending, newest.events
    else:
        key = match.origin.chain
        head = chain.first_head(key, match.id)
        ids = {seat: decision_id(key, head, 0, seat) for seat in asked(table)}
    going = bool(pending(match.game, table, withdrawn))
    step = waiting(table) if going else None
    return PastMatch(match, table, step, ids if going else {}, events)


async def last_before(
    store: MatchStore, match: Match, first: int, last: int, time_ms: int
) -> Entry | None:
    """Return the newest of the entries from *first* to *last* that is older than *time_ms*.

    The times of a history grow, but for corrections of the clock.
    """
    found: Entry | None = None
    while first <= last:
        middle = (first + last) // 2
        kept = await store.entries(match.id, middle, middle)
        entry = decode_entry(match.game, match.origin, kept[0]) if kept else None
        if entry is not None and entry.at_ms < time_ms:
            found, first = entry, middle + 1
        else:
            last = middle - 1
    return found


async def match_after(
    store: MatchStore, match: Match, first: int, last: int, change_id: int
) -> tuple[Match, list[Entry]]:
    """Return *match* as it was after revision *last*, and its entries from *first* on."""
    entries = await entries_between(store, match, first, last)
    newest = entries[-1]
    version = Version(last, newest.head, change_id)
    if match.revision == last:
        return match.replaced(version=version), entries
    table, withdrawn = await table_at(store, match, last)
    then = match.replaced(
        version=version,
        status=newest.status,
        table=table,
        withdrawn=withdrawn,
        pending=newest.pending,
        result=None,
        clocks=newest.clocks,
        proposed=None,
    )
    return then, entries


async def entries_between(store: MatchStore, match: Match, first: int, last: int) -> list[Entry]:
    """Return the entries from revision *first* to *last*.

    Raise ``StoredDataDamaged`` if one is missing.
    """
    found = await store.entries(match.id, first, last) if first <= last else []
    if [entry.revision for entry in found] != list(range(first, last + 1)):
        raise StoredDataDamaged(match_id=match.id)
    entries = []
    for kept in found:
        entries.append(decode_entry(match.game, match.origin, kept))
        await yield_to_others(kept.revision)
    return entries


async def yield_to_others(revision: int) -> None:
    """Let other tasks run once every :data:`PORTION` commands."""
    if revision % PORTION == 0:
        await asyncio.sleep(0)
