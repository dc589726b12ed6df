"""When a delayed match follows its match, what its watchers see, and when it stops."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from taflhall_service.app.errors import MatchNotFound, StoreUnavailable
from taflhall_service.app.matches.transaction import act
from taflhall_service.app.model.match import OPEN, PLAYING
from taflhall_service.app.spectating.delayed_match import LONGEST_SECONDS
from taflhall_service.app.tournaments.seating import ResignEntrant
from tests.service.following import SEEN, followed, names, unoccupied
from tests.service.requests.process import Process, T
from tests.virtual_time import in_virtual_time
from tests.waiting import settle, take, until


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
    await until(lambda: late.process.matches.hub.channels)
    late.delayed.stop()
    assert not late.delayed.following
    await until(lambda: not late.process.matches.hub.channels)
    await late.stop()


async def test_a_read_lets_it_follow_for_a_while():
    late = await followed()
    assert (await late.advance()).revision == 0
    assert late.delayed.following
    late.passes()
    await settle()
    late.wake()
    await until(lambda: late.delayed.match.revision == 4)
    await late.stop()


async def test_a_watcher_lets_it_follow():
    late = await followed()
    late.delayed.join()
    late.passes()
    late.wake()
    await until(lambda: late.delayed.match.revision == 4)
    (live,) = late.process.matches.hub.channels
    assert live.listening  # other servers' changes are announced to this one
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


@in_virtual_time
async def test_every_look_lets_it_follow_for_as_long_again():
    late = await followed(linger=60.0)
    await late.advance()
    for seconds in (55, 55):
        await take(seconds)
        assert late.delayed.following
        await late.delayed.look()
    late.delayed.join()
    await take(600)
    assert late.delayed.following
    late.delayed.leave()
    assert not late.delayed.following  # it has not been read for long
    await late.stop()


@in_virtual_time
async def test_it_looks_no_more_soon_after_the_last_read():
    late = await followed(linger=60.0)
    await late.advance()
    await take(59)
    assert late.process.matches.hub.channels
    await take(1 + LONGEST_SECONDS)
    assert not late.process.matches.hub.channels
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
    assert (await late.delayed.look()).revision == 4
    late.passes()
    late.wake()
    await until(lambda: late.delayed.match.revision == 6)
    assert (await late.delayed.look()).revision == 6
    assert late.delayed.channel.match is late.delayed.match
    await late.stop()


async def test_while_it_follows_watchers_see_who_has_sat_down():
    late = await unoccupied()
    late.delayed.join()
    await late.advance()
    await settle()
    await late.sit_down(1, "Ann")
    await settle()
    assert names(late.delayed.match) == ["", ""]
    late.passes()
    late.wake()
    await until(lambda: names(late.delayed.match) == ["", "Ann"])
    await late.stop()


async def test_a_look_reads_nothing_of_a_match_that_has_not_changed():
    late = await followed()
    late.passes()
    await late.advance()
    entries, reads = late.process.store.entries, list[int]()

    async def counted(match_id: str, first: int, last: int | None) -> Any:
        reads.append(first)
        return await entries(match_id, first, last)

    late.process.store.entries = counted
    for _ in range(3):
        assert (await late.delayed.look()).revision == 4
    assert reads == []
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


async def test_what_a_reader_knows_from_another_server_is_taken_in_at_once():
    late = await followed()
    late.passes()
    assert (await late.advance()).revision == 4
    await late.process.store.close()  # nothing is announced to it
    newest = await Process(late.process).play_on(1)
    late.passes()
    assert (await late.delayed.advance(newest)).revision == 5
    await late.stop()
