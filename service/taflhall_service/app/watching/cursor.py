"""Watching a match: a cursor that moves along its history.

The first update is a snapshot, or what happened after the resume token, or else a heartbeat. From
then on every command comes once, in order. The cursor opens its channel before it reads the match,
so that nothing falls between.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final, NamedTuple, Protocol

from taflhall_service.app.errors import MatchNotFound
from taflhall_service.app.model.match import ABANDONED, OVER, Match
from taflhall_service.app.model.records import Entry
from taflhall_service.app.model.tokens import ResumePoint, matches_history, read_token
from taflhall_service.app.ports.match_store import Version
from taflhall_service.app.watching.channels import Channel
from taflhall_service.app.watching.entry_log import EntryLog, EntryReader, LogGap

UNSEEN: Final = -1
"""The change id of a viewer who has not seen the current seats."""


class SnapshotCause(Enum):
    """Why a viewer gets a snapshot."""

    BEGIN = 0
    COMPACTED = 1
    HISTORY_REWOUND = 2
    SEATS_CHANGED = 3


class EndCause(Enum):
    """Why a stream ends."""

    FINISHED = 1
    DRAINING = 2
    ABANDONED = 3
    REPLACED = 4


def _ending(match: Match) -> EndCause:
    return EndCause.ABANDONED if match.status == ABANDONED else EndCause.FINISHED


class Snapshot(NamedTuple):
    """The match as it is; replaces what was known before."""

    match: Match
    cause: SnapshotCause


class EntryAdded(NamedTuple):
    """One more entry of the history."""

    entry: Entry
    seen_change_id: int
    """The :attr:`~Version.change_id` that the viewer was last sent."""
    match: Match | None
    """The match after it, if it is the newest command; older ones are not read again."""


class Heartbeat(NamedTuple):
    """Nothing happened for a while."""

    at: Version
    match: Match | None = None
    """The match, if it has clocks."""


class End(NamedTuple):
    """The stream ends."""

    cause: EndCause
    match: Match


Update = Snapshot | EntryAdded | Heartbeat | End


_GAPS: Final = {
    LogGap.REWOUND: SnapshotCause.HISTORY_REWOUND,
    LogGap.COMPACTED: SnapshotCause.COMPACTED,
}


class Channels(Protocol):
    """Where a cursor waits for news."""

    @property
    def draining(self) -> bool: ...
    def open(self, match: Match) -> Channel: ...
    async def listen(self, channel: Channel) -> None: ...
    def observed(self, channel: Channel, version: Version) -> None: ...
    def close(self, channel: Channel) -> None: ...


class WatchSource(Protocol):
    """What a cursor reads: the matches of this process, or one as it was a while ago."""

    @property
    def server_key(self) -> bytes: ...
    @property
    def hub(self) -> Channels: ...
    @property
    def store(self) -> EntryReader: ...
    async def current(self, match_id: str) -> Match: ...
    async def fresh(self, match_id: str) -> Match: ...
    async def watched(self, channel: Channel) -> Match: ...


class Cursor:
    """One viewer's place in the history of a match. Close it when done."""

    def __init__(
        self, matches: WatchSource, match: Match, viewer: int, with_signals: bool = False
    ) -> None:
        self._matches = matches
        self._viewer = viewer
        self._with_signals = with_signals
        self._signals = 0
        """How many of the channel's signals the viewer has received."""
        self._first = match
        self._log = EntryLog(matches.store, match)
        self._version: Version = match.version
        self._rewinds = 0
        self._seen_change_id: int | None = None
        """The channel's change id when the viewer was last sent the seats."""
        self._channel: Channel | None = None

    async def open(self, token: str) -> list[Update]:
        """Take the place that *token* says, or the newest; return the first updates."""
        matches, match_id = self._matches, self._first.id
        point = None
        if token:
            point = read_token(matches.server_key, match_id, self._viewer, token)
        channel = self._channel = matches.hub.open(self._first)
        self._signals = channel.signal_count
        await matches.hub.listen(channel)
        self._rewinds = channel.rewinds
        match = await matches.current(match_id)
        matches.hub.observed(channel, match.version)
        if point is None:
            return self._snapshot(match, SnapshotCause.BEGIN)
        entries = await self._resumed(match, point)
        if isinstance(entries, SnapshotCause):
            return self._snapshot(match, entries)
        return self._changes(entries, match, match) or [await self._heartbeat(channel)]

    def close(self) -> None:
        """Let go of the match."""
        if self._channel is not None:
            self._matches.hub.close(self._channel)
            self._channel = None

    @property
    def channel(self) -> Channel:
        """Where the cursor waits for news, once it is open."""
        assert self._channel is not None
        return self._channel

    @property
    def at(self) -> Version:
        """The version that the viewer has been sent."""
        return self._version

    @property
    def change_id(self) -> int:
        """The newest :attr:`~Version.change_id` known here."""
        return (
            self._first.version.change_id
            if self._channel is None
            else self._channel.version.change_id
        )

    @property
    def behind(self) -> int:
        """Number of known commands that the viewer has not been sent."""
        channel = self._channel
        if channel is None:
            return 0
        return max(0, channel.version.revision - self._version.revision)

    async def match(self) -> Match:
        """Return the match at the newest version known."""
        assert self._channel is not None
        return await self._matches.watched(self._channel)

    async def next(self, seconds: float, with_match: bool) -> list[Update]:
        """Wait for what happens next; after *seconds* without a change, return a heartbeat.

        Where signals are wanted, return nothing when one has come.
        The newest change carries the match only *with_match*, since a match changed by another
        server has to be read for it.
        """
        channel = self._channel
        assert channel is not None
        while True:
            wakeups = channel.wakeups
            if channel.deleted:
                raise MatchNotFound(match_id=self._first.id)
            updates = await self._arrived(channel, with_match)
            if updates:
                return updates
            if self._with_signals and channel.signal_count != self._signals:
                self._signals = channel.signal_count
                return []
            if self._matches.hub.draining:
                return [End(EndCause.DRAINING, await self._matches.watched(channel))]
            if not await channel.changed(wakeups, seconds):
                return [await self._heartbeat(channel)]

    async def _heartbeat(self, channel: Channel) -> Heartbeat:
        timed = self._first.origin.clock is not None
        return Heartbeat(self._version, await self._matches.watched(channel) if timed else None)

    async def _arrived(self, channel: Channel, with_match: bool) -> list[Update]:
        if channel.rewinds != self._rewinds:
            self._rewinds = channel.rewinds
            return self._snapshot(
                await self._matches.watched(channel), SnapshotCause.HISTORY_REWOUND
            )
        head = channel.head_at(self._version.revision)
        if head is not None and head != self._version.head:
            return await self._diverged(channel)
        if channel.version.revision <= self._version.revision:
            return await self._seats_changed(channel)
        entries = channel.after(self._version.revision)
        if entries is None:
            found = await self._log.after(self._version)
            if isinstance(found, LogGap):
                return self._snapshot(await self._matches.fresh(self._first.id), _GAPS[found])
            entries = found.entries
        over = entries[-1].status in OVER
        match = await self._matches.watched(channel) if with_match or over else None
        if match is not None:
            entries = await self._up_to(match, entries)
        return self._changes(entries, match, match if with_match else None)

    async def _up_to(self, match: Match, entries: list[Entry]) -> list[Entry]:
        """Return *entries*, and those up to *match*, which may be newer than its channel."""
        last = entries[-1]
        lacking = match.revision - last.revision
        if lacking <= 0:
            return entries
        found = await self._log.after(Version(last.revision, last.head, 0), lacking)
        return entries if isinstance(found, LogGap) else [*entries, *found.entries]

    async def _diverged(self, channel: Channel) -> list[Update]:
        """Return the current match, since the history that the viewer was sent is lost.

        If it is the channel that is behind, it will soon know.
        """
        match = await self._matches.watched(channel)
        self._matches.hub.observed(channel, match.version)
        if match.version[:2] != channel.version[:2]:
            return []
        return self._snapshot(match, SnapshotCause.HISTORY_REWOUND)

    async def _seats_changed(self, channel: Channel) -> list[Update]:
        """Return the current match if its seats have changed, without skipping a command."""
        if channel.version.change_id in (self._version.change_id, self._seen_change_id):
            return []
        match = await self._matches.watched(channel)
        if match.revision != self._version.revision:
            return []  # commands come first; the channel will soon know them
        return self._snapshot(match, SnapshotCause.SEATS_CHANGED)

    def _snapshot(self, match: Match, cause: SnapshotCause) -> list[Update]:
        assert self._channel is not None
        self._version, self._seen_change_id = match.version, self._channel.version.change_id
        updates: list[Update] = [Snapshot(match, cause)]
        if match.over:
            updates.append(End(_ending(match), match))
        return updates

    def _changes(
        self, entries: Sequence[Entry], match: Match | None, shown: Match | None
    ) -> list[Update]:
        """Move on over *entries*, as far as *match* is; the newest carries *shown* if it is there.

        Changes newer than *match* come with the next match, so that the last message has it and
        the end follows the last command.
        """
        updates: list[Update] = []
        for entry in entries:
            if match is not None and entry.revision > match.revision:
                break
            newest = shown is not None and shown.version[:2] == (entry.revision, entry.head)
            updates.append(EntryAdded(entry, self._version.change_id, shown if newest else None))
            self._version = Version(entry.revision, entry.head, self._version.change_id)
        if match is not None and match.over and self._version[:2] == match.version[:2]:
            updates.append(End(_ending(match), match))
        return updates

    async def _resumed(self, match: Match, at: ResumePoint) -> Sequence[Entry] | SnapshotCause:
        """Return what happened after *at*, or the cause of a snapshot instead."""
        if at.revision > match.revision:
            return SnapshotCause.HISTORY_REWOUND

        def proves(head: bytes) -> bool:
            return matches_history(self._matches.server_key, match.id, self._viewer, at, head)

        found = await self._log.after_revision(at.revision, proves)
        if isinstance(found, LogGap):
            return _GAPS[found]
        change_id = UNSEEN
        if at.nonce == match.version.nonce:
            assert self._channel is not None
            change_id, self._seen_change_id = (
                match.version.change_id,
                self._channel.version.change_id,
            )
        self._version = Version(at.revision, found.head, change_id)
        return found.entries
