"""A delayed match catches up with what has become visible: step by step, or past it at once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from taflhall_engine.kernel.snapshot import digest
from taflhall_service.app.access.permissions import Caller
from taflhall_service.app.errors import StoredDataDamaged, StoreUnavailable
from taflhall_service.app.matches.past import PastTable, table_at
from taflhall_service.app.matches.table_update import TableUpdate
from taflhall_service.app.matches.transaction import SERVER, Change, act
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.match import PLAYING, Match
from taflhall_service.app.model.records import KEYFRAME_INTERVAL
from taflhall_service.app.spectating.delayed_match import (
    GAP_SECONDS,
    LONGEST_SECONDS,
    PACED,
    PORTION,
    SKIP_MARGIN_MS,
)
from tests.service.following import SEEN, Late, followed
from tests.service.requests.matches import FINGERPRINT
from tests.service.requests.process import T
from tests.virtual_time import in_virtual_time, now_ms
from tests.waiting import settle, take


async def test_watchers_see_changes_that_are_due_at_once_one_after_the_other():
    late = await followed(0)
    late.passes()
    channel = late.delayed.join()
    await late.advance()
    await settle()
    for _ in range(PACED + 2):
        late.passes(1)
        await late.process.play_on(1)
    before = channel.wakeups
    late.passes()
    assert (await late.advance()).revision == PACED + 2
    assert channel.wakeups >= before + PACED + 2
    assert [entry.revision for entry in channel.entries] == list(range(1, PACED + 3))
    await late.stop()


async def test_others_get_their_turn_while_a_long_match_is_caught_up_with():
    late = await followed(0)
    for _ in range(2 * PORTION):
        late.passes(1)
        await late.process.play_on(1)
    late.passes(SEEN)
    turns = set()

    async def others() -> None:
        while True:
            turns.add(late.delayed.moves)
            await settle(1)

    late.delayed.join()
    task = late.process.matches.hub.spawn(others())
    assert (await late.advance()).revision == 2 * PORTION
    task.cancel()
    assert turns == {0, PORTION - 1, 2 * PORTION - 1}  # the start is one of the first portion
    await late.stop()


@pytest.mark.parametrize(
    ("ms", "moves"),
    [(SEEN + SKIP_MARGIN_MS, KEYFRAME_INTERVAL + 6), (SEEN + SKIP_MARGIN_MS + 1, 0)],
)
async def test_what_has_been_visible_for_long_is_not_played(ms: int, moves: int):
    late = await followed(KEYFRAME_INTERVAL + 6)
    late.passes(ms)
    seen = await late.advance()
    stored = late.process.stored
    assert (seen.revision, seen.version) == (KEYFRAME_INTERVAL + 6, stored.version)
    assert late.delayed.moves == moves
    assert (seen.pending, seen.status) == (stored.pending, PLAYING)
    assert late.delayed.channel.version == stored.version
    await late.process.play_on(1)
    late.passes()
    assert (await late.advance()).revision == KEYFRAME_INTERVAL + 7
    assert late.delayed.moves == moves + 1
    await late.stop()


@pytest.mark.parametrize("seen", [0, 1])
async def test_only_what_has_been_visible_for_less_than_a_while_is_played(seen: int):
    late = await followed(seen)
    late.passes()
    assert (await late.advance()).revision == seen
    late.delayed.stop()
    await late.process.play_on(KEYFRAME_INTERVAL)
    late.passes(SKIP_MARGIN_MS)
    await late.process.play_on(1)
    late.passes(SEEN + 1)
    assert (await late.advance()).revision == seen + KEYFRAME_INTERVAL + 1
    assert late.delayed.moves == seen + 1
    await late.stop()


@pytest.mark.parametrize("seen", [0, 1])
@pytest.mark.parametrize("new", [KEYFRAME_INTERVAL - 1, KEYFRAME_INTERVAL])
async def test_a_few_commands_are_played_however_long_they_have_been_visible(seen: int, new: int):
    late = await followed(seen)
    late.passes()
    assert (await late.advance()).revision == seen
    late.delayed.stop()
    await late.process.play_on(new)
    late.passes(SEEN + SKIP_MARGIN_MS + 1)
    assert (await late.advance()).revision == seen + new
    assert late.delayed.moves == seen + (new if new < KEYFRAME_INTERVAL else 0)
    await late.stop()


async def test_time_does_not_go_back_where_the_clock_was_set_back():
    late = await followed(1)
    late.passes()
    assert (await late.advance()).as_of == T
    late.delayed.stop()
    late.process.clock[0] = T - 1000
    await late.process.play_on(KEYFRAME_INTERVAL)
    late.passes(SEEN + SKIP_MARGIN_MS + 1001)
    seen = await late.advance()
    assert (seen.revision, seen.as_of, late.delayed.moves) == (KEYFRAME_INTERVAL + 1, T, 1)
    assert late.delayed.channel.after(KEYFRAME_INTERVAL) is None  # nothing is kept of the rest
    await late.stop()


async def test_a_past_that_cannot_be_read_is_played():
    late = await followed(KEYFRAME_INTERVAL + 6)
    entries = late.process.store.entries

    async def damaged(match_id: str, first: int, last: int | None) -> Any:
        if last == KEYFRAME_INTERVAL + 6:  # where the table is to be taken from
            raise StoredDataDamaged
        return await entries(match_id, first, last)

    late.process.store.entries = damaged
    late.passes(SEEN + SKIP_MARGIN_MS + 1)
    assert (await late.advance()).revision == KEYFRAME_INTERVAL + 6
    assert late.delayed.moves == KEYFRAME_INTERVAL + 6
    await late.stop()


async def test_nor_is_it_played_for_a_watcher_who_comes_first():
    late = await followed(KEYFRAME_INTERVAL + 6)
    late.passes(SEEN + SKIP_MARGIN_MS + 1)
    channel = late.delayed.join()
    seen, stored = await late.advance(), late.process.stored
    assert seen.table is not None
    assert stored.table is not None
    assert digest(seen.game, seen.table) == digest(stored.game, stored.table)
    assert (seen.version, late.delayed.moves) == (stored.version, 0)
    assert list(channel.entries) == []
    await late.stop()


# ---------------------------------------------------------------- undo


@dataclass(frozen=True)
class Undo:
    """The latest answer is taken back, as its players have agreed."""

    earlier: PastTable
    request_id: ClassVar[str] = ""
    fingerprint: ClassVar[bytes] = FINGERPRINT

    def authorize(self, match: Match) -> Caller:
        return SERVER

    def key(self, match: Match, caller: Caller) -> str:
        return "undo"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change:
        update = TableUpdate(match, now)
        update.undo(match.end.undoable[-1].seat, 1, *self.earlier)
        return update.to_change()


async def undone() -> Late:
    """Return a match in which four answers have been seen, and the last is taken back now."""
    late = await followed(4)
    late.passes()
    assert (await late.advance()).revision == 4
    matches, match = late.process.matches, late.process.stored
    earlier = await table_at(matches.store, match, match.end.undoable[-1].before)
    await act(matches, "match", Undo(earlier))
    assert late.process.stored.revision == 5
    return late


def assert_same(seen: Match, stored: Match) -> None:
    assert seen.table is not None
    assert stored.table is not None
    assert digest(seen.game, seen.table) == digest(stored.game, stored.table)
    assert (seen.version, seen.pending) == (stored.version, stored.pending)


async def test_an_undo_is_seen_late_like_everything():
    late = await undone()
    late.passes()
    assert_same(await late.advance(), late.process.stored)
    await late.process.play_on(1)
    late.passes()
    assert_same(await late.advance(), late.process.stored)
    await late.stop()


async def test_an_undo_whose_table_cannot_be_read_now_is_seen_at_the_next_look():
    late = await undone()
    late.delayed.stop()
    taken_back = late.process.stored
    late.passes(1)
    await late.process.play_on(1)
    late.passes(SEEN - 1)
    entries, failures = late.process.store.entries, [StoreUnavailable()]

    async def shaky(match_id: str, first: int, last: int | None) -> Any:
        if last == taken_back.revision - 2 and failures:
            raise failures.pop()
        return await entries(match_id, first, last)

    late.process.store.entries = shaky
    with pytest.raises(StoreUnavailable):
        await late.advance()
    assert_same(await late.advance(), taken_back)
    late.passes(1)
    assert_same(await late.advance(), late.process.stored)
    await late.stop()


# ---------------------------------------------------------------- pace


class Timed:
    """A match whose time is that of the test, followed late from its start."""

    def __init__(self, late: Late) -> None:
        self.late = late
        self.shown: list[tuple[float, int]] = []
        """After how many seconds its watchers were shown which revision."""
        self.looks: list[int] = []
        """When the time of the store was asked for."""

    async def begin(self) -> None:
        late, start = self.late, self.late.process.clock

        def clock() -> int:
            self.looks.append(now_ms())
            return start[0] + now_ms()

        late.process.memory.clock = clock
        late.passes()
        channel = late.delayed.join()
        await late.advance()
        time = asyncio.get_running_loop().time
        channel.callbacks.append(
            lambda: self.shown.append((round(time(), 6), late.delayed.match.revision))
        )


@in_virtual_time
async def test_every_change_is_shown_as_soon_as_it_is_old_enough():
    timed = Timed(await followed(0))
    await timed.begin()
    for _ in range(3):
        await take(9.123)
        await timed.late.process.play_on(1)
    await take(SEEN / 1000 + 1)
    assert timed.shown == [((number * 9123 + SEEN) / 1000, number) for number in (1, 2, 3)]
    await timed.late.stop()


@in_virtual_time
async def test_it_looks_at_the_clock_when_a_change_is_old_enough_and_now_and_then():
    timed = Timed(await followed(0))
    await timed.begin()
    await take(1)
    await timed.late.process.play_on(1)
    await take(1)
    timed.looks.clear()
    timed.late.wake()
    await take(SEEN / 1000 + LONGEST_SECONDS)
    seconds, due = int(LONGEST_SECONDS * 1000), 1000 + SEEN
    assert timed.looks == [*range(2000, due, seconds), due, due + seconds]
    await timed.late.stop()


@in_virtual_time
async def test_changes_that_are_due_at_once_are_shown_as_they_happened_but_not_far_apart():
    timed = Timed(await followed(0))
    await timed.begin()
    timed.late.delayed.stop()
    for ms in (5, 19, 0, *[1000] * PACED):
        timed.late.passes(ms)
        await timed.late.process.play_on(1)
    timed.late.passes()
    await timed.late.advance()
    times = [0.019 + number * GAP_SECONDS for number in range(PACED)]
    paced = [(round(time, 6), revision) for revision, time in enumerate(times, 3)]
    assert timed.shown == [(0.0, 1), *paced, (paced[-1][0], PACED + 3)]
    await timed.late.stop()
