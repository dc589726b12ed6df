"""What an earlier table costs: it does not grow with the history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from taflhall_engine.kernel.agenda import Table
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.drafts import steps_of
from taflhall_engine.kernel.mainline import draws_of, replay_states
from taflhall_engine.kernel.meta_commands import Withdrawals
from taflhall_engine.kernel.snapshot import digest
from taflhall_service.app.errors import StoredDataDamaged
from taflhall_service.app.jobs.integrity import IntegrityError, audit
from taflhall_service.app.jobs.pacing import Throttle
from taflhall_service.app.matches.past import entries_between, match_at, table_at
from taflhall_service.app.matches.table_update import TableUpdate
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.codec import (
    decode_table,
    encode_entry,
    encode_move,
    encode_table,
)
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import KEYFRAME_INTERVAL
from taflhall_service.app.ports.match_store import StoredEntry
from taflhall_service.store.memory import MemoryStore
from tests.engine.every_game import walk
from tests.service import local_server
from tests.service.local_server import LocalServer, open_server, refused
from tests.service.proposing import propose

LONG = 4000
PLAYED = 200
"""Moves before the answers and undos that make the history long."""

PACE = Throttle(1.0)


class CountingStore(MemoryStore):
    """Counts the entries that are read, and their bytes."""

    read = 0
    size = 0

    async def entries(self, match_id: str, first: int, last: int | None) -> list[StoredEntry]:
        found = await super().entries(match_id, first, last)
        self.read += len(found)
        self.size += sum(len(entry.body) for entry in found)
        return found


async def ice_garden(server: LocalServer) -> local_server.Table:
    """A match of one person: most of its answers can be taken back."""
    return await server.one_person("ice_garden", 4)


async def put(server: LocalServer, match_id: str, update: TableUpdate) -> Match:
    """Store what was played on a copy of a match, as if it had been committed."""
    change = update.to_change()
    memory = server.store.memory
    stored: dict[str, Any] = {**change.fields, "version": change.match.version}
    memory.matches[match_id] = memory.matches[match_id]._replace(**stored)
    memory.entries[match_id] = [*memory.entries.get(match_id, ()), *change.stored_entries]
    return await server.matches.fresh(match_id)


async def prolonged(
    server: LocalServer,
    match_id: str,
    revision: int,
    seed: int = 1,
    played: int = PLAYED,
    at_ms: int = 0,
) -> Match:
    """Go on with a match as if it had been played: random answers, some of them taken back.

    After *played* moves an answer is given and taken back again and again. All of it happened at
    *at_ms*, by default when the match was created.
    """
    match, rng = await server.matches.current(match_id), FastChance(seed)
    assert match.table is not None
    update = TableUpdate(match, Moment(at_ms or match.origin.created_ms))
    kept: list[tuple[Table, Withdrawals]] = []
    answer, long = None, False
    while update.revision < revision:
        at = update.match()
        assert at.table is not None
        undoable = min(len(at.end.undoable), len(kept))
        kept = kept[-undoable:] if undoable else []
        long = long or at.end.length > played
        if undoable and (long or not rng.below(8)):
            back = 1 if long else 1 + rng.below(min(undoable, 5))
            update.undo(at.end.undoable[-back].seat, back, *kept[-back])
            del kept[-back:]
            continue
        kept.append((at.table.copy(), at.withdrawn))
        if answer is None or not long or answer[0] not in at.pending:
            answer = walk.whole_answer(at.table.copy(), rng)
        for step in steps_of(answer[1]):
            update.answer(answer[0], step)
        if not update.match().end.undoable:
            answer = None
        assert update.match().pending, "the match is over too early for this test"
    return await put(server, match_id, update)


async def cost(store: CountingStore, match: Match, revisions: Sequence[int]) -> tuple[float, float]:
    """Return how many entries, and bytes of them, one of these earlier matches costs."""
    store.read = store.size = 0
    for revision in revisions:
        await match_at(store, match, revision)
    return store.read / len(revisions), store.size / len(revisions)


@pytest.fixture
async def server():
    async with open_server() as server:
        yield server


async def test_an_earlier_match_costs_the_same_however_long_the_history_is(server):
    table = await ice_garden(server)
    match = await prolonged(server, table.id, LONG, played=96)
    store = CountingStore(server.store.memory)
    early = await cost(store, match, range(200, 264))
    late = await cost(store, match, range(LONG - 64, LONG))
    assert late[0] <= 1.15 * early[0]
    assert late[1] <= 1.15 * early[1]
    for revision in range(0, LONG, 37):
        read, _ = await cost(store, match, [revision])
        assert read <= 2 * KEYFRAME_INTERVAL


async def test_every_earlier_table_is_the_one_that_the_history_leads_to(server):
    table = await ice_garden(server)
    match = await prolonged(server, table.id, PLAYED + 300, seed=2)
    entries = await entries_between(server.store, match, 1, match.revision)
    assert sum(entry.restores is not None for entry in entries) > 40
    assert sum(bool(entry.keyframe) for entry in entries) >= 3
    moves = [(entry.seat, entry.command) for entry in entries]
    for then in replay_states(match.game, match.setup, match.origin.secret, moves):
        found = await table_at(server.store, match, then.revision)
        assert digest(match.game, found.table) == digest(match.game, then.table)
        assert draws_of(found.table) == draws_of(then.table)
        assert found.withdrawn == then.withdrawn
    assert match.end == then.end
    checked = await audit(server.store, await server.store.load(match.id), PACE)
    assert checked == match.revision


async def test_an_undo_at_the_end_of_a_long_history_restores_the_table(server):
    table = await ice_garden(server)
    match = await prolonged(server, table.id, 700, seed=3)
    while not match.end.undoable:
        match = await prolonged(server, table.id, match.revision + 1, seed=match.revision)
    before, seat = match.end.undoable[0]
    wanted = await table_at(server.store, match, before)
    response = await propose(table, to=before, seat=seat)
    after = await server.matches.current(table.id)
    assert response.match.revision == after.revision == match.revision + 1
    assert digest(match.game, after.table) == digest(match.game, wanted.table)
    assert after.end.undoable == ()
    reason = (await refused(propose(table, to=before, seat=seat))).reason
    assert reason == "NOTHING_TO_UNDO"
    checked = await audit(server.store, await server.store.load(match.id), PACE)
    assert checked == after.revision


@pytest.mark.parametrize("spoiled", ["restores", "keyframe", "lost keyframe"])
async def test_an_entry_that_leads_to_another_table_is_found(server, spoiled):
    table = await ice_garden(server)
    match = await prolonged(server, table.id, PLAYED + 100, seed=4)
    entries = await entries_between(server.store, match, 1, match.revision)
    if spoiled == "restores":
        wrong = next(entry for entry in entries if entry.restores)
        changed = replace(wrong, restores=0)
    else:
        frames = [entry for entry in entries if entry.keyframe]
        wrong, next_one = frames[:2]
        other = decode_table(match.game, match.origin, next_one.revision, next_one.keyframe)
        swapped = encode_table(match.game, match.origin, wrong.revision, other)
        changed = replace(wrong, keyframe=swapped if spoiled == "keyframe" else b"")
    move = encode_move(changed.seat, changed.command)
    stored = server.store.memory.entries[match.id]
    stored[wrong.revision - 1] = encode_entry(match.origin, changed, move)
    with pytest.raises(IntegrityError, match=str(wrong.revision)):
        await audit(server.store, await server.store.load(match.id), PACE)


async def test_a_history_with_a_gap_is_damaged(server):
    table = await ice_garden(server)
    match = await prolonged(server, table.id, 100, seed=5)
    del server.store.memory.entries[match.id][69:71]
    for revision in (70, 71):
        with pytest.raises(StoredDataDamaged):
            await match_at(server.store, match, revision)
    assert (await match_at(server.store, match, 69)).match is match


@pytest.mark.parametrize(
    ("field", "data", "what"),
    [("seats", b"\xc1", "its seats are damaged"), ("status", b"opem", "its status is damaged")],
)
async def test_damage_is_not_taken_for_data_of_a_newer_release(
    server: LocalServer, field: str, data: bytes, what: str
):
    table = await server.table(2, 2)
    found = server.store.memory.matches[table.id]._replace(**{field: data})
    with pytest.raises(IntegrityError, match=what):
        await audit(server.store, found, PACE)
