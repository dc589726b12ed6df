"""A match seen with a delay, followed once for all its delayed spectators.

A :class:`DelayedMatch` goes over the same history as the match, but late: a command, or another
change (:mod:`~taflhall_service.app.model.visible_states`), is taken in when its time is long
enough past; :mod:`~taflhall_service.app.spectating.playback` computes how the match was then.
Its own channel wakes the watchers only then: the time of a wake reveals nothing about later
events. It advances by itself while it has followers and for a while afterwards, so that the
duration of a read reveals nothing either.

Until the time at which a match was created is long enough past, it is shown as it was created.

A server that begins to follow a long match does not play it from its start: it takes a table that
is old enough to be seen by everybody from the keyframes of the history (:mod:`~.matches.past`).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import structlog

from taflhall_service.app.errors import MatchNotFound, Refused, StoredDataDamaged
from taflhall_service.app.matches.past import PastTable, at_start, last_before, table_at
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import KEYFRAME_INTERVAL, Entry
from taflhall_service.app.model.visible_states import VisibleState
from taflhall_service.app.ports.match_store import Version
from taflhall_service.app.spectating.playback import Playhead, as_created, match_at, play_back
from taflhall_service.app.watching.channels import Channel
from taflhall_service.app.watching.entry_log import EntryLog, LogGap

MARGIN_MS: Final = 100
"""Added to the delay: a command is stamped before it is committed, and servers estimate the
store's time."""

BATCH: Final = 256
"""Largest number of entries that are read ahead."""

PORTION: Final = 16
"""Commands that are played before others get their turn."""

LONGEST_SECONDS: Final = 5.0
"""Longest time between two checks."""

GAP_SECONDS: Final = 0.02
PACED: Final = 10
"""When several changes are due at once, the first few are shown at most this far apart, as they
happened."""

SKIP_MARGIN_MS: Final = 60_000
"""Entries that became visible within this time are played one by one: a clock that was set
back within that time has not put them into another order."""

LINGER_SECONDS: Final = 60.0
"""How long it keeps following after the last read."""

RETRY_SECONDS: Final = 1.0
"""How long it waits after the store has not answered."""

_log = structlog.get_logger("delayed_match")


class DelayedMatch:
    """A match as it was a while ago, followed once for all delayed spectators."""

    def __init__(self, matches: Matches, match: Match, linger: float = LINGER_SECONDS) -> None:
        self.users = 0
        self.moves = 0
        """Number of moves that were carried out to follow the match."""
        self._linger = linger
        self._matches = matches
        self._live = match
        """The match as it is, as far as is known: it has the visible states."""
        self._delay: Final = match.origin.spectators.delay_ms + MARGIN_MS
        self.known: Version = match.version
        """How far the match is known here to have come."""
        self._until = 0.0
        self._lock = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._time: Final = asyncio.get_running_loop().time
        self._begin()
        self.channel: Final = Channel(self.match)

    def _begin(self) -> None:
        """Go back to where nothing has happened."""
        self.match = as_created(self._live)
        """The match as it was."""
        self._head = Playhead(self.match.version, self.match.as_of)
        """Where it is in the history: ahead of :attr:`match` only while it catches up."""
        self._past: PastTable | None = None
        """The table after the last entry that was passed."""
        self._far_behind = True
        """It may be that much of the history is to be skipped."""
        self._ahead: deque[Entry] = deque()
        """The next entries, not visible yet."""
        self._caught_up = False
        self._verify_branch = False
        """The store may have lost acknowledged writes."""

    # ---------------------------------------------------------------- for its users

    @property
    def following(self) -> bool:
        """Whether it advances by itself and has caught up."""
        return self._task is not None and self._caught_up

    def is_of(self, match: Match) -> bool:
        """Return whether it follows *match*, not an earlier match with the same id."""
        return not self.channel.deleted and match.origin.chain == self.match.origin.chain

    async def advance(self, live: Match) -> Match:
        """Take in what may be seen by now of *live*; return the match as it was."""
        if not self.is_of(live):
            self.end()
            raise MatchNotFound(match_id=live.id)
        async with self._lock:
            if self._task is None:
                self._ahead.clear()  # the store may have lost acknowledged writes meanwhile
                self._verify_branch = self._far_behind = True
                self._keep_following()
            elif live.version.behind(self.known):
                live = self._live  # it was read before the entries followed here
            self._live, self.known = live, live.version
            now = await self._matches.store.now()
            await self._advance(live.version, now - self._delay)
            return self.match

    async def look(self) -> Match:
        """Return the delayed match while it advances by itself."""
        if self.channel.deleted:
            raise MatchNotFound(match_id=self.match.id)
        async with self._lock:
            self._keep_following()
            now = await self._matches.store.now()
            await self._advance(self.known, now - self._delay)
            return self.match

    def join(self) -> Channel:
        """Begin to watch; leave with :meth:`leave`."""
        self.users += 1
        self._keep_following()
        return self.channel

    def leave(self) -> None:
        """Watch no longer."""
        self.users -= 1
        if not self.users and self._time() >= self._until:
            self.stop()

    def end(self) -> None:
        """Notify the watchers that the match no longer exists."""
        self.stop()
        self.channel.deleted = True
        self.channel.wake()

    def stop(self) -> None:
        """Stop following."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _keep_following(self) -> None:
        self._until = self._time() + self._linger
        if self._task is None:
            self._task = self._matches.hub.spawn(self._follow())

    # ---------------------------------------------------------------- following

    async def _follow(self) -> None:
        """Advance as entries become visible, until it has not been read for a while."""
        matches, hub = self._matches, self._matches.hub
        live = hub.open(self._live)
        rewinds = live.rewinds
        try:
            while self.users or self._time() < self._until:
                wakeups, seconds = live.wakeups, RETRY_SECONDS
                try:
                    await hub.listen(live)
                    async with self._lock:
                        if rewinds != live.rewinds:
                            rewinds = live.rewinds
                            self._ahead.clear()
                            self._verify_branch = True
                            self._live = await matches.watched(live)
                        elif self._live.version.change_id != live.version.change_id:
                            self._live = await matches.watched(live)
                        self.known = live.version
                        seconds = await self._advance_to_now(live.version)
                except Refused:
                    pass  # the store will answer again
                except Exception as error:
                    _log.error(
                        "delayed_match_failed", match=self.match.id, kind=type(error).__name__
                    )
                if live.deleted:
                    self.channel.deleted = True
                if live.deleted or hub.draining:
                    self.channel.wake()
                await live.changed(wakeups, seconds)
        finally:
            hub.close(live)
            if self._task is asyncio.current_task():
                self._task = None

    async def _advance_to_now(self, newest: Version) -> float:
        """Take in what may be seen by now; return the seconds until there is more, at most."""
        now = await self._matches.store.now()
        due = await self._advance(newest, now - self._delay)
        if due is None:
            return LONGEST_SECONDS
        return min(LONGEST_SECONDS, (due + self._delay - now) / 1000)

    async def _advance(self, newest: Version, seen: int) -> int | None:
        """Take in what was until *seen*; return the time of what comes next, if it is known."""
        played, shown, states = 0, 0, self._live.visible_states
        while True:
            if not await self._read_ahead(newest):
                self._restart()
            if self._far_behind:
                self._far_behind = False
                await self._skip(newest, seen - SKIP_MARGIN_MS)
                continue
            due = self._head.next_time(states, self._ahead)
            if due is None or due > seen:
                if self.match.version != self._head.version or not self._caught_up:
                    self._show()
                self._caught_up = True
                return due
            entries = await self._play(states, due)
            self.channel.append(entries, self._head.version)
            played += max(1, len(entries))
            if self._caught_up:
                self._show()
                shown += 1
            if self._caught_up or played >= PORTION:
                played = 0
                await asyncio.sleep(self._pause_after(due) if shown <= PACED else 0)

    async def _read_ahead(self, newest: Version) -> bool:
        """Know the next entries; return whether those behind are still part of the history."""
        verify, self._verify_branch = self._verify_branch, False
        at = self._head.version
        if verify and not self._head.is_on(self._live.visible_states):
            return False
        if self._ahead or at[:2] == newest[:2]:
            return True
        found = await EntryLog(self._matches.store, self.match).after(at)
        if isinstance(found, LogGap):
            return False
        self._ahead.extend(found.entries)
        return True

    def _restart(self) -> None:
        """Follow the current history after the store lost acknowledged writes."""
        self._begin()
        self.channel.entries.clear()
        self.channel.version = self._head.version
        self.channel.rewinds += 1

    def _pause_after(self, due: int) -> float:
        """Return how long watchers have to send the changes of *due* before more follow."""
        following = self._head.next_time(self._live.visible_states, self._ahead)
        return 0 if following is None else min(GAP_SECONDS, (following - due) / 1000)

    async def _skip(self, newest: Version, time_ms: int) -> None:
        """Advance to the last entry before *time_ms*, if many are to be played until then."""
        store, created, at = self._matches.store, as_created(self._live), self._head
        first = at.version.revision + KEYFRAME_INTERVAL
        try:
            entry = await last_before(store, created, first, newest.revision, time_ms)
            if entry is None:
                return
            past = await table_at(store, created, entry.revision)
        except StoredDataDamaged:
            return  # it is met where it is played
        version = at.version._replace(revision=entry.revision, head=entry.head)
        self._head = replace(at, version=version, at_ms=max(at.at_ms, entry.at_ms), entry=entry)
        self._past = past
        self._ahead.clear()
        self.channel.entries.clear()
        self.channel.version = version

    async def _play(self, states: Sequence[VisibleState], time_ms: int) -> list[Entry]:
        """Advance to *time_ms*; return the entries that were passed."""
        created = as_created(self._live)
        head, entries = play_back(self._head, states, self._ahead, time_ms)
        try:
            restored = {
                entry.revision: await table_at(self._matches.store, created, entry.restores)
                for entry in entries
                if entry.restores is not None
            }
        except BaseException:
            self._ahead.extendleft(reversed(entries))
            raise
        self._head = head
        self.moves += len(entries)
        for entry in entries:
            if entry.restores is not None:
                self._past = restored[entry.revision]
            else:
                self._past = (self._past or at_start(created)).after(created.game, entry)
        return entries

    def _show(self) -> None:
        """Let the watchers see the match as it is where this is in its history."""
        live = self._live
        if self._past is None and self._head.laid_out:
            self._past = at_start(live)
        match = match_at(self._head, as_created(live), self._past)
        if self._past is not None:
            match = match.replaced(started_ms=live.started_ms)
        self.match = self.channel.match = match
        self.channel.wake()
