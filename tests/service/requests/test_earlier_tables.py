"""Earlier tables of a match: which entries are read for one, and what is refused."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from taflhall_engine.kernel.meta_commands import ABANDON, undo
from taflhall_engine.kernel.record import text
from taflhall_engine.kernel.replay import replay
from taflhall_engine.kernel.snapshot import digest, dump
from taflhall_service.app.errors import (
    NotFinished,
    NotStarted,
    RulesTooNew,
    StoredDataDamaged,
    UnknownRevision,
)
from taflhall_service.app.matches.abandon import AbandonIdle
from taflhall_service.app.matches.history import proved_record, record_file, record_of
from taflhall_service.app.matches.past import (
    PORTION,
    entries_between,
    last_before,
    match_after,
    match_at,
    table_at,
)
from taflhall_service.app.matches.transaction import act
from taflhall_service.app.model.codec import (
    decode_entry,
    decode_plain,
    decode_table,
    encode,
    encode_entry,
    encode_move,
    encode_table,
    unseal_table,
)
from taflhall_service.app.model.history_chain import seal
from taflhall_service.app.model.match import ABANDONED, FINISHED, PLAYING, Match
from taflhall_service.app.model.records import KEYFRAME_INTERVAL, Entry, Seat, StoredTable
from taflhall_service.app.ports.match_store import StoredEntry
from tests.service.requests.matches import bot, open_match, playing, seat
from tests.service.requests.process import Process, T
from tests.virtual_time import in_virtual_time, now_ms

LENGTH = KEYFRAME_INTERVAL + 6


class Played(NamedTuple):
    """A match of :data:`LENGTH` answers, one every ten milliseconds, and how it was after each."""

    process: Process
    matches: list[Match]
    """By revision."""

    @property
    def last(self) -> Match:
        return self.matches[-1]


async def played(length: int = LENGTH) -> Played:
    process = Process()
    await process.hold(playing(bot("A"), bot("B")))
    matches = [await process.matches.current("match")]
    for _ in range(length):
        process.clock[0] += 10
        matches.append(await process.play_on(1))
    return Played(process, matches)


def digest_of(match: Match) -> str:
    assert match.table is not None
    return digest(match.game, match.table)


async def test_the_table_of_every_revision_is_found_again():
    made = await played()
    store, last = made.process.store, made.last
    for revision in (0, 1, PORTION, PORTION + 1, 63, 64, 65, LENGTH - 1, LENGTH):
        past = await table_at(store, last, revision)
        assert digest(last.game, past.table) == digest_of(made.matches[revision])
    assert (await table_at(store, last, LENGTH)).table is not last.table
    other = last.replaced(table=None)
    assert digest(last.game, (await table_at(store, other, LENGTH)).table) == digest_of(last)


async def test_an_earlier_table_is_read_from_the_nearest_one_that_is_kept():
    made = await played()
    store = made.process.store
    asked: list[tuple[int, int | None]] = []
    entries = store.entries

    async def noting(match_id: str, first: int, last: int | None) -> Sequence[StoredEntry]:
        asked.append((first, last))
        found: Sequence[StoredEntry] = await entries(match_id, first, last)
        return found

    store.entries = noting
    await table_at(store, made.last, KEYFRAME_INTERVAL + 1)
    assert asked == [(KEYFRAME_INTERVAL + 2 - PORTION, KEYFRAME_INTERVAL + 1)]
    asked.clear()
    await table_at(store, made.last, PORTION + 3)
    assert asked == [(4, PORTION + 3), (1, 3)]
    asked.clear()
    await table_at(store, made.last, PORTION)
    assert asked == [(1, PORTION)]


def changed(made: Played, revision: int, **fields: Any) -> None:
    """Store the entry of *revision* with other *fields*."""
    stored = made.process.memory.entries["match"]
    match = made.last
    entry = replace(entry_of(made, revision), **fields)
    move = encode_move(entry.seat, entry.command)
    stored[revision - 1] = encode_entry(match.origin, entry, move)


def entry_of(made: Played, revision: int) -> Entry:
    kept = made.process.memory.entries["match"][revision - 1]
    return decode_entry(made.last.game, made.last.origin, kept)


async def test_a_history_without_kept_tables_is_damaged():
    made = await played()
    changed(made, KEYFRAME_INTERVAL, keyframe=b"")
    with pytest.raises(StoredDataDamaged) as damaged:
        await table_at(made.process.store, made.last, LENGTH - 1)
    assert damaged.value.metadata == {"match_id": "match"}
    before = await table_at(made.process.store, made.last, KEYFRAME_INTERVAL - 1)
    assert digest(made.last.game, before.table) == digest_of(made.matches[KEYFRAME_INTERVAL - 1])
    with pytest.raises(StoredDataDamaged):
        await table_at(made.process.store, made.last, KEYFRAME_INTERVAL)


async def test_a_history_with_a_gap_or_a_move_that_is_none_is_damaged():
    made = await played(4)
    store, entries = made.process.store, made.process.memory.entries["match"]
    whole = list(entries)
    for damage in (whole[:1] + whole[2:], whole[3:], []):
        entries[:] = damage
        with pytest.raises(StoredDataDamaged):
            await table_at(store, made.last, 3)
    entries[:] = whole
    changed(made, 2, command=undo(1))  # an undo is no move of the table
    with pytest.raises(StoredDataDamaged) as damaged:
        await table_at(store, made.last, 3)
    assert damaged.value.metadata == {"match_id": "match"}


@pytest.mark.parametrize(
    ("restores", "leads"), [(0, True), (1, True), (2, True), (-1, False), (3, False), (4, False)]
)
async def test_an_undo_restores_an_earlier_table(restores: int, leads: bool):
    made = await played(4)
    changed(made, 3, restores=restores)
    if leads:
        past = await table_at(made.process.store, made.last, 3)
        assert digest(made.last.game, past.table) == digest_of(made.matches[restores])
    else:
        with pytest.raises(StoredDataDamaged) as damaged:
            await table_at(made.process.store, made.last, 3)
        assert damaged.value.metadata == {"match_id": "match"}


@pytest.mark.parametrize("restores", [-1, 1, 2])
async def test_the_first_entry_restores_no_later_table(restores: int):
    made = await played(2)
    changed(made, 1, restores=restores)
    with pytest.raises(StoredDataDamaged):
        await table_at(made.process.store, made.last, 1)


@in_virtual_time
async def test_other_tasks_run_while_a_long_history_is_read():
    made = await played(PORTION)
    other = asyncio.create_task(yield_once(0))
    assert len(await entries_between(made.process.store, made.last, 1, PORTION)) == PORTION
    assert other.done()
    assert now_ms() == 0


# ---------------------------------------------------------------- views of the past


async def test_a_match_is_shown_as_it_was_at_each_of_its_revisions():
    made = await played(4)
    store, last = made.process.store, made.last
    for revision in range(5):
        past, then = await match_at(store, last, revision), made.matches[revision]
        assert digest(last.game, past.table) == digest_of(then)
        assert past.pending == then.pending
        assert past.step is not None
        events = entry_of(made, revision).events if revision else ()
        assert dump(list(past.events)) == dump(list(events))
    for revision in (-1, 5):
        with pytest.raises(UnknownRevision) as unknown:
            await match_at(store, last, revision)
        assert unknown.value.metadata == {"revision": "4"}


async def test_nothing_is_pending_at_the_end():
    made = await played(2)
    store = made.process.store
    over = (await act(made.process.matches, "match", AbandonIdle(made.last.version))).match
    assert over is not None
    past = await match_at(store, over, 3)
    assert (past.pending, past.step) == ({}, None)
    assert (await match_at(store, over, 2)).pending == made.last.pending


async def test_a_match_without_a_table_has_no_past():
    process = Process()
    match = await process.hold(open_match(seat("ann"), Seat()))
    with pytest.raises(NotStarted) as refused:
        await match_at(process.store, match, 0)
    assert refused.value.metadata == {"match_id": "match"}
    with pytest.raises(NotFinished):
        await record_of(process.store, match.replaced(status=ABANDONED), yield_once)


async def test_a_record_has_the_digest_of_every_table():
    made = await played(3)
    match, process = made.last, made.process
    over = (await act(process.matches, "match", AbandonIdle(match.version))).match
    assert over is not None
    record = await record_of(process.store, over, yield_once)
    digests = [record.start_digest, *[move.digest for move in record.commands]]
    assert digests == [digest_of(then) for then in (*made.matches, over)]
    assert [move.at_ms for move in record.commands] == [T + 10, T + 20, T + 30, T + 30]
    for revision in (4, 2):
        changed(made, revision, command=undo(64))
        with pytest.raises(StoredDataDamaged) as damaged:
            await record_of(process.store, over, yield_once)
        assert damaged.value.metadata == {"match_id": "match"}


async def test_a_record_ends_with_the_table_of_the_match():
    made = await played(3)
    store, finished = made.process.store, made.last.replaced(status=FINISHED)
    assert len((await record_of(store, finished, yield_once)).commands) == 3
    earlier = finished.replaced(table=made.matches[2].table)
    with pytest.raises(StoredDataDamaged):
        await record_of(store, earlier, yield_once)


async def test_a_proved_record_is_that_of_the_calls_and_replays():
    made = await played()
    process = made.process
    over = (await act(process.matches, "match", AbandonIdle(made.last.version))).match
    assert over is not None
    seen: list[int] = []

    async def noted(revision: int) -> None:
        seen.append(revision)

    proved = await proved_record(process.store, over, noted)
    assert text(proved) == record_file(await record_of(process.store, over, yield_once))
    assert replay(over.game, proved).moves[-1] == (-1, ABANDON)
    assert seen == [*range(1, LENGTH + 2)] * 2


async def test_a_proved_record_leads_through_the_tables_that_entries_hold():
    made = await played()
    process = made.process
    over = (await act(process.matches, "match", AbandonIdle(made.last.version))).match
    assert over is not None
    at = KEYFRAME_INTERVAL
    sound = entry_of(made, at).keyframe
    other = decode_table(over.game, over.origin, at, sound)
    earlier = made.matches[1].table
    assert earlier is not None
    stored = StoredTable(earlier, other.withdrawn, other.pending, other.end)
    changed(made, at, keyframe=encode_table(over.game, over.origin, at, stored))
    with pytest.raises(StoredDataDamaged) as damaged:
        await proved_record(process.store, over, yield_once)
    assert damaged.value.metadata == {"match_id": "match"}
    snapshot, more = decode_plain(unseal_table(over.origin, at, sound))
    newer = encode([{**snapshot, "schema": snapshot["schema"] + 1}, more])
    changed(made, at, keyframe=seal(over.origin.chain, f"{over.id}/table/{at}", newer))
    with pytest.raises(RulesTooNew):
        await proved_record(process.store, over, yield_once)
    changed(made, at, keyframe=sound)
    assert await proved_record(process.store, over, yield_once)


async def test_what_other_commands_lead_to_is_no_proof():
    made = await played(3)
    process = made.process
    over = (await act(process.matches, "match", AbandonIdle(made.last.version))).match
    assert over is not None
    earlier = over.replaced(table=made.matches[2].table)
    unended = over.replaced(result=None)
    rewound = over.replaced(version=over.version._replace(head=made.last.version.head))
    longer = over.replaced(version=over.version._replace(revision=over.revision + 1))
    for other in (earlier, unended, rewound, longer, made.last, over.replaced(table=None)):
        with pytest.raises(StoredDataDamaged) as damaged:
            await proved_record(process.store, other, yield_once)
        assert damaged.value.metadata == {"match_id": "match"}


async def yield_once(revision: int) -> None:
    return


async def test_the_newest_entry_before_a_time_is_found():
    made = await played(6)
    store, last = made.process.store, made.last
    for first in range(1, 8):
        for newest in range(7):
            for time in range(T + 5, T + 75, 5):
                found = await last_before(store, last, first, newest, time)
                before = [number for number in range(first, newest + 1) if T + 10 * number < time]
                assert (found.revision if found else 0) == (max(before) if before else 0)
    made.process.memory.entries["match"].clear()
    assert await last_before(store, last, 1, 6, T + 1000) is None


async def test_a_match_is_as_it_was_after_an_answer():
    made = await played(4)
    store, last = made.process.store, made.last
    for newest in (2, 3, 4):
        change_id = last.version.change_id + 1
        then, entries = await match_after(store, last, 2, newest, change_id)
        assert [entry.revision for entry in entries] == list(range(2, newest + 1))
        expected = made.matches[newest].version._replace(change_id=change_id)
        assert (then.version, then.status) == (expected, PLAYING)
        assert digest_of(then) == digest_of(made.matches[newest])
        assert then.pending == made.matches[newest].pending
    latest, _ = await match_after(store, last, 4, 4, last.version.change_id)
    assert latest.table is last.table
