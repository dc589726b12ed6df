"""A cursor's place in a history: what it gives after each thing that its channel learns."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from taflhall_service.app.errors import Malformed, MatchNotFound
from taflhall_service.app.matches.submit import ResignSeat
from taflhall_service.app.matches.transaction import act
from taflhall_service.app.model.clocks import TimeControl
from taflhall_service.app.model.codec import decode_entry
from taflhall_service.app.model.match import ABANDONED, Match
from taflhall_service.app.model.records import Entry
from taflhall_service.app.model.tokens import ResumePoint, resume_token
from taflhall_service.app.ports.match_store import StoredEntry, Version
from taflhall_service.app.watching.channels import Channel
from taflhall_service.app.watching.cursor import (
    Cursor,
    End,
    EndCause,
    EntryAdded,
    Heartbeat,
    Snapshot,
    SnapshotCause,
)
from tests.service.requests.matches import FINGERPRINT, bot, caller, playing, seat
from tests.service.requests.process import Process
from tests.waiting import settle

KEY = b"k" * 32
VIEWER = 0
PLAYED = 5


class Source:
    """A match whose versions are known beforehand; the test says which is the current one.

    It is all that a cursor reads: the matches of the process, their hub and their store.
    """

    server_key = KEY

    def __init__(self, matches: list[Match], stored: list[StoredEntry]) -> None:
        self.matches = matches
        """By revision."""
        self.stored = stored
        self.now = matches[0]
        self.channel = Channel(matches[0])
        self.draining = False
        self.users = 0
        self.reads = 0
        self.noted: list[Version] = []
        """The versions that watchers were seen to have been sent."""

    @property
    def hub(self) -> Any:
        return self

    @property
    def store(self) -> Any:
        return self

    def open(self, match: Match) -> Channel:
        self.users += 1
        return self.channel

    def close(self, channel: Channel) -> None:
        self.users -= 1

    async def listen(self, channel: Channel) -> None:
        channel.listening = True

    def observed(self, channel: Channel, version: Version) -> None:
        self.noted.append(version)

    async def current(self, match_id: str) -> Match:
        return self.now

    async def fresh(self, match_id: str) -> Match:
        return self.now

    async def watched(self, channel: Channel) -> Match:
        return self.now

    async def entries(self, match_id: str, first: int, last: int | None) -> Sequence[StoredEntry]:
        self.reads += 1
        most = self.now.revision if last is None else min(last, self.now.revision)
        return [entry for entry in self.stored if first <= entry.revision <= most]

    def entry(self, revision: int) -> Entry:
        match = self.matches[0]
        (kept,) = [entry for entry in self.stored if entry.revision == revision]
        return decode_entry(match.game, match.origin, kept)

    def come_to(self, revision: int) -> None:
        """Let the channel learn of all commands up to *revision*."""
        first = self.channel.version.revision + 1
        entries = [self.entry(number) for number in range(first, revision + 1)]
        self.now = self.matches[revision]
        self.channel.append(entries, self.now.version)
        self.channel.wake()


@pytest.fixture
async def source() -> Source:
    process = Process()
    matches = [await process.hold(playing(seat("ann", bot="random"), bot()))]
    for _ in range(PLAYED - 1):
        matches.append(await process.play_on(1))
    await act(process.matches, "match", ResignSeat(caller("ann"), None, "id", FINGERPRINT))
    matches.append(process.stored)
    return Source(matches, process.memory.entries["match"])


def cursor(source: Source) -> Cursor:
    return Cursor(source, source.now, VIEWER)


def token(source: Source, revision: int, viewer: int = VIEWER) -> str:
    version = source.matches[revision].version
    at = ResumePoint(revision, version.nonce)
    return resume_token(KEY, source.matches[0].id, viewer, at, version.head)


def kinds(updates: Sequence[Any]) -> list[Any]:
    """Return what updates are: the cause, or the revision and whether the match comes with it."""
    found: list[Any] = []
    for update in updates:
        if isinstance(update, EntryAdded):
            found.append((update.entry.revision, update.match is not None))
        else:
            found.append(update.cause if isinstance(update, Snapshot | End) else update)
    return found


async def test_a_watch_begins_with_the_match_as_it_is(source: Source):
    watch = cursor(source)
    (update,) = await watch.open("")
    assert update == Snapshot(source.now, SnapshotCause.BEGIN)
    assert source.channel.listening
    assert source.noted == [source.now.version]
    assert watch.change_id == source.now.version.change_id
    assert await watch.match() is source.now
    assert (watch.channel, watch.at) == (source.channel, source.now.version)
    watch.close()
    watch.close()
    assert source.users == 0
    assert watch.behind == 0


async def test_commands_come_in_order_and_the_newest_brings_the_match_if_it_is_wanted(
    source: Source,
):
    watch = cursor(source)
    await watch.open("")
    source.come_to(1)
    (update,) = await watch.next(60, with_match=False)
    assert kinds([update]) == [(1, False)]
    assert isinstance(update, EntryAdded)
    assert update.seen_change_id == source.now.version.change_id
    source.come_to(3)
    assert watch.behind == 2
    assert kinds(await watch.next(60, with_match=True)) == [(2, False), (3, True)]
    assert watch.behind == 0
    assert source.reads == 0


async def test_the_last_command_is_followed_by_the_end(source: Source):
    watch = cursor(source)
    await watch.open("")
    source.come_to(PLAYED)
    expected = [(number, False) for number in range(1, PLAYED + 1)]
    assert kinds(await watch.next(60, with_match=False)) == [*expected, EndCause.FINISHED]


@pytest.mark.parametrize("abandoned", [False, True])
async def test_a_match_that_is_over_is_shown_and_the_watch_ends(source: Source, abandoned: bool):
    source.come_to(PLAYED)
    if abandoned:
        source.now = source.now.replaced(status=ABANDONED)
    cause = EndCause.ABANDONED if abandoned else EndCause.FINISHED
    assert kinds(await cursor(source).open("")) == [SnapshotCause.BEGIN, cause]


async def test_commands_that_the_channel_has_forgotten_are_read_from_the_log(source: Source):
    watch = cursor(source)
    await watch.open("")
    source.come_to(3)
    source.channel.entries.clear()
    assert kinds(await watch.next(60, with_match=True)) == [(1, False), (2, False), (3, True)]
    assert source.reads == 1


async def test_commands_that_are_stored_no_longer_are_skipped_with_a_snapshot(source: Source):
    watch = cursor(source)
    await watch.open("")
    source.come_to(3)
    source.channel.entries.clear()
    del source.stored[0]
    assert kinds(await watch.next(60, with_match=True)) == [SnapshotCause.COMPACTED]
    source.come_to(4)
    assert kinds(await watch.next(60, with_match=False)) == [(4, False)]


@pytest.mark.parametrize("ahead", [1, 2])
async def test_a_match_that_is_newer_than_its_channel_brings_the_commands_between(
    source: Source, ahead: int
):
    watch = cursor(source)
    await watch.open("")
    source.come_to(1)
    source.now = source.matches[1 + ahead]
    found = await watch.next(60, with_match=True)
    assert kinds(found) == [*((n, False) for n in range(1, 1 + ahead)), (1 + ahead, True)]


async def test_a_match_that_is_older_than_its_channel_holds_back_what_is_newer(source: Source):
    watch = cursor(source)
    await watch.open("")
    source.come_to(3)
    source.now = source.matches[2]
    assert kinds(await watch.next(60, with_match=True)) == [(1, False), (2, True)]
    source.now = source.matches[3]
    assert kinds(await watch.next(60, with_match=True)) == [(3, True)]


async def test_the_end_waits_for_commands_that_cannot_be_read(source: Source):
    watch = cursor(source)
    await watch.open("")
    source.come_to(1)
    source.now = source.matches[PLAYED]
    del source.stored[1]
    assert kinds(await watch.next(60, with_match=True)) == [(1, False)]


async def test_a_viewer_who_is_ahead_of_the_channel_is_not_behind(source: Source):
    source.now = source.matches[2]
    watch = cursor(source)
    await watch.open("")
    assert (watch.at.revision, watch.behind) == (2, 0)


async def test_a_change_of_the_seats_alone_is_shown_as_a_snapshot_once(source: Source):
    watch = cursor(source)
    await watch.open("")
    source.now = source.now.changed()
    source.channel.append([], source.now.version)
    source.channel.wake()
    assert kinds(await watch.next(60, with_match=False)) == [SnapshotCause.SEATS_CHANGED]
    assert watch.change_id == source.now.version.change_id
    silent = await watch.next(0.001, with_match=False)
    assert silent == [Heartbeat(source.now.version)]


async def test_commands_come_before_a_change_of_the_seats(source: Source):
    watch = cursor(source)
    await watch.open("")
    source.come_to(1)
    await watch.next(60, with_match=False)
    changed = source.matches[2].changed()
    source.channel.append([], source.matches[1].changed().version)
    source.channel.wake()
    source.now = changed  # the match has been read, its channel has not heard of it yet
    assert (await watch.next(0.001, with_match=False))[0] == Heartbeat(source.matches[1].version)
    source.come_to(2)
    assert kinds(await watch.next(60, with_match=False)) == [(2, False)]


async def test_a_rewind_is_shown_as_a_snapshot(source: Source):
    watch = cursor(source)
    await watch.open("")
    source.come_to(3)
    await watch.next(60, with_match=False)
    source.now = source.matches[1]
    source.channel.version = source.now.version
    source.channel.entries.clear()
    source.channel.rewinds += 1
    source.channel.wake()
    assert kinds(await watch.next(60, with_match=False)) == [SnapshotCause.HISTORY_REWOUND]
    source.come_to(2)
    assert kinds(await watch.next(60, with_match=False)) == [(2, False)]


async def test_a_rewind_before_a_watch_is_nothing_to_it(source: Source):
    source.channel.rewinds = 2
    watch = cursor(source)
    await watch.open("")
    assert await watch.next(0.001, with_match=False) == [Heartbeat(source.now.version)]


async def test_another_history_is_noticed_by_its_head(source: Source):
    watch = cursor(source)
    await watch.open("")
    source.come_to(2)
    await watch.next(60, with_match=False)
    other = source.now.version._replace(head=b"of another history")
    source.channel.version = other
    source.channel.wake()
    # the channel is behind the match: it will soon know
    assert kinds(await watch.next(0.001, with_match=False)) == [
        Heartbeat(source.matches[2].version)
    ]
    assert source.noted[-1] == source.matches[2].version
    source.now = source.now.replaced(version=other)
    source.channel.wake()
    assert kinds(await watch.next(60, with_match=False)) == [SnapshotCause.HISTORY_REWOUND]


async def test_a_match_that_no_longer_exists_and_a_drain_end_a_watch(source: Source):
    watch = cursor(source)
    await watch.open("")
    source.draining = True
    assert await watch.next(60, with_match=False) == [End(EndCause.DRAINING, source.now)]
    source.draining = False
    waiting = asyncio.create_task(watch.next(60, with_match=False))
    await settle(3)
    source.channel.deleted = True
    source.channel.wake()
    with pytest.raises(MatchNotFound) as raised:
        await waiting
    assert raised.value.metadata == {"match_id": source.now.id}


@pytest.mark.parametrize("timed", [False, True])
async def test_silence_is_broken_with_the_clocks_if_there_are_any(source: Source, timed: bool):
    if timed:
        origin = source.now.origin
        fields = {name: getattr(origin, name) for name in origin.__struct_fields__}
        fields["clock"] = TimeControl(1000)
        source.now = source.now.replaced(origin=type(origin)(**fields))
    watch = cursor(source)
    await watch.open("")
    expected = Heartbeat(source.now.version, source.now if timed else None)
    assert await watch.next(0.001, with_match=True) == [expected]


# ---------------------------------------------------------------- with a resume token


async def test_a_watch_resumes_after_what_it_has_seen(source: Source):
    source.come_to(4)
    watch = cursor(source)
    assert kinds(await watch.open(token(source, 2))) == [(3, False), (4, True)]
    watch = cursor(source)
    assert await watch.open(token(source, 4)) == [Heartbeat(source.now.version)]
    source.come_to(PLAYED)
    assert kinds(await watch.next(60, with_match=True)) == [(PLAYED, True), EndCause.FINISHED]


async def test_a_watch_that_resumes_at_the_end_ends(source: Source):
    source.come_to(PLAYED)
    assert kinds(await cursor(source).open(token(source, PLAYED))) == [EndCause.FINISHED]
    found = await cursor(source).open(token(source, PLAYED - 1))
    assert kinds(found) == [(PLAYED, True), EndCause.FINISHED]


async def test_a_watch_that_resumes_has_not_seen_seats_that_changed_meanwhile(source: Source):
    at = token(source, 0)
    source.now = source.now.changed()
    source.channel.append([], source.now.version)
    watch = cursor(source)
    (first,) = await watch.open(at)
    assert isinstance(first, Heartbeat)
    assert kinds(await watch.next(60, with_match=False)) == [SnapshotCause.SEATS_CHANGED]


async def test_a_watch_that_resumes_has_not_seen_the_seats_to_which_the_store_was_set_back(
    source: Source,
):
    first = source.matches[0]
    at = resume_token(KEY, first.id, VIEWER, ResumePoint(0, 9), first.version.head)
    source.now = first.replaced(version=first.version._replace(change_id=0))
    source.channel = Channel(source.now)
    watch = cursor(source)
    await watch.open(at)
    assert kinds(await watch.next(60, with_match=False)) == [SnapshotCause.SEATS_CHANGED]


async def test_a_token_of_a_lost_or_compacted_history_is_answered_with_a_snapshot(source: Source):
    ahead = token(source, 4)
    source.come_to(3)
    assert kinds(await cursor(source).open(ahead)) == [SnapshotCause.HISTORY_REWOUND]
    match = source.matches[2]
    at = ResumePoint(2, match.version.nonce)
    other = resume_token(KEY, match.id, VIEWER, at, b"of another history")
    assert kinds(await cursor(source).open(other)) == [SnapshotCause.HISTORY_REWOUND]
    early = token(source, 1)
    del source.stored[:2]
    assert kinds(await cursor(source).open(early)) == [SnapshotCause.COMPACTED]


async def test_a_token_of_another_viewer_is_refused_before_anything_is_opened(source: Source):
    with pytest.raises(Malformed):
        await cursor(source).open(token(source, 0, viewer=1))
    assert source.users == 0


# ---------------------------------------------------------------- signals


async def test_a_signal_ends_a_wait_for_those_who_want_signals(source: Source):
    source.channel.signal(b"before")
    watch = Cursor(source, source.now, VIEWER, with_signals=True)
    await watch.open("")
    assert await watch.next(0.001, with_match=False) == [Heartbeat(source.now.version)]
    source.channel.signal(b"a")
    source.channel.signal(b"b")
    assert await watch.next(60, with_match=False) == []
    assert await watch.next(0.001, with_match=False) == [Heartbeat(source.now.version)]
    source.channel.signal(b"c")
    source.come_to(1)
    assert kinds(await watch.next(60, with_match=False)) == [(1, False)]
    assert await watch.next(60, with_match=False) == []


async def test_a_signal_is_nothing_to_those_who_want_none(source: Source):
    watch = cursor(source)
    await watch.open("")
    source.channel.signal(b"a")
    assert await watch.next(0.001, with_match=False) == [Heartbeat(source.now.version)]
