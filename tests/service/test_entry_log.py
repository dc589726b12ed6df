"""Reading the log of a match from where a reader is."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from taflhall_service.app.model.history_chain import first_head
from taflhall_service.app.model.match import Match
from taflhall_service.app.ports.match_store import StoredEntry, Version
from taflhall_service.app.watching.entry_log import BATCH, PORTION, EntriesAfter, EntryLog, LogGap
from tests.service.requests.matches import bot, playing
from tests.service.requests.process import Process
from tests.virtual_time import in_virtual_time, now_ms


class Reader:
    """The entries of a match, and which of them have been asked for."""

    def __init__(self, entries: Sequence[StoredEntry]) -> None:
        self.held = list(entries)
        self.asked: list[tuple[int, int | None]] = []

    async def entries(self, match_id: str, first: int, last: int | None) -> Sequence[StoredEntry]:
        self.asked.append((first, last))
        return [
            e for e in self.held if first <= e.revision and (last is None or e.revision <= last)
        ]


async def played(moves: int) -> tuple[Match, Reader]:
    """Return a match after that many commands, and the reader of its entries."""
    process = Process()
    await process.hold(playing(bot("A"), bot("B")))
    match = await process.play_on(moves)
    return match, Reader(await process.store.entries(match.id, 1, None))


@pytest.fixture
async def log() -> tuple[EntryLog, Reader, bytes]:
    """A log of five entries, its reader, and the head of the match's start."""
    match, reader = await played(5)
    return EntryLog(reader, match), reader, first_head(match.origin.chain, match.id)


async def test_a_reader_at_the_start_gets_everything_from_the_first_entry(log):
    entries, reader, start = log
    found = await entries.after_revision(0, lambda head: head == start, None)
    assert isinstance(found, EntriesAfter)
    assert found.head == start
    assert [e.revision for e in found.entries] == [e.revision for e in reader.held]
    assert reader.asked == [(1, None)]
    assert await entries.after_revision(0, lambda head: head != start) is LogGap.REWOUND
    assert reader.asked[1:] == [(1, BATCH)]


async def test_a_reader_gets_at_most_its_limit_after_its_revision(log):
    entries, reader, _ = log
    found = await entries.after_revision(2, lambda head: head == reader.held[1].head, 2)
    assert isinstance(found, EntriesAfter)
    assert found.head == reader.held[1].head
    assert [e.revision for e in found.entries] == [3, 4]
    assert reader.asked == [(2, 4)]
    last = reader.held[-1]
    found = await entries.after_revision(last.revision, lambda head: head == last.head)
    assert found == EntriesAfter(last.head, [])


async def test_a_version_proves_the_entry_by_its_head(log):
    entries, reader, _ = log
    at = Version(2, reader.held[1].head, 0)
    found = await entries.after(at, 1)
    assert isinstance(found, EntriesAfter)
    assert [entry.revision for entry in found.entries] == [3]
    assert await entries.after(at._replace(head=reader.held[0].head)) is LogGap.REWOUND


async def test_a_reader_whose_entry_is_not_the_known_one_was_rewound(log):
    entries, reader, _ = log
    assert await entries.after_revision(2, lambda head: False) is LogGap.REWOUND
    assert await entries.after_revision(len(reader.held) + 1, lambda head: True) is LogGap.REWOUND


async def test_a_reader_learns_that_its_next_entries_are_gone(log):
    entries, reader, _ = log
    del reader.held[:2]
    assert await entries.after_revision(2, lambda head: True) is LogGap.COMPACTED
    assert await entries.after_revision(0, lambda head: True) is LogGap.COMPACTED
    assert isinstance(await entries.after_revision(3, lambda head: True), EntriesAfter)
    del reader.held[1]
    assert await entries.after_revision(3, lambda head: True) is LogGap.COMPACTED


@pytest.mark.parametrize("entries", [PORTION - 1, 2 * PORTION])
@in_virtual_time
async def test_others_get_their_turn_after_each_portion_of_entries(entries: int):
    match, reader = await played(entries)
    turns = 0

    async def others() -> None:
        nonlocal turns
        while turns < 100:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    assert isinstance(await EntryLog(reader, match).after_revision(0, lambda _: True), EntriesAfter)
    task.cancel()
    assert (turns, now_ms()) == (entries // PORTION, 0)
