"""What a server remembers of a match after each change is what is stored of it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from taflhall_engine.kernel.snapshot import digest
from taflhall_service.app.errors import NotFinished, StoredDataDamaged
from taflhall_service.app.matches.history import changed_at, record_of
from taflhall_service.app.matches.past import entries_between, table_at, yield_to_others
from taflhall_service.app.model import codec
from taflhall_service.app.model.match import decode_match
from taflhall_service.store.memory import Memory, MemoryStore
from tests.operate.matches import play, server_over
from tests.service.clocked import clock_settings
from tests.service.delayed import Happening, much_else, plain_match
from tests.service.local_server import known, open_server
from tests.service.timed_server import DELAYED, PUBLIC, TimedServer, memory_at

FIELDS = (
    *("seats", "version", "status", "withdrawn", "pending", "end", "result", "clocks"),
    *("proposal", "updated_ms", "started_ms", "ended_ms", "visible_states"),
)


def same(remembered: Any, stored: Any) -> None:
    for name in FIELDS:
        assert getattr(remembered, name) == getattr(stored, name), name
    assert (remembered.table is None) == (stored.table is None)
    if remembered.table is not None:
        game = remembered.game
        assert digest(game, remembered.table) == digest(game, stored.table)


@pytest.mark.parametrize("happenings", [plain_match, much_else])
@pytest.mark.parametrize("policy", [PUBLIC, DELAYED])
@pytest.mark.parametrize("with_clocks", [False, True])
async def test_what_is_remembered_is_what_is_stored(
    happenings: Any, policy: int, with_clocks: bool
):
    memory = memory_at()
    async with open_server(MemoryStore(memory)) as server:
        timed = TimedServer(memory, server)
        terms = clock_settings(base=6000) if with_clocks else None
        table = await timed.create(policy, time_control=terms)
        started = ended = 0
        steps: list[Happening] = happenings(table)
        for happens in steps:
            timed.passes(10)
            before = memory.matches[table.id]
            await happens()
            match, now = known(server, table.id), memory.clock()
            same(match, decode_match(memory.matches[table.id]))
            changed = memory.matches[table.id] != before
            assert match.updated_ms == (now if changed else match.updated_ms)
            started = started or (now if match.table is not None else 0)
            ended = ended or (now if match.over else 0)
            assert (match.started_ms, match.ended_ms) == (started, ended)
        assert ended


async def test_a_match_changed_when_anything_of_it_did():
    memory = memory_at()
    async with server_over(MemoryStore(memory)) as server:
        timed = TimedServer(memory, server)
        table = await timed.table(PUBLIC)
        timed.passes(10)
        await table.step()
        store, at = server.store, memory.clock()
        found = memory.matches[table.id]
        match = decode_match(found)
        assert await changed_at(store, found, match) == at
        later = str(at + 5).encode()
        assert await changed_at(store, found._replace(changed=later), match) == at + 5
        assert await changed_at(store, found._replace(changed=b""), match) == at
        unplayed = await timed.create(PUBLIC)
        found = memory.matches[unplayed.id]
        match = decode_match(found)
        assert await changed_at(store, found._replace(changed=b""), match) == at


async def nothing(_revision: int) -> None:
    return


async def test_a_record_is_of_a_match_that_is_over_and_leads_to_its_table():
    memory = Memory()
    async with server_over(MemoryStore(memory)) as server:
        store = server.store
        going = decode_match(memory.matches[await play(server, 2, finish=False)])
        with pytest.raises(NotFinished) as refusal:
            await record_of(store, going, nothing)
        assert refusal.value.metadata == {"match_id": going.id}
        over = decode_match(memory.matches[await play(server, 2)])
        revisions: list[int] = []

        async def noted(revision: int) -> None:
            revisions.append(revision)

        found = await record_of(store, over, noted)
        assert revisions == [0, 1, 2, 3]
        assert found.match is over
        assert [move.used_ms for move in found.commands] == [None, None, None]
        assert over.table is not None
        assert found.commands[-1].digest == digest(over.game, over.table)
        assert len({found.start_digest, *[move.digest for move in found.commands]}) > 1
        other = over.replaced(table=going.table)
        with pytest.raises(StoredDataDamaged) as damage:
            await record_of(store, other, nothing)
        assert damage.value.metadata == {"match_id": over.id}


async def test_entries_are_all_there_or_damaged():
    memory = Memory()
    async with server_over(MemoryStore(memory)) as server:
        match = decode_match(memory.matches[await play(server, 4, finish=False)])
        for first, last in ((1, 4), (2, 3), (4, 4)):
            found = await entries_between(server.store, match, first, last)
            assert [entry.revision for entry in found] == list(range(first, last + 1))
        assert await entries_between(server.store, match, 3, 2) == []
        for first, last in ((1, 5), (0, 2)):
            with pytest.raises(StoredDataDamaged) as damage:
                await entries_between(server.store, match, first, last)
            assert damage.value.metadata == {"match_id": match.id}


@pytest.mark.parametrize("restores", [-1, 3, 4])
async def test_an_undo_that_leads_nowhere_is_damaged(restores: int):
    memory = Memory()
    async with server_over(MemoryStore(memory)) as server:
        match = decode_match(memory.matches[await play(server, 4, finish=False)])
        entries = memory.entries[match.id]
        entry = codec.decode_entry(match.game, match.origin, entries[2])
        changed = replace(entry, restores=restores)
        move = codec.encode_move(entry.seat, entry.command)
        entries[2] = codec.encode_entry(match.origin, changed, move)
        with pytest.raises(StoredDataDamaged):
            await table_at(server.store, match, 3)
        assert (await table_at(server.store, match, 2)).table is not None
        assert (await table_at(server.store, match, 4)).table is not match.table


async def test_others_get_their_turn_after_every_portion_of_commands():
    turns = []

    async def other() -> None:
        turns.append(True)

    for revision, turn in ((15, False), (16, True), (17, False), (32, True)):
        turns.clear()
        task = asyncio.ensure_future(other())
        await yield_to_others(revision)
        assert bool(turns) == turn
        await task
