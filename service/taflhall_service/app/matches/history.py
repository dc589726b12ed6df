"""The record of a finished match, replayed in small portions that do not block other calls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import NamedTuple

from taflhall_engine.kernel import record
from taflhall_engine.kernel.agenda import Table
from taflhall_engine.kernel.mainline import ReplayState, replay_states
from taflhall_engine.kernel.meta_commands import Action as MatchAction
from taflhall_engine.kernel.snapshot import digest
from taflhall_service.app.errors import NotFinished, StoredDataDamaged
from taflhall_service.app.matches.past import entries_between
from taflhall_service.app.model.codec import decode_entry
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Entry
from taflhall_service.app.ports.match_store import MatchStore, StoredMatch, ms_of


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


async def record_of(
    store: MatchStore, match: Match, rest: Callable[[int], Awaitable[object]]
) -> MatchRecord:
    """Return the record of *match*, which is over, checked against its stored data.

    *rest* is called at each revision.
    """
    if not match.over or match.table is None:
        raise NotFinished(match_id=match.id)
    entries = await entries_between(store, match, 1, match.revision)
    digests: list[str] = []
    last: Table | None = None
    for state in _replay(match, entries):
        digests.append(digest(match.game, state.table))
        last = state.table
        await rest(state.revision)
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


def record_file(found: MatchRecord) -> str:
    """Return *found* as it stands in a file."""
    match = found.match
    assert match.result is not None
    plain = record.written(
        match.game,
        match.setup,
        [seat.acting.name for seat in match.seats],
        match.origin.secret,
        [(move.seat, move.command) for move in found.commands],
        [found.start_digest, *[move.digest for move in found.commands]],
        match.result,
        match.id,
    )
    return record.text(plain)


def _replay(match: Match, entries: list[Entry]) -> Iterator[ReplayState]:
    """Yield the match at each revision; every failure means that its stored data is damaged."""
    moves = [(entry.seat, entry.command) for entry in entries]
    try:
        yield from replay_states(match.game, match.setup, match.origin.secret, moves)
    except Exception:
        raise StoredDataDamaged(match_id=match.id) from None


async def changed_at(store: MatchStore, found: StoredMatch, match: Match) -> int:
    """Return when a match was last changed, by the store's clock, in milliseconds.

    A server of an older build stores no such time: its commands have their own.
    """
    changed = max(ms_of(found.changed), match.origin.created_ms)
    at = match.revision
    entries = await store.entries(match.id, at, at) if at else []
    return max(
        [changed, *[decode_entry(match.game, match.origin, entry).at_ms for entry in entries]]
    )
