"""The record of a finished match, replayed in small portions that do not block other calls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Iterator
from typing import Any, NamedTuple

from taflhall_engine.kernel import record
from taflhall_engine.kernel.agenda import Table
from taflhall_engine.kernel.mainline import ReplayState, replay_states
from taflhall_engine.kernel.meta_commands import Action as MatchAction
from taflhall_engine.kernel.replay import recording
from taflhall_engine.kernel.snapshot import digest
from taflhall_service.app.errors import NotFinished, RulesTooNew, StoredDataDamaged
from taflhall_service.app.matches.past import entries_between
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.model.codec import ChainedMove, decode_entry, decode_move, decode_table
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
        _names(match),
        match.origin.secret,
        [(move.seat, move.command) for move in found.commands],
        [found.start_digest, *[move.digest for move in found.commands]],
        match.result,
        match.id,
    )
    return record.text(plain)


async def proved_record(
    store: MatchStore, match: Match, rest: Callable[[int], Awaitable[object]]
) -> dict[str, Any]:
    """Return the record of *match*, which is over, proved to be complete and to replay.

    It is what :func:`record_file` writes, as plain data. The entries are whole and lead from the
    first head of the history to that of the match, so every command is what a server committed.
    The record replays, by way of its text, through the tables that the entries hold to the stored
    table and result. Raise ``StoredDataDamaged`` otherwise. *rest* is called at each revision.
    """
    moves = await _chained_moves(store, match, rest)
    writing = recording(
        match.game,
        match.setup,
        _names(match),
        match.origin.secret,
        [(move.seat, move.command) for move in moves],
        match.id,
    )
    try:
        after = next(writing)
        for revision, move in enumerate(moves, 1):
            after = next(writing)
            if move.keyframe:
                kept = decode_table(match.game, match.origin, revision, move.keyframe)
                _check(match, after == digest(match.game, kept.table))
            await rest(revision)
        _check(match, match.table is not None and after == digest(match.game, match.table))
        plain = _result_of(writing)
    except RulesTooNew:
        raise
    except Exception:
        raise StoredDataDamaged(match_id=match.id) from None
    _check(match, match.result is not None and plain["result"] == record.result_data(match.result))
    return plain


async def _chained_moves(
    store: MatchStore, match: Match, rest: Callable[[int], Awaitable[object]]
) -> list[ChainedMove]:
    """Return all moves of *match*, proved to be its history."""
    found = await store.entries(match.id, 1, match.revision)
    _check(match, [kept.revision for kept in found] == [*range(1, match.revision + 1)])
    head = chain.first_head(match.origin.chain, match.id)
    moves = []
    for kept in found:
        move = decode_move(match.game, match.origin, kept, head)
        head = move.head
        moves.append(move)
        await rest(kept.revision)
    _check(match, head == match.version.head)
    return moves


def _result_of(writing: Generator[object, None, dict[str, Any]]) -> dict[str, Any]:
    try:
        next(writing)
    except StopIteration as end:
        plain: dict[str, Any] = end.value
        return plain
    raise AssertionError("there are more tables than moves")


def _check(match: Match, holds: bool) -> None:
    if not holds:
        raise StoredDataDamaged(match_id=match.id)


def _names(match: Match) -> list[str]:
    return [seat.acting.name for seat in match.seats]


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
