"""Every second a match is replayed; one that differs from its log is frozen."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import Any

import grpc
import pytest
from msgspec.structs import replace

from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine.kernel.chance import KeyedChance
from taflhall_engine.kernel.meta_commands import NO_WITHDRAWALS, RESIGN
from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.app.jobs.pacing import Throttle
from taflhall_service.app.jobs.self_check import CheckResult, SelfCheck
from taflhall_service.app.model import codec as stored
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.model.match import decode_match
from taflhall_service.app.model.records import StoredTable
from taflhall_service.app.ports.match_store import StoredMatch
from taflhall_service.store.memory import Memory, MemoryStore
from tests.operate.matches import play, server_over
from tests.service.local_server import bearer, open_server, refused


@pytest.fixture
def memory() -> Memory:
    return Memory()


def checker(matches: Any) -> SelfCheck:
    return SelfCheck(matches, lambda _: None, share=1.0)


async def test_matches_that_are_as_they_were_played_pass(memory):
    async with server_over(MemoryStore(memory)) as server:
        going = [await play(server, n, finish=False) for n in (0, 1, 9)]
        over = await play(server, 4)
        for match_id in [*going, over]:
            assert await checker(server.matches).check(match_id) is CheckResult.PASSED
        assert not any(match.frozen for match in memory.matches.values())


def spoil_table(memory: Memory, match_id: str) -> None:
    """Put the table of another match, well sealed, in its place."""
    found = memory.matches[match_id]
    match = decode_match(found)
    assert match.table is not None
    other = match.game.new(match.setup, KeyedChance(bytes(32)))
    stored_table = StoredTable(other, NO_WITHDRAWALS, match.pending, match.end)
    sealed = stored.encode_table(match.game, match.origin, match.revision, stored_table)
    memory.matches[match_id] = found._replace(snapshot=sealed)


def spoil_luck(memory: Memory, match_id: str) -> None:
    """Let the table have drawn once more."""
    found = memory.matches[match_id]
    match = decode_match(found)
    assert match.table is not None
    assert isinstance(match.table.chance, KeyedChance)
    match.table.chance.draws += 1
    stored_table = StoredTable(match.table, match.withdrawn, match.pending, match.end)
    sealed = stored.encode_table(match.game, match.origin, match.revision, stored_table)
    memory.matches[match_id] = found._replace(snapshot=sealed)


def lose_an_entry(memory: Memory, match_id: str) -> None:
    del memory.entries[match_id][2]


def lose_the_last(memory: Memory, match_id: str) -> None:
    del memory.entries[match_id][-1]


def change_the_head_of_an_entry(memory: Memory, match_id: str) -> None:
    entries = memory.entries[match_id]
    entries[3] = entries[3]._replace(head=bytes(32))


def change_a_command(memory: Memory, match_id: str) -> None:
    """Let an entry, well sealed, hold another seat's resignation."""
    match = decode_match(memory.matches[match_id])
    old = memory.entries[match_id][4]
    entry = stored.decode_entry(match.game, match.origin, old)
    entry = replace(entry, command=RESIGN)
    move = stored.encode_move(entry.seat, RESIGN)
    memory.entries[match_id][4] = stored.encode_entry(match.origin, entry, move)


def flip_a_bit(memory: Memory, match_id: str) -> None:
    found = memory.matches[match_id]
    spoilt = bytearray(found.snapshot)
    spoilt[len(spoilt) // 2] ^= 1
    memory.matches[match_id] = found._replace(snapshot=bytes(spoilt))


def flip_a_bit_of_an_entry(memory: Memory, match_id: str) -> None:
    entry = memory.entries[match_id][1]
    memory.entries[match_id][1] = entry._replace(body=entry.body[:-1] + b"?")


def lose_the_origin(memory: Memory, match_id: str) -> None:
    memory.matches[match_id] = memory.matches[match_id]._replace(origin=b"")


def change_the_head(memory: Memory, match_id: str) -> None:
    """Let the match stand at the right number of another history."""
    found = memory.matches[match_id]
    head = chain.first_head(b"k", match_id)
    memory.matches[match_id] = found._replace(version=found.version._replace(head=head))


DAMAGES = [
    (spoil_table, "the stored table is not the one that the log leads to"),
    (spoil_luck, "random numbers"),
    (lose_an_entry, "lacks revision 3"),
    (lose_the_last, "ends at revision 6"),
    (change_the_head_of_an_entry, "the entry of revision 4 is damaged"),
    (change_a_command, "the chain of heads breaks at revision 5"),
    (flip_a_bit, "the stored table is damaged"),
    (flip_a_bit_of_an_entry, "the entry of revision 2 is damaged"),
    (lose_the_origin, "damaged"),
    (change_the_head, "head"),
]


@pytest.mark.parametrize(("damage", "word"), DAMAGES, ids=[d.__name__ for d, _ in DAMAGES])
async def test_a_match_that_is_not_what_its_log_says_is_frozen(memory, damage, word):
    async with server_over(MemoryStore(memory)) as server:
        match_id = await play(server, 7, finish=False)
        damage(memory, match_id)
        assert await checker(server.matches).check(match_id) is CheckResult.DIFFERS
        assert word in memory.matches[match_id].frozen.decode()
        assert len(server.matches) == 0
        assert await checker(server.matches).check(match_id) is CheckResult.SKIPPED


async def test_a_frozen_match_is_refused_by_every_server_with_a_typed_error():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as one, open_server(MemoryStore(memory)) as two:
        table = await one.table()
        await table.step()
        here, there = await table.decision(), pb.GetMatchRequest(match_id=table.id)
        await two.match.GetMatch(there)  # it remembers the match as it was
        spoil_table(memory, table.id)
        assert await checker(one.matches).check(table.id) is CheckResult.DIFFERS
        before = memory.matches[table.id]
        answers = [pb.DecisionAnswer(option=0)]
        submit = pb.SubmitAnswersRequest(
            match_id=table.id, decision_id=here.id, request_id="x", answers=answers
        )
        metadata = bearer(table.secrets[0])
        for call in (
            one.match.GetMatch(there),
            one.match.SubmitAnswers(submit, metadata=metadata),
            two.match.SubmitAnswers(submit, metadata=metadata),
            two.match.GetMatch(there),
        ):
            refusal = await refused(call)
            assert refusal.code is grpc.StatusCode.DATA_LOSS
            assert refusal.reason == "STORED_DATA_DAMAGED"
            assert "table" not in refusal.text
        assert memory.matches[table.id] == before


@pytest.mark.parametrize("gone", [False, True])
async def test_a_match_that_moves_or_goes_while_it_is_read_is_not_frozen(memory, gone):
    store = MemoryStore(memory)
    async with server_over(store) as server:
        match_id = await play(server, 5, finish=False)
        entries = store.entries

        async def rewound(match_id: str, first: int, last: int | None) -> Any:
            found = await entries(match_id, first, last)
            now = memory.matches[match_id]
            version = now.version._replace(head=b"another history")
            memory.matches[match_id] = now._replace(version=version)
            if gone:
                memory.drop(match_id)
            return found[:-1]

        store.entries = rewound  # type: ignore[method-assign]
        assert await checker(server.matches).check(match_id) is CheckResult.SKIPPED
        assert not any(match.frozen for match in memory.matches.values())


async def test_a_match_of_other_rules_is_left_alone(memory):
    async with server_over(MemoryStore(memory)) as server:
        match_id = await play(server, 2, finish=False)
        memory.matches[match_id] = memory.matches[match_id]._replace(schema=stored.SCHEMA + 1)
        assert await checker(server.matches).check(match_id) is CheckResult.SKIPPED
        assert not memory.matches[match_id].frozen


async def test_what_another_release_has_written_whole_is_left_alone(memory):
    """A step of a class that this release does not have: it cannot know whether that is right."""
    async with server_over(MemoryStore(memory)) as server:
        match_id = await play(server, 2, finish=False)
        origin = decode_match(memory.matches[match_id]).origin
        entry = memory.entries[match_id][1]
        data = stored.decode_plain(stored.unseal_entry(origin, entry))
        data[2] = {"StepOfTomorrow": [1]}
        sealed = chain.seal(origin.chain, f"{match_id}/2/{entry.head.hex()}", stored.encode(data))
        memory.entries[match_id][1] = entry._replace(body=sealed)
        assert await checker(server.matches).check(match_id) is CheckResult.SKIPPED
        assert not memory.matches[match_id].frozen


async def test_repeated_work_survives_a_silent_store(memory):
    store = MemoryStore(memory)
    async with server_over(store) as server:
        damaged = await play(server, 3, finish=False)
        results: Counter[CheckResult] = Counter()
        load, answers = store.load, iter([False, False])

        async def shaky(match_id: str) -> StoredMatch | None:
            if not next(answers, True):
                raise StoreUnavailable
            return await load(match_id)

        store.load = shaky  # type: ignore[method-assign]
        spoil_luck(memory, damaged)

        frozen = asyncio.Event()

        def report(checked: CheckResult) -> None:
            results[checked] += 1
            if checked is CheckResult.DIFFERS:
                frozen.set()

        task = asyncio.create_task(SelfCheck(server.matches, report, share=1.0).run(0.001))
        await asyncio.wait_for(frozen.wait(), 60)
        task.cancel()
        assert results[CheckResult.UNCHECKED] == 2
        assert memory.matches[damaged].frozen


async def test_play_continues_while_a_match_is_checked(memory):
    async with server_over(MemoryStore(memory)) as server:
        match_id = await play(server, 30, finish=False)
        checker = SelfCheck(server.matches, lambda _: None, slice_seconds=0.0)
        check = asyncio.create_task(checker.check(match_id))
        longest, played = 0.0, 0
        while not check.done():
            started = time.thread_time()
            await asyncio.sleep(0)
            longest = max(longest, time.thread_time() - started)
            played += 1
        assert await check is CheckResult.PASSED
        assert played > 20
        assert longest < 0.25  # one command and its events, not all thirty


class Idler:
    """A clock that the test moves, and the pauses that were taken on it."""

    def __init__(self) -> None:
        self.now = 100.0
        self.pauses: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds


async def test_work_rests_after_each_slice_for_as_long_as_its_share_demands():
    time_ = Idler()
    pace = Throttle(0.25, 4.0, lambda: time_.now, time_.sleep)
    for worked in (3.0, 1.0, 3.0, 2.0):
        time_.now += worked
        await pace.yield_()
    assert time_.pauses == [12.0, 15.0]


async def test_waiting_does_not_count_as_work():
    time_ = Idler()
    pace = Throttle(0.5, 4.0, lambda: time_.now, time_.sleep)
    time_.now += 50.0
    pace.start()
    time_.now += 3.0
    await pace.yield_()
    assert not time_.pauses


async def test_a_match_continues_after_checks(memory):
    store = MemoryStore(memory)
    async with server_over(store) as server:
        table = await server.table()
        for revision in range(1, 6):
            await table.step()
            assert await checker(server.matches).check(table.id) is CheckResult.PASSED
            assert memory.matches[table.id].version.revision == revision


async def test_a_match_that_the_store_has_forgotten_is_lost(memory):
    async with server_over(MemoryStore(memory)) as server:
        gone, behind, over = (
            await play(server, 3, False),
            await play(server, 3, False),
            await play(server),
        )
        earlier = memory.matches[behind]
        memory.drop(gone)
        memory.drop(over)
        memory.matches[behind] = earlier._replace(version=earlier.version._replace(revision=2))
        assert await checker(server.matches).check(gone) is CheckResult.LOST
        assert await checker(server.matches).check(behind) is CheckResult.LOST
        assert await checker(server.matches).check(over) is CheckResult.SKIPPED
        assert [server.matches.cached(match_id) for match_id in (gone, behind, over)] == [None] * 3
