"""When a delayed match follows its match, when it stops, and when it looks for lost writes."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from taflhall_service.app.access.credentials import ANONYMOUS
from taflhall_service.app.errors import MatchNotFound, StoreUnavailable
from taflhall_service.app.matches.join import JoinMatch
from taflhall_service.app.matches.transaction import act
from taflhall_service.app.model.match import OPEN, PLAYING, Match
from taflhall_service.app.model.records import KEYFRAME_INTERVAL, Seat
from taflhall_service.app.model.spectator_policy import SpectatorPolicy, SpectatorSettings
from taflhall_service.app.ports.match_store import StoredMatch
from taflhall_service.app.spectating.delayed_match import (
    MARGIN_MS,
    PACED,
    PORTION,
    SKIP_MARGIN_MS,
    DelayedMatch,
)
from taflhall_service.app.tournaments.seating import ResignEntrant, SeatEntrants
from tests.service.requests.matches import FINGERPRINT, LIMITS, bot, open_match
from tests.service.requests.process import Process, T
from tests.waiting import settle, until

DELAY = 60_000
LATE = SpectatorSettings(SpectatorPolicy.DELAYED, DELAY)
SEEN = DELAY + MARGIN_MS
"""Milliseconds after which a change is seen."""


class Late:
    """A match of bots, and how it is followed late on the same server."""

    def __init__(self, process: Process, match: Match, linger: float) -> None:
        self.process = process
        self.delayed = DelayedMatch(process.matches, match, linger)

    async def advance(self) -> Match:
        return await self.delayed.advance(await self.process.matches.current("match"))

    def passes(self, ms: int = SEEN) -> None:
        self.process.clock[0] += ms

    def wake(self) -> None:
        """Let it look whether there is anything new."""
        for channel in self.process.matches.hub.channels:
            channel.wake()

    async def stop(self) -> None:
        self.delayed.stop()
        await self.process.matches.hub.stop()


async def followed(moves: int = 4, linger: float = 60.0) -> Late:
    """Return a match after some commands, which is not followed late yet."""
    process = Process()
    await process.hold(open_match(Seat(), Seat(), spectators=LATE))
    await act(process.matches, "match", SeatEntrants((bot("A"), bot("B"))))
    return Late(process, await process.play_on(moves), linger)


async def test_it_follows_once_it_has_caught_up():
    late = await followed()
    assert not late.delayed.following
    late.delayed.join()
    assert not late.delayed.following
    late.passes()
    seen = await late.advance()
    assert late.delayed.following
    assert (seen.revision, seen.status, seen.as_of) == (4, PLAYING, T)
    assert seen.started_ms == late.process.stored.started_ms
    assert late.delayed.moves == 4
    assert late.delayed.channel.version == seen.version
    assert [entry.revision for entry in late.delayed.channel.entries] == [1, 2, 3, 4]
    late.delayed.stop()
    assert not late.delayed.following
    await late.stop()


async def test_everything_is_seen_when_it_is_old_enough_and_not_before():
    late = await followed(0)
    for _ in range(2):
        late.passes(10)
        await late.process.play_on(1)
    for ms, revision, status in (
        (T, 0, OPEN),
        (T + SEEN - 1, 0, OPEN),
        (T + SEEN, 0, PLAYING),
        (T + SEEN + 9, 0, PLAYING),
        (T + SEEN + 10, 1, PLAYING),
        (T + SEEN + 19, 1, PLAYING),
        (T + SEEN + 20, 2, PLAYING),
    ):
        late.process.clock[0] = ms
        seen = await late.advance()
        assert (seen.revision, seen.status) == (revision, status), ms
        assert (seen.table is None) == (status == OPEN)
        assert seen.started_ms == (0 if status == OPEN else T)
    assert late.delayed.moves == 2
    await late.stop()


async def test_a_match_is_seen_late_with_its_pending_decisions_and_its_end():
    late = await followed(0)
    begun = late.process.stored
    late.passes()
    seen = await late.advance()
    assert (seen.pending, seen.result, seen.ended_ms) == (begun.pending, None, 0)
    await late.process.play_on(1)
    await act(late.process.matches, "match", ResignEntrant(""))
    over = late.process.stored
    late.passes()
    seen = await late.advance()
    assert (seen.status, seen.pending, seen.ended_ms) == (over.status, {}, over.ended_ms)
    assert seen.result == over.result
    assert seen.result is not None
    await late.stop()


async def test_it_follows_while_somebody_watches_and_for_a_while_afterwards():
    for linger, following in ((0.0, False), (60.0, True)):
        late = await followed(linger=linger)
        await late.advance()
        for _ in range(2):
            assert late.delayed.join() is late.delayed.channel
        assert late.delayed.users == 2
        late.delayed.leave()
        assert late.delayed.following
        late.delayed.leave()
        assert (late.delayed.users, late.delayed.following) == (0, following)
        await late.stop()


async def test_it_stops_by_itself_when_nobody_has_read_it_for_a_while():
    late = await followed(linger=0.0)
    hub = late.process.matches.hub
    late.delayed.join()
    await late.advance()
    await settle()
    late.wake()
    await settle()
    assert late.delayed.following  # somebody watches
    late.delayed.users = 0
    late.wake()
    await until(lambda: not late.delayed.following)
    await until(lambda: not hub.channels)
    late.passes()
    assert (await late.advance()).revision == 4  # and it begins again
    await late.stop()


async def test_while_it_follows_watchers_see_what_becomes_old_enough():
    late = await followed()
    late.delayed.join()
    await late.advance()
    late.passes()
    late.wake()
    await until(lambda: late.delayed.match.revision == 4)
    await late.process.play_on(2)
    await settle()
    assert late.delayed.known == late.process.stored.version
    assert late.delayed.match.revision == 4
    late.passes()
    late.wake()
    await until(lambda: late.delayed.match.revision == 6)
    assert (await late.delayed.look()).revision == 6
    assert late.delayed.channel.match is late.delayed.match
    await late.stop()


async def test_watchers_learn_that_a_match_no_longer_exists():
    late = await followed()
    match = await late.process.matches.current("match")
    await late.delayed.advance(match)
    channel = late.delayed.join()
    wakeups = channel.wakeups
    assert late.delayed.is_of(match)
    late.delayed.end()
    assert (channel.deleted, channel.wakeups) == (True, wakeups + 1)
    assert not late.delayed.following
    assert not late.delayed.is_of(match)
    for call in (late.delayed.look(), late.delayed.advance(match)):
        with pytest.raises(MatchNotFound) as raised:
            await call
        assert raised.value.metadata == {"match_id": "match"}
    await late.stop()


async def test_a_match_that_leaves_the_store_ends_for_its_watchers():
    late = await followed()
    await late.advance()
    channel = late.delayed.join()
    await settle()
    (live,) = late.process.matches.hub.channels
    await late.process.matches.hub.arrive(live, None)
    await until(lambda: channel.deleted)
    assert channel.wakeups
    await late.stop()


async def test_a_drain_wakes_the_watchers():
    late = await followed()
    await late.advance()
    channel = late.delayed.join()
    await settle()
    wakeups = channel.wakeups
    late.process.matches.hub.drain()
    await until(lambda: channel.wakeups > wakeups)
    assert not channel.deleted
    await late.stop()


@pytest.mark.parametrize("error", [StoreUnavailable(), KeyError()])
async def test_a_store_that_does_not_answer_is_asked_again(error: Exception):
    late = await followed()
    late.delayed.join()
    await late.advance()
    await settle()
    store, failures = late.process.store, [error, error]
    now = store.now

    async def shaky() -> int:
        if failures:
            raise failures.pop()
        found: int = await now()
        return found

    store.now = shaky
    late.passes()
    late.wake()
    await until(lambda: len(failures) < 2)
    late.wake()
    await until(lambda: not failures)
    late.wake()
    await until(lambda: late.delayed.match.revision == 4)
    assert late.delayed.following
    await late.stop()


async def test_another_match_with_its_id_ends_it():
    late = await followed()
    match = await late.process.matches.current("match")
    other = match.replaced(origin=replace(match.origin, chain=b"o" * 32))
    await late.delayed.advance(match)
    assert not late.delayed.is_of(other)
    with pytest.raises(MatchNotFound):
        await late.delayed.advance(other)
    assert late.delayed.channel.deleted
    await late.stop()


async def test_a_match_that_was_read_earlier_does_not_set_it_back():
    late = await followed()
    early = await late.process.matches.current("match")
    newest = await late.process.play_on(1)
    late.passes()
    seen = [(await late.delayed.advance(match)).revision for match in (early, newest, early)]
    assert seen[1:] == [5, 5]
    assert late.delayed.channel.rewinds == 0
    await late.stop()


# ---------------------------------------------------------------- catching up


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
    late = await followed(2 * PORTION)
    late.passes(DELAY)
    turns = []

    async def others() -> None:
        while True:
            turns.append(late.delayed.moves)
            await settle(1)

    late.delayed.join()
    task = late.process.matches.hub.spawn(others())
    late.passes(MARGIN_MS)
    assert (await late.advance()).revision == 2 * PORTION
    task.cancel()
    assert late.delayed.moves == 2 * PORTION
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


# ---------------------------------------------------------------- lost writes


def set_back(late: Late, stored: StoredMatch, revision: int) -> None:
    """Let the store be as it was, and the server know nothing of what came later."""
    memory = late.process.memory
    memory.matches["match"] = stored
    del memory.entries["match"][revision:]
    memory.records["match"].clear()
    late.process.matches.forget("match")


@pytest.mark.parametrize("lost", [False, True])
async def test_when_it_begins_to_follow_it_looks_whether_the_store_has_lost_writes(lost: bool):
    late = await followed(2)
    stored = late.process.memory.matches["match"]
    await late.process.play_on(2)
    await late.advance()
    late.passes()
    assert (await late.delayed.look()).revision == 4
    late.delayed.stop()
    if lost:
        set_back(late, stored, 2)
    await late.process.play_on(1)
    late.passes()
    seen = await late.delayed.advance(await late.process.matches.fresh("match"))
    assert seen.revision == (3 if lost else 5)
    assert late.delayed.channel.rewinds == (1 if lost else 0)
    assert late.delayed.moves == (4 + 3 if lost else 5)
    await late.stop()


async def test_a_change_that_the_store_has_lost_is_looked_for_too():
    """Nothing but seats has changed: the revision is 0 before and after."""
    process = Process()
    late = Late(process, await process.hold(open_match(Seat(), Seat(), spectators=LATE)), 60.0)

    async def join(seat: int, name: str) -> None:
        request = JoinMatch.of(LIMITS, ANONYMOUS, (seat,), name, 0, name * 8, FINGERPRINT)
        await act(late.process.matches, "match", request)

    await join(0, "Ann")
    early = late.process.memory.matches["match"]
    await join(1, "Cy")
    late.passes()
    assert [seat.name for seat in (await late.advance()).seats] == ["Ann", "Cy"]
    late.delayed.stop()
    set_back(late, early, 0)
    await join(1, "Bob")
    late.passes()
    assert [seat.name for seat in (await late.advance()).seats] == ["Ann", "Bob"]
    assert late.delayed.channel.rewinds == 1
    await late.stop()


async def test_a_rewind_while_it_follows_is_taken_in():
    late = await followed(2)
    stored = late.process.memory.matches["match"]
    await late.process.play_on(2)
    late.passes()
    channel = late.delayed.join()
    await late.advance()
    await settle()
    set_back(late, stored, 2)
    await late.process.play_on(1)
    newest = late.process.stored.version
    late.passes()
    await until(lambda: channel.rewinds == 1)
    await until(lambda: late.delayed.match.version == newest)
    assert channel.version == newest
    assert [entry.revision for entry in channel.entries] == [1, 2, 3]
    await late.stop()
