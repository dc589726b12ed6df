"""The hub: whom a channel wakes, what it remembers, and when the store is read for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from taflhall_service.app.errors import StoredDataDamaged, StoreUnavailable
from taflhall_service.app.ports.match_store import UNREADABLE_VERSION, Version, change_id_of
from taflhall_service.app.watching.channels import POLL_AT_ONCE, RING, Channel, Hub
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.requests.matches import bot, playing
from tests.service.requests.process import Process
from tests.virtual_time import hold_up, in_virtual_time
from tests.waiting import settle, until


def entry(revision: int) -> Any:
    return SimpleNamespace(revision=revision, head=b"head %d" % revision)


def at(revision: int, changes: int = 0) -> Version:
    return Version(revision, b"head %d" % revision, change_id_of(changes, 7))


def channel(revision: int = 0, known: int = 0, changes: int = 1) -> Channel:
    """Return a channel at *revision* that has kept the last *known* entries."""
    match: Any = SimpleNamespace(id="match", version=at(revision, changes))
    made = Channel(match)
    made.entries.extend([entry(n) for n in range(revision - known + 1, revision + 1)])
    return made


# ---------------------------------------------------------------- a channel


@pytest.mark.parametrize(
    ("after", "expected"),
    [(9, []), (8, []), (7, [8]), (5, [6, 7, 8]), (4, [5, 6, 7, 8]), (3, None), (0, None)],
)
def test_a_channel_has_the_entries_after_a_revision_or_lacks_one(after, expected):
    found = channel(8, known=4).after(after)
    assert (None if found is None else [e.revision for e in found]) == expected


@pytest.mark.parametrize(
    ("revision", "head"),
    [(9, None), (8, b"head 8"), (7, b"head 7"), (5, b"head 5"), (4, None), (0, None)],
)
def test_a_channel_knows_the_heads_of_its_entries(revision, head):
    assert channel(8, known=4).head_at(revision) == head


@pytest.mark.parametrize(
    ("revision", "changes", "current"),
    [(5, 1, True), (4, 1, True), (5, 0, True), (6, 1, False), (5, 2, False), (6, 0, False)],
)
def test_a_notification_of_something_newer_is_noticed(revision, changes, current):
    assert channel(5).is_current(revision, changes) == current


@pytest.mark.parametrize(
    ("revisions", "version", "fits"),
    [
        ([6, 7], at(7, 1), True),
        ([5, 6], at(6, 1), False),
        ([7], at(7, 1), False),
        ([], at(5, 1), True),
        ([], at(5, 2), True),
        ([], at(5, 0), False),
        ([], at(6, 1), False),
        ([], at(4, 1), False),
    ],
)
def test_only_what_follows_is_appended(revisions, version, fits):
    made = channel(5, known=2)
    assert made.append([entry(n) for n in revisions], version) == fits
    assert made.version == (version if fits else at(5, 1))
    assert [e.revision for e in made.entries] == [4, 5, *(revisions if fits else [])]


def test_a_channel_keeps_the_newest_entries():
    made = channel()
    for number in range(1, RING + 3):
        made.append([entry(number)], at(number, 1))
    assert [e.revision for e in made.entries] == list(range(3, RING + 3))


async def test_a_wake_wakes_all_who_wait_and_calls_those_who_listen():
    made, called = channel(), []
    made.callbacks.append(lambda: called.append(made.wakeups))
    waiters = [asyncio.create_task(made.changed(0, 60)) for _ in range(3)]
    await settle(3)
    waiters[0].cancel()
    made.wake()
    assert await waiters[1]
    assert await waiters[2]
    assert called == [1]
    assert made.waiters == []
    assert await made.changed(0, 60)  # it has happened already
    made.wake()
    assert called == [1, 2]


async def test_silence_ends_a_wait_and_leaves_no_waiter_behind():
    made = channel()
    other = asyncio.create_task(made.changed(0, 60))
    await settle(3)
    assert not await made.changed(0, 0.001)
    assert len(made.waiters) == 1
    made.wake()
    assert await other


@in_virtual_time
async def test_a_wake_that_comes_just_before_the_end_of_a_wait_counts():
    made, loop = channel(), asyncio.get_running_loop()
    waiting = asyncio.create_task(made.changed(0, 2.0))
    await settle(3)
    loop.call_later(1.0, made.wake)
    hold_up(10.0)  # both are due now, the wake first
    assert await waiting is True


# ---------------------------------------------------------------- the hub


class Listening(MemoryStore):
    """Notes what it is asked for; *found* are versions to give instead of the stored ones."""

    def __init__(self, memory: Memory | None = None) -> None:
        super().__init__(memory)
        self.calls: list[str] = []
        self.found: list[Any] = []
        self.read = 0
        self.sizes: list[int] = []
        """How many versions were asked for at once."""
        self.damaged_entries = False
        self.meanwhile: Callable[[], object] = lambda: None
        """Is called while entries are read."""

    def on_change(self, hint: Any) -> None:
        self.hint = hint

    async def listen(self, match_id: str) -> None:
        self.calls.append(f"listen {match_id}")

    async def ignore(self, match_id: str) -> None:
        self.calls.append(f"ignore {match_id}")

    async def versions(self, match_ids: Any) -> Any:
        self.read += 1
        self.sizes.append(len(match_ids))
        if not self.found:
            return await super().versions(match_ids)
        found = self.found.pop(0)
        if isinstance(found, Exception):
            raise found
        return [found] * len(match_ids)

    async def entries(self, match_id: str, first: int, last: int | None) -> Any:
        if self.damaged_entries:
            raise StoredDataDamaged
        self.meanwhile()
        return await super().entries(match_id, first, last)


class Watched(NamedTuple):
    """A match that is watched at revision 2; the store has come to revision 4."""

    hub: Hub
    store: Listening
    channel: Channel
    newest: Version

    def hint(self) -> None:
        """Let the store notify of a change."""
        self.store.hint(self.channel.match.id, 4, 9)


@asynccontextmanager
async def watched(poll: float = 3600.0) -> AsyncIterator[Watched]:
    process = Process()
    await process.hold(playing(bot("A"), bot("B")))
    match = await process.play_on(2)
    newest = await process.play_on(2)
    store = Listening(process.memory)
    hub = Hub(store, poll)
    yield Watched(hub, store, hub.open(match), newest.version)
    await hub.stop()


async def test_watchers_of_a_match_share_a_channel_until_the_last_one_goes():
    store = Listening()
    hub = Hub(store, 3600.0)
    match: Any = SimpleNamespace(id="match", version=at(0))
    one, two = hub.open(match), hub.open(match)
    assert one is two
    assert (one.users, len(hub), hub.channels) == (2, 1, [one])
    for _ in range(2):
        await hub.listen(one)
    assert store.calls == ["listen match"]
    hub.close(one)
    assert len(hub) == 1
    hub.close(two)
    assert len(hub) == 0
    await settle(5)
    assert store.calls == ["listen match", "ignore match"]
    await hub.stop()


async def test_a_channel_that_nobody_listened_at_is_not_given_up_in_the_store():
    store = Listening()
    hub = Hub(store, 3600.0)
    match: Any = SimpleNamespace(id="match", version=at(0))
    hub.close(hub.open(match))
    await settle(5)
    assert store.calls == []
    await hub.listen(hub.open(match))
    hub.close(hub.channels[0])
    again = hub.open(match)  # before the store was told
    await hub.listen(again)
    await settle(5)
    assert store.calls == ["listen match", "listen match"]
    hub.close(again)
    hub.open(match)  # this one has not asked for notifications yet
    await settle(5)
    assert store.calls[2:] == ["ignore match"]
    await hub.stop()


async def test_a_deleted_match_gets_a_channel_of_its_own():
    hub = Hub(Listening(), 3600.0)
    match: Any = SimpleNamespace(id="match", version=at(0))
    old = hub.open(match)
    old.deleted = True
    new = hub.open(match)
    assert new is not old
    assert new.users == 1
    hub.close(old)
    assert hub.channels == [new]
    await hub.stop()


async def test_a_drain_wakes_everybody_to_say_goodbye():
    hub = Hub(Listening(), 3600.0)
    match: Any = SimpleNamespace(id="match", version=at(0))
    made = hub.open(match)
    assert not hub.draining
    hub.drain()
    assert hub.draining
    assert made.wakeups == 1
    await hub.stop()


async def test_a_commit_of_this_process_needs_no_reading():
    store = Listening()
    hub = Hub(store, 3600.0)
    match: Any = SimpleNamespace(id="match", version=at(3, 1))
    made = hub.open(match)
    after: Any = SimpleNamespace(id="match", version=at(4, 1))
    unknown: Any = SimpleNamespace(id="other", version=at(4, 1))
    hub.committed(at(3, 1), unknown, [entry(4)])
    assert made.wakeups == 0
    hub.committed(at(3, 1), after, [entry(4)])
    assert (made.match, made.version, made.wakeups) == (after, at(4, 1), 1)
    hub.observed(made, at(4, 1))
    assert made.wakeups == 1
    hub.observed(made, at(4, 2))
    assert (made.version, made.wakeups) == (at(4, 2), 2)
    await settle(5)
    assert store.read == 0
    await hub.stop()


async def test_a_commit_to_another_history_of_the_same_length_is_no_continuation():
    hub = Hub(Listening(), 3600.0)
    match: Any = SimpleNamespace(id="match", version=at(3, 1))
    made = hub.open(match)
    other = at(3, 1)._replace(head=b"of another history")
    after: Any = SimpleNamespace(id="match", version=at(4, 1))
    hub.committed(other, after, [entry(4)])
    assert (made.version, made.reading) == (at(3, 1), True)
    made.reading = False
    hub.observed(made, other)
    assert (made.version, made.reading) == (at(3, 1), True)
    await hub.stop()


async def test_a_signal_of_the_store_goes_to_those_who_follow_the_match():
    store = MemoryStore()
    hub = Hub(store, 3600.0)
    match: Any = SimpleNamespace(id="match", version=at(0))
    made = hub.open(match)
    await hub.listen(made)
    await store.signal("match", b"text")
    await settle()
    assert list(made.signals) == [b"text"]
    await hub.stop()


async def test_background_work_is_cancelled_with_the_hub_and_its_failures_are_swallowed():
    hub = Hub(Listening(), 3600.0)

    async def fails() -> None:
        raise KeyError

    async def waits() -> None:
        await asyncio.Event().wait()

    failing, waiting = hub.spawn(fails()), hub.spawn(waits())
    await until(failing.done)
    await hub.stop()
    assert waiting.cancelled()


async def test_a_notification_is_followed_by_one_reading_however_many_come():
    async with watched() as seen:
        channel = seen.channel
        for _ in range(3):
            seen.hint()
        await until(lambda: channel.version == seen.newest)
        assert [e.revision for e in channel.entries] == [3, 4]
        assert (channel.wakeups, seen.store.read) == (1, 1)
        seen.store.hint(channel.match.id, 4, 0)
        seen.store.hint("other", 9, 9)
        assert not channel.reading
        await settle()
        assert seen.store.read == 1
        assert seen.hub.rewound == 0
        seen.hint()  # another one is read again, and finds nothing new
        await until(lambda: seen.store.read == 2)
        await settle()
        assert (channel.wakeups, channel.reading) == (1, False)


async def test_a_reading_that_fails_is_left_to_the_next_notification():
    async with watched() as seen:
        seen.store.found = [StoreUnavailable()]
        seen.hint()
        await until(lambda: seen.store.read == 1)
        await until(lambda: not seen.channel.reading)
        assert seen.channel.wakeups == 0
        seen.hint()
        await until(lambda: seen.channel.version == seen.newest)


@pytest.mark.parametrize("told", ["a commit from elsewhere", "a match seen further on"])
async def test_what_does_not_follow_is_read_from_the_store(told):
    async with watched() as seen:
        channel = seen.channel
        if told == "a commit from elsewhere":
            match: Any = SimpleNamespace(id=channel.match.id, version=seen.newest)
            seen.hub.committed(at(3), match, [entry(4)])
        else:
            seen.hub.observed(channel, seen.newest)
        assert channel.wakeups == 0
        await until(lambda: channel.version == seen.newest)
        assert [e.revision for e in channel.entries] == [3, 4]


async def test_what_this_process_commits_while_the_store_is_read_needs_no_second_wake():
    async with watched() as seen:
        channel = seen.channel
        seen.store.meanwhile = lambda: channel.append([entry(3), entry(4)], seen.newest)
        await seen.hub.arrive(channel, seen.newest)
        assert (channel.version, channel.wakeups, len(channel.entries)) == (seen.newest, 0, 2)


async def test_a_match_that_left_the_store_is_deleted():
    async with watched() as seen:
        await seen.hub.arrive(seen.channel, None)
        assert (seen.channel.deleted, seen.channel.wakeups) == (True, 1)
        assert (seen.channel.rewinds, seen.hub.rewound) == (0, 0)


async def test_readers_of_a_match_with_a_damaged_version_or_entries_get_a_snapshot():
    async with watched() as seen:
        channel = seen.channel
        seen.store.damaged_entries = True
        await seen.hub.arrive(channel, seen.newest)
        assert channel.version == UNREADABLE_VERSION
        assert (channel.rewinds, channel.wakeups, seen.hub.rewound) == (1, 1, 0)
    async with watched() as seen:
        await seen.hub.arrive(seen.channel, UNREADABLE_VERSION)
        assert seen.channel.version == UNREADABLE_VERSION
        assert (seen.channel.rewinds, seen.channel.wakeups, seen.hub.rewound) == (1, 1, 0)


async def test_a_version_below_the_known_one_is_a_rewind_if_the_store_says_so_again():
    async with watched() as seen:
        channel = seen.channel
        await seen.hub.arrive(channel, seen.newest)
        older = at(1)
        await seen.hub.arrive(channel, older)  # a late notification
        assert (channel.version, channel.rewinds, seen.store.read) == (seen.newest, 0, 1)
        seen.store.found = [None]
        await seen.hub.arrive(channel, older)
        assert (channel.version, channel.rewinds) == (seen.newest, 0)
        seen.store.found = [older]
        await seen.hub.arrive(channel, older)
        assert (channel.version, channel.rewinds, seen.hub.rewound) == (older, 1, 1)
        assert not channel.entries


async def test_another_history_of_the_same_length_is_a_rewind():
    async with watched() as seen:
        other = seen.channel.version._replace(revision=2, head=b"of another history")
        seen.channel.version = other
        await seen.hub.arrive(seen.channel, seen.newest)
        assert (seen.channel.version, seen.channel.rewinds) == (seen.newest, 1)
        assert seen.hub.rewound == 1
        assert not seen.channel.entries


async def test_a_change_of_the_seats_alone_comes_without_entries():
    async with watched() as seen:
        channel = seen.channel
        await seen.hub.arrive(channel, seen.newest)
        changed = seen.newest.changed()
        await seen.hub.arrive(channel, changed)
        assert (channel.version, channel.wakeups) == (changed, 2)
        assert len(channel.entries) == 2
        await seen.hub.arrive(channel, changed)
        assert channel.wakeups == 2


async def test_the_poll_finds_and_counts_what_no_notification_came_for():
    async with watched(poll=0.01) as seen:
        await until(lambda: seen.channel.version == seen.newest)
        assert seen.hub.notifications_missed == 1
        reads = seen.store.read
        await until(lambda: seen.store.read > reads + 1)
        assert seen.hub.notifications_missed == 1
        assert seen.channel.wakeups == 1


async def test_many_matches_are_polled_in_portions():
    store = Listening()
    hub = Hub(store, 0.001)
    for number in range(POLL_AT_ONCE + 1):
        match: Any = SimpleNamespace(id=f"match {number}", version=at(0))
        hub.open(match)
    await until(lambda: all(channel.deleted for channel in hub.channels))
    assert store.sizes[:2] == [POLL_AT_ONCE, 1]
    await hub.stop()
