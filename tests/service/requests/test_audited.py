"""The audit of a long match: its log in batches, the tables kept in it, and what was taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import pytest

from taflhall_engine.kernel.chance import KeyedChance
from taflhall_engine.kernel.meta_commands import Withdrawals
from taflhall_service.app.access.permissions import Caller
from taflhall_service.app.jobs.integrity import BATCH, IntegrityError, audit
from taflhall_service.app.jobs.pacing import Throttle
from taflhall_service.app.matches.past import PastTable, table_at
from taflhall_service.app.matches.table_update import TableUpdate
from taflhall_service.app.matches.transaction import NO_FINGERPRINT, SERVER, Change, act
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.codec import decode_table, encode_table
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import KEYFRAME_INTERVAL, StoredTable
from taflhall_service.app.ports.match_store import StoredEntry
from tests.service.requests.process import Process
from tests.service.requests.test_earlier_tables import Played, changed, entry_of, played


async def audited(process: Process, pace: Throttle | None = None) -> int:
    return await audit(process.store, process.memory.matches["match"], pace or Throttle(1.0))


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The last answer is taken back; *earlier* is the table before it."""

    earlier: PastTable
    request_id: ClassVar[str] = ""
    fingerprint: ClassVar[bytes] = NO_FINGERPRINT

    def authorize(self, match: Match) -> Caller:
        return SERVER

    def key(self, match: Match, caller: Caller) -> str:
        return f"take-back:{match.revision}"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change:
        update = TableUpdate(match, now)
        table, withdrawn = self.earlier.table.copy(), self.earlier.withdrawn
        update.undo(match.end.undoable[-1].seat, 1, table, withdrawn)
        return update.to_change()


async def take_back(process: Process) -> None:
    match = await process.matches.current("match")
    earlier = await table_at(process.store, match, match.end.undoable[-1].before)
    await act(process.matches, "match", TakeBack(earlier))


async def test_a_first_answer_that_was_taken_back_leaves_a_sound_log():
    process = (await played(1)).process
    await take_back(process)
    assert await audited(process) == 2


async def read_together(process: Process) -> list[tuple[int, int | None]]:
    """Audit the match; return the first and the last of the entries of each read."""
    reads: list[tuple[int, int | None]] = []
    entries = process.store.entries

    async def noting(match_id: str, first: int, last: int | None) -> Sequence[StoredEntry]:
        reads.append((first, last))
        found: Sequence[StoredEntry] = await entries(match_id, first, last)
        return found

    process.store.entries = noting
    assert await audited(process) == process.stored.revision
    process.store.entries = entries
    return reads


async def test_a_log_is_read_in_batches():
    process = (await played(KEYFRAME_INTERVAL + 2)).process
    while process.stored.revision < BATCH:
        await take_back(process)
        await process.play_on(1)
    assert await read_together(process) == [(1, BATCH)]
    await take_back(process)
    assert await read_together(process) == [(1, BATCH), (BATCH + 1, BATCH + 1)]


async def test_the_time_in_which_the_store_is_read_is_no_work():
    process = (await played(4)).process
    time, rests = [0.0], list[float]()
    entries = process.store.entries

    async def slowly(match_id: str, first: int, last: int | None) -> Sequence[StoredEntry]:
        time[0] += 50.0
        found: Sequence[StoredEntry] = await entries(match_id, first, last)
        return found

    async def sleep(seconds: float) -> None:
        rests.append(seconds)

    process.store.entries = slowly
    await audited(process, Throttle(0.5, 1.0, lambda: time[0], sleep))
    assert rests == []


def with_one_more_draw(kept: StoredTable) -> StoredTable:
    chance = kept.table.chance
    assert isinstance(chance, KeyedChance)
    chance.draws += 1
    return kept


async def with_the_table_before(made: Played) -> Callable[[StoredTable], StoredTable]:
    """Return a change to the table before, with as many random numbers drawn."""
    earlier = await table_at(made.process.store, made.last, KEYFRAME_INTERVAL - 1)

    def change(kept: StoredTable) -> StoredTable:
        assert isinstance(kept.table.chance, KeyedChance)
        assert isinstance(earlier.table.chance, KeyedChance)
        earlier.table.chance.draws = kept.table.chance.draws
        return kept._replace(table=earlier.table)

    return change


@pytest.mark.parametrize("part", ["table", "draws", "withdrawn", "end"])
async def test_each_part_of_a_kept_table_is_compared(part: str):
    made = await played(KEYFRAME_INTERVAL + 1)
    assert await audited(made.process) == KEYFRAME_INTERVAL + 1
    change: Callable[[StoredTable], StoredTable] = {
        "table": await with_the_table_before(made),
        "draws": with_one_more_draw,
        "withdrawn": lambda kept: kept._replace(withdrawn=Withdrawals((1,))),
        "end": lambda kept: kept._replace(end=kept.end._replace(length=kept.end.length + 1)),
    }[part]
    game, origin, revision = made.last.game, made.last.origin, KEYFRAME_INTERVAL
    kept = decode_table(game, origin, revision, entry_of(made, revision).keyframe)
    changed(made, revision, keyframe=encode_table(game, origin, revision, change(kept)))
    with pytest.raises(IntegrityError) as difference:
        await audited(made.process)
    assert str(difference.value) == f"the table kept at revision {revision} is another one"
