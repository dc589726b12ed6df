"""What an audit compares, each part of a match by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine.kernel.game import Result
from taflhall_engine.kernel.meta_commands import Withdrawals, undo
from taflhall_service.app.errors import RulesTooNew, StoredDataDamaged
from taflhall_service.app.jobs.integrity import IntegrityError, audit
from taflhall_service.app.jobs.pacing import Throttle
from taflhall_service.app.jobs.self_check import CheckResult, SelfCheck
from taflhall_service.app.model import codec
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.model.match import Match, decode_match
from taflhall_service.app.model.records import StoredTable
from taflhall_service.store.memory import Memory, MemoryStore
from tests.operate.matches import play, server_over
from tests.service.local_server import bearer
from tests.service.test_matches import setup
from tests.waiting import settle, until

PLAYED = 5


async def audited(memory: Memory, match_id: str) -> int:
    return await audit(MemoryStore(memory), memory.matches[match_id], Throttle(1.0))


def sealed(match: Match, **changes: Any) -> dict[str, Any]:
    """Return the stored table of *match* with *changes* to what is beside it."""
    assert match.table is not None
    kept = StoredTable(match.table, match.withdrawn, match.pending, match.end)
    kept = kept._replace(**changes)
    return {"snapshot": codec.encode_table(match.game, match.origin, match.revision, kept)}


Damage = Callable[[Match], dict[str, Any]]

DAMAGES: list[tuple[str, Damage]] = [
    (
        "others have gone than the log says",
        lambda match: sealed(match, withdrawn=Withdrawals((1,))),
    ),
    (
        "other answers can be taken back than the log says",
        lambda match: sealed(match, end=match.end._replace(length=match.end.length + 1)),
    ),
    ("others have to decide than the log says", lambda match: sealed(match, pending={})),
    (
        "the match is finished, but its log says otherwise",
        lambda _: {"status": b"finished"},
    ),
    (
        "the match is abandoned, but its log says otherwise",
        lambda _: {"status": b"abandoned"},
    ),
    (
        "the match ended otherwise than its log says",
        lambda _: {"result": codec.encode_result(Result([True, False], [1, 2], [], []))},
    ),
    (
        "its seats are damaged",
        lambda _: {"seats": b"\xc1"},
    ),
    (
        "the match has begun without a table",
        lambda _: {"status": b"abandoned", "snapshot": b""},
    ),
]


@pytest.mark.parametrize(("difference", "damage"), DAMAGES, ids=[text for text, _ in DAMAGES])
async def test_each_part_of_a_match_is_compared(difference: str, damage: Damage):
    memory = Memory()
    async with server_over(MemoryStore(memory)) as server:
        match_id = await play(server, PLAYED, finish=False)
        found = memory.matches[match_id]
        memory.matches[match_id] = found._replace(**damage(decode_match(found)))
        with pytest.raises(IntegrityError) as raised:
            await audited(memory, match_id)
        assert str(raised.value) == difference


async def test_a_finished_match_that_counts_as_something_else_differs():
    memory = Memory()
    async with server_over(MemoryStore(memory)) as server:
        match_id = await play(server, PLAYED)
        assert await audited(memory, match_id) == PLAYED + 1
        found = memory.matches[match_id]
        for status in ("playing", "abandoned"):
            memory.matches[match_id] = found._replace(status=status.encode())
            with pytest.raises(IntegrityError, match=f"the match is {status}, but"):
                await audited(memory, match_id)
        memory.matches[match_id] = found._replace(result=b"")
        with pytest.raises(IntegrityError, match="ended otherwise"):
            await audited(memory, match_id)


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"events": []}, "the command of revision 3 caused other events"),
        ({"restores": 1}, "the undo of revision 3 restores another table"),
        ({"restores": 0}, "the undo of revision 3 restores another table"),
        ({"keyframe": b"x"}, "the entry of revision 3 holds a table, or lacks it"),
    ],
)
async def test_each_part_of_an_entry_is_compared(change, difference):
    memory = Memory()
    async with server_over(MemoryStore(memory)) as server:
        match_id = await play(server, PLAYED, finish=False)
        match, entries = decode_match(memory.matches[match_id]), memory.entries[match_id]
        entry = replace(codec.decode_entry(match.game, match.origin, entries[2]), **change)
        move = codec.encode_move(entry.seat, entry.command)
        entries[2] = codec.encode_entry(match.origin, entry, move)
        with pytest.raises(IntegrityError) as raised:
            await audited(memory, match_id)
        assert str(raised.value) == difference


async def test_a_command_that_cannot_be_given_is_named_by_its_revision():
    """The whole chain is made again with an undo of more answers than there are."""
    memory = Memory()
    async with server_over(MemoryStore(memory)) as server:
        match_id = await play(server, 2, finish=False)
        found, entries = memory.matches[match_id], memory.entries[match_id]
        match = decode_match(found)
        entry = codec.decode_entry(match.game, match.origin, entries[1])
        entry = replace(entry, command=undo(9))
        move = codec.encode_move(entry.seat, entry.command)
        head = chain.next_head(match.origin.chain, entries[0].head, 2, move)
        entries[1] = codec.encode_entry(match.origin, replace(entry, head=head), move)
        version = found.version._replace(head=head)
        memory.matches[match_id] = found._replace(version=version)
        with pytest.raises(IntegrityError) as raised:
            await audited(memory, match_id)
        assert str(raised.value) == "the command of revision 2 cannot be given: ValueError"


async def test_a_match_that_never_began_is_sound():
    memory = Memory()
    async with server_over(MemoryStore(memory)) as server:
        made = await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup()))
        assert await audited(memory, made.match.id) == 0
        found = memory.matches[made.match.id]
        memory.matches[made.match.id] = found._replace(frozen=b"a reason")
        assert await audited(memory, made.match.id) == 0
        memory.matches[made.match.id] = found
        abandon = pb.AbandonMatchRequest(match_id=made.match.id, request_id="no")
        await server.match.AbandonMatch(abandon, metadata=bearer(made.creator_secret))
        assert await audited(memory, made.match.id) == 0


class Torn(MemoryStore):
    """Cannot read some of the entries."""

    async def entries(self, match_id: str, first: int, last: int | None) -> list[Any]:
        raise StoredDataDamaged


async def test_entries_that_cannot_be_read_are_named():
    memory = Memory()
    async with server_over(MemoryStore(memory)) as server:
        match_id = await play(server, PLAYED, finish=False)
        with pytest.raises(IntegrityError, match=f"an entry from 1 to {PLAYED} cannot be read"):
            await audit(Torn(memory), memory.matches[match_id], Throttle(1.0))


async def test_intact_data_that_this_release_cannot_read_is_not_judged():
    memory = Memory()
    async with server_over(MemoryStore(memory)) as server:
        match_id = await play(server, 1, finish=False)
        seats = codec.encode(["of tomorrow"])
        memory.matches[match_id] = memory.matches[match_id]._replace(seats=seats)
        with pytest.raises(RulesTooNew) as raised:
            await audited(memory, match_id)
        assert raised.value.metadata == {"match_id": match_id}


# ---------------------------------------------------------------- what a check makes of it


class OnceWrong(MemoryStore):
    """Gives back too few entries the first time."""

    read = 0

    async def entries(self, match_id: str, first: int, last: int | None) -> list[Any]:
        self.read += 1
        found = await super().entries(match_id, first, last)
        return found[:-1] if self.read == 1 else found


async def test_a_difference_that_is_not_found_again_freezes_nothing():
    store = OnceWrong(Memory())
    async with server_over(store) as server:
        match_id = await play(server, PLAYED, finish=False)
        checked = await SelfCheck(server.matches, lambda _: None, share=1.0).check(match_id)
        assert checked is CheckResult.SKIPPED
        assert store.read == 2
        assert not store.memory.matches[match_id].frozen
        assert server.matches.cached(match_id) is not None


class Refusing(MemoryStore):
    """Another server has changed the match before it can be frozen."""

    async def set_field(self, *_: Any) -> bool:
        return False


async def test_a_match_that_changes_before_it_is_frozen_is_not_damaged():
    store = Refusing(Memory())
    async with server_over(store) as server:
        match_id = await play(server, PLAYED, finish=False)
        del store.memory.entries[match_id][-1]
        checked = await SelfCheck(server.matches, lambda _: None, share=1.0).check(match_id)
        assert checked is CheckResult.SKIPPED
        assert store.memory.damaged == {}


async def test_a_damaged_match_is_noted_for_the_operator():
    memory = Memory()
    async with server_over(MemoryStore(memory)) as server:
        match_id = await play(server, PLAYED, finish=False)
        del memory.entries[match_id][-1]
        check = SelfCheck(server.matches, lambda _: None, share=1.0)
        assert await check.check(match_id) is CheckResult.DIFFERS
        why = f"the log ends at revision {PLAYED - 1}, the match at {PLAYED}"
        assert memory.damaged == {match_id: why.encode()}
        assert memory.matches[match_id].frozen == why.encode()


async def test_a_server_that_remembers_no_match_checks_none():
    reported: list[CheckResult] = []
    async with server_over(MemoryStore(Memory())) as server:
        check = SelfCheck(server.matches, reported.append, share=1.0)
        task = asyncio.create_task(check.run(0.0))
        await settle()
        assert not reported
        match_id = await play(server, 1, finish=False)
        await until(lambda: reported)
        task.cancel()
        assert set(reported) == {CheckResult.PASSED}
        assert server.matches.cached(match_id) is not None
