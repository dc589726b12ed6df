"""The audit of a match: replays its log and compares the result with the stored data.

Setup, random numbers and commands determine a match. So the chain of heads must hold from the
first command to the last, each command must lead to the events that are stored with it, and all
of them to the stored table, its random numbers, pending decisions and result. Differences are
named by revision; the message reveals no hidden information of the match.
"""

from __future__ import annotations

from typing import Final

from taflhall_engine.kernel.mainline import ReplayState, draws_of, replay_states
from taflhall_engine.kernel.meta_commands import UNDO, MetaCommand, Move, pending, result
from taflhall_engine.kernel.snapshot import digest, dump
from taflhall_service.app.errors import RulesTooNew, StoredDataDamaged
from taflhall_service.app.jobs.pacing import Throttle
from taflhall_service.app.matches.damage import damaged_part
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.model.codec import (
    decode_entry,
    decode_origin,
    decode_table,
    encode_move,
    unseal_entry,
    unseal_table,
)
from taflhall_service.app.model.match import ABANDONED, Match, decode_match
from taflhall_service.app.model.records import KEYFRAME_INTERVAL, Entry, Origin
from taflhall_service.app.ports.match_store import MatchStore, StoredEntry, StoredMatch

BATCH: Final = 128
"""Entries that are read from the store at once."""


class IntegrityError(Exception):
    """What is stored of a match is not what its log leads to."""


async def audit(store: MatchStore, found: StoredMatch, pace: Throttle) -> int:
    """Check a match as it was *found*, and return how many commands were folded.

    Raise :exc:`IntegrityError`, or ``RulesTooNew`` if this server cannot judge: intact data that
    it cannot read was written by another release.
    """
    try:
        origin = decode_origin(found.origin)
        if found.snapshot:
            unseal_table(origin, found.version.revision, found.snapshot)
    except StoredDataDamaged:
        raise IntegrityError("the stored table is damaged, or stored in the wrong place") from None
    try:
        return await _audit(store, decode_match(found._replace(frozen=b"")), pace)
    except StoredDataDamaged:
        if part := damaged_part(found):
            raise IntegrityError(part) from None
        raise RulesTooNew(match_id=origin.match_id) from None


async def _audit(store: MatchStore, match: Match, pace: Throttle) -> int:
    game, origin = match.game, match.origin
    head = chain.first_head(origin.chain, match.id)
    moves: list[Move] = []
    walk = replay_states(game, match.setup, origin.secret, moves)  # it reads moves added later
    state = next(walk)
    for first in range(1, match.revision + 1, BATCH):
        last = min(first + BATCH - 1, match.revision)
        try:
            entries = await store.entries(match.id, first, last)
        except StoredDataDamaged:
            raise IntegrityError(f"an entry from {first} to {last} cannot be read") from None
        pace.start()
        for revision, kept in enumerate(entries, first):
            if kept.revision != revision:
                raise IntegrityError(f"the log lacks revision {revision}")
            _check_whole(origin, kept)
            entry = decode_entry(game, origin, kept)
            head = chain.next_head(
                origin.chain, head, revision, encode_move(entry.seat, entry.command)
            )
            if head != entry.head:
                raise IntegrityError(f"the chain of heads breaks at revision {revision}")
            moves.append((entry.seat, entry.command))
            try:
                state = next(walk)
            except Exception as error:
                kind = type(error).__name__
                raise IntegrityError(
                    f"the command of revision {revision} cannot be given: {kind}"
                ) from None
            if dump(state.events) != dump(list(entry.events)):
                raise IntegrityError(f"the command of revision {revision} caused other events")
            _check_restorable(match, entry, state)
            await pace.yield_()
    if len(moves) != match.revision:
        raise IntegrityError(
            f"the log ends at revision {len(moves)}, the match at {match.revision}"
        )
    if head != match.version.head:
        raise IntegrityError("the head of the match is not that of its last command")
    _compare(match, state)
    return len(moves)


def _check_whole(origin: Origin, kept: StoredEntry) -> None:
    try:
        unseal_entry(origin, kept)
    except StoredDataDamaged:
        raise IntegrityError(f"the entry of revision {kept.revision} is damaged") from None


def _check_restorable(match: Match, entry: Entry, folded: ReplayState) -> None:
    """Raise :exc:`IntegrityError` unless earlier tables can be read by way of *entry*."""
    undo = isinstance(entry.command, MetaCommand) and entry.command.name == UNDO
    if entry.restores != (folded.end.last if undo else None):
        raise IntegrityError(f"the undo of revision {entry.revision} restores another table")
    if bool(entry.keyframe) != (not undo and folded.end.length % KEYFRAME_INTERVAL == 0):
        raise IntegrityError(f"the entry of revision {entry.revision} holds a table, or lacks it")
    if entry.keyframe:
        kept = decode_table(match.game, match.origin, entry.revision, entry.keyframe)
        same = digest(match.game, kept.table) == digest(match.game, folded.table)
        drawn = draws_of(kept.table) == draws_of(folded.table)
        others = (kept.withdrawn, kept.end) == (folded.withdrawn, folded.end)
        if not (same and drawn and others):
            raise IntegrityError(f"the table kept at revision {entry.revision} is another one")


def _compare(match: Match, folded: ReplayState) -> None:
    """Raise :exc:`IntegrityError` unless *match* is stored as it was *folded*."""
    game, table = match.game, match.table
    if table is None:
        if match.revision:
            raise IntegrityError("the match has begun without a table")
        return
    if digest(game, table) != digest(game, folded.table):
        raise IntegrityError("the stored table is not the one that the log leads to")
    if draws_of(table) != draws_of(folded.table):
        raise IntegrityError("the stored table has drawn more or fewer random numbers than its log")
    if match.withdrawn != folded.withdrawn:
        raise IntegrityError("others have gone than the log says")
    if match.end != folded.end:
        raise IntegrityError("other answers can be taken back than the log says")
    asked = pending(game, folded.table, folded.withdrawn)
    if sorted(match.pending) != asked:
        raise IntegrityError("others have to decide than the log says")
    if match.over == bool(asked) or folded.withdrawn.abandoned != (match.status == ABANDONED):
        raise IntegrityError(f"the match is {match.status}, but its log says otherwise")
    if match.result != result(game, folded.table, folded.withdrawn):
        raise IntegrityError("the match ended otherwise than its log says")
