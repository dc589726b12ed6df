"""The hub: wakes those who wait for a match to change, and reads the store once for all of them.

A channel holds the newest entries of a watched match. Commits of this process are appended
directly; those of others are read after a notification or by the poll: one range from the last
known entry, regardless of the number of watchers. No watcher has a queue: a watcher is a cursor
that is woken, and it reads entries that have left the ring from the store.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

import structlog

from taflhall_service.app.errors import Refused, StoredDataDamaged
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Entry
from taflhall_service.app.periodic import end_tasks, run_periodically
from taflhall_service.app.ports.match_store import UNREADABLE_VERSION, MatchStore, Version
from taflhall_service.app.watching.entry_log import EntryLog, LogGap

RING: Final = 64
"""Entries of a watched match that are kept in memory."""

SETTLE: Final = 0.001
"""Seconds to wait after a notification: one about this process's own commit comes about when its
reply does."""

SIGNALS: Final = 32
"""Signals about a watched match that are kept in memory; a stream that is behind misses others."""

POLL_AT_ONCE: Final = 200
"""Matches whose versions are asked for in one round trip."""

_log = structlog.get_logger("hub")


class Channel:
    """A match that is watched on this server, with its newest entries."""

    __slots__ = (
        "callbacks",
        "deleted",
        "entries",
        "listening",
        "lock",
        "match",
        "reading",
        "rewinds",
        "signal_count",
        "signals",
        "users",
        "version",
        "waiters",
        "wakeups",
    )

    def __init__(self, match: Match) -> None:
        self.match = match
        """The match at some version; it names the game and the origin."""
        self.version: Version = match.version
        """The newest version known here."""
        self.entries: deque[Entry] = deque(maxlen=RING)
        self.users = 0
        self.wakeups = 0
        """Counts the wakes, so that none is missed."""
        self.rewinds = 0
        """Counts how often the store went back to an older history."""
        self.listening = False
        """Notifications about the match are subscribed to."""
        self.deleted = False
        """The match is no longer in the store."""
        self.waiters: list[asyncio.Future[None]] = []
        self.callbacks: list[Callable[[], None]] = []
        """Called at every wake, for listeners that check by themselves whether it concerns them."""
        self.reading = False
        self.lock = asyncio.Lock()
        self.signals: deque[bytes] = deque(maxlen=SIGNALS)
        """The newest signals."""
        self.signal_count = 0
        """Counts the signals, so that each is sent once."""

    def signal(self, text: bytes) -> None:
        """Take in a signal, and wake all."""
        self.signals.append(text)
        self.signal_count += 1
        self.wake()

    def signals_after(self, count: int) -> list[bytes]:
        """Return the signals after the first *count*, without those that are no longer kept."""
        new = min(self.signal_count - count, len(self.signals))
        return list(self.signals)[len(self.signals) - new :]

    def wake(self) -> None:
        """Wake all waiting watchers."""
        self.wakeups += 1
        waiters, self.waiters = self.waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)
        for callback in self.callbacks:
            callback()

    async def changed(self, wakeups: int, seconds: float) -> bool:
        """Wait until something has happened since *wakeups*; False if *seconds* pass in silence."""
        if self.wakeups != wakeups:
            return True
        waiter = asyncio.get_running_loop().create_future()
        self.waiters.append(waiter)
        try:
            async with asyncio.timeout(seconds):
                await waiter
        except TimeoutError:
            if not waiter.cancelled():
                return True
            self.waiters = [w for w in self.waiters if not w.done()]
            return False
        return True

    def after(self, revision: int) -> list[Entry] | None:
        """Return the entries after *revision* up to the newest, ``None`` if the ring lacks one."""
        wanted = self.version.revision - revision
        if wanted <= 0:
            return []
        if len(self.entries) < wanted:
            return None
        return list(self.entries)[-wanted:]

    def head_at(self, revision: int) -> bytes | None:
        """Return the head at a revision; ``None`` if it is not known any more, or not yet."""
        back = self.version.revision - revision
        if back == 0:
            return self.version.head
        return self.entries[-back - 1].head if 0 < back < len(self.entries) else None

    def is_current(self, revision: int, changes: int) -> bool:
        """Return whether no notification announces anything newer."""
        return self.version.revision >= revision and self.version.change_count >= changes

    def append(self, entries: Sequence[Entry], version: Version) -> bool:
        """Append *entries* if they follow the known ones; return whether they do."""
        known = self.version
        if entries and entries[0].revision != known.revision + 1:
            return False
        if not entries and (
            version.revision != known.revision or version.change_id < known.change_id
        ):
            return False
        self.entries.extend(entries)
        self.version = version
        return True


class Hub:
    """The channels of this process; it wakes those who wait."""

    def __init__(self, store: MatchStore, poll_seconds: float = 1.0) -> None:
        self._store = store
        self._poll_seconds = poll_seconds
        self._channels: dict[str, Channel] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._poller: asyncio.Task[None] | None = None
        self.drained = asyncio.Event()
        """Set when the server shuts down."""
        self.notifications_missed = 0
        self.rewound = 0
        store.on_change(self._hinted)
        store.on_signal(self.signalled)

    def __len__(self) -> int:
        return len(self._channels)

    @property
    def draining(self) -> bool:
        """Whether the server shuts down."""
        return self.drained.is_set()

    @property
    def channels(self) -> list[Channel]:
        """The channels of the matches watched or played on this server."""
        return list(self._channels.values())

    def open(self, match: Match) -> Channel:
        """Return the match's channel; give it back with :meth:`close`.

        Until :meth:`listen` runs, other servers' commits are found by the poll.
        """
        channel = self._channels.get(match.id)
        if channel is None or channel.deleted:
            channel = self._channels[match.id] = Channel(match)
        channel.users += 1
        if self._poller is None:
            self._poller = asyncio.create_task(
                run_periodically(self._poll, self._poll_seconds, _log)
            )
        return channel

    async def listen(self, channel: Channel) -> None:
        """Subscribe to notifications about the match, whose caller waits for other seats."""
        if not channel.listening:
            channel.listening = True
            await self._store.listen(channel.match.id)

    def close(self, channel: Channel) -> None:
        """Let go of a channel."""
        channel.users -= 1
        if not channel.users and self._channels.get(channel.match.id) is channel:
            del self._channels[channel.match.id]
            if channel.listening:
                self.spawn(self._ignore(channel.match.id))

    async def _ignore(self, match_id: str) -> None:
        again = self._channels.get(match_id)
        if again is None or not again.listening:
            await self._store.ignore(match_id)

    def committed(self, before: Version, match: Match, entries: Sequence[Entry]) -> None:
        """Announce a commit of this process to a match that had version *before*."""
        channel = self._channels.get(match.id)
        if channel is None:
            return
        if channel.version[:2] == before[:2] and channel.append(entries, match.version):
            channel.match = match
            channel.wake()
        else:
            self._look(channel)

    def observed(self, channel: Channel, version: Version) -> None:
        """Note that a watcher has been sent a match at *version*."""
        if channel.version == version:
            return
        if channel.version[:2] == version[:2] and channel.append([], version):
            channel.wake()
        else:
            self._look(channel)

    def drain(self) -> None:
        """Wake every stream, so that it ends with a hint to reconnect."""
        self.drained.set()
        for channel in self._channels.values():
            channel.wake()

    async def stop(self) -> None:
        """End what runs in the background."""
        await end_tasks(*self._tasks, self._poller)

    def _hinted(self, match_id: str, revision: int, changes: int) -> None:
        channel = self._channels.get(match_id)
        if channel is not None and not channel.is_current(revision, changes):
            self._look(channel)

    def signalled(self, match_id: str, text: bytes) -> None:
        """Pass a signal about a match on to those who follow it here."""
        channel = self._channels.get(match_id)
        if channel is not None:
            channel.signal(text)

    def _look(self, channel: Channel) -> None:
        if not channel.reading:
            channel.reading = True
            self.spawn(self._read(channel))

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do *work* in the background, until it ends or the hub stops."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()

    async def _read(self, channel: Channel) -> None:
        try:
            await asyncio.sleep(SETTLE)
            (version,) = await self._store.versions([channel.match.id])
            channel.reading = (
                False  # a notification from now on may announce more than is read here
            )
            await self.arrive(channel, version)
        except Refused:
            return  # the poll comes back to it
        finally:
            channel.reading = False

    async def arrive(self, channel: Channel, version: Version | None) -> None:
        """Bring *channel* to *version* of the store, ``None`` if the match has left it."""
        async with channel.lock:
            known = channel.version
            if version == known:
                return
            if version is None:
                channel.deleted = True
                channel.wake()
                return
            if version == UNREADABLE_VERSION:
                self._rewind(channel, version)  # its readers get the error
                return
            if version.behind(known):
                await self._check(channel)
                return
            try:
                found = await EntryLog(self._store, channel.match).after(known, limit=None)
            except StoredDataDamaged:
                self._rewind(channel, UNREADABLE_VERSION)  # its readers get the error
                return
            if channel.version != known:
                return  # this process has committed meanwhile
            if isinstance(found, LogGap):
                self._rewind(channel, version)
                return
            newest = found.entries[-1] if found.entries else known
            channel.append(found.entries, Version(newest.revision, newest.head, version.change_id))
            channel.wake()

    async def _check(self, channel: Channel) -> None:
        """Check a version below the known one again: a late notification, or a rewind."""
        known = channel.version
        (version,) = await self._store.versions([channel.match.id])
        if version is None or channel.version != known:
            return
        if version.behind(known):
            self._rewind(channel, version)

    def _rewind(self, channel: Channel, version: Version) -> None:
        self.rewound += version != UNREADABLE_VERSION
        channel.entries.clear()
        channel.version = version
        channel.rewinds += 1
        channel.wake()

    async def _poll(self) -> None:
        channels = list(self._channels.values())
        for start in range(0, len(channels), POLL_AT_ONCE):
            await self._ask(channels[start : start + POLL_AT_ONCE])

    async def _ask(self, channels: list[Channel]) -> None:
        before = [channel.version for channel in channels]
        versions = await self._store.versions([channel.match.id for channel in channels])
        for channel, known, version in zip(channels, before, versions, strict=True):
            if version != known and channel.version == known:
                self.notifications_missed += 1
                await self.arrive(channel, version)
