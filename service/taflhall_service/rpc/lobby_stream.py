"""WatchLobby: the matches that a filter lets through, as they change.

An announcement only says that a match is to be looked at. Those of one match that come while the
watcher is behind count as one, so what waits for it is bounded by the number of matches. A resume
token stands before the oldest announcement whose match has not been looked at and sent, so that
what a watcher has not been sent comes again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple

from taflhall.v1 import lobby_service_pb2 as pb
from taflhall_service.app.errors import Draining
from taflhall_service.app.model.codec import match_of
from taflhall_service.app.model.tokens import page_token, read_page_token
from taflhall_service.app.spectating.delayed_match import MARGIN_MS
from taflhall_service.app.spectating.match_list import seen_in_list
from taflhall_service.app.spectating.spectators import Spectators
from taflhall_service.app.watching.announcements import PAGE, Announcement, read_announcement
from taflhall_service.rpc.call import Call
from taflhall_service.rpc.messages import Writer
from taflhall_service.rpc.requests import language_of, match_filter_of

_LISTING: Final = "lobby"
"""What resume tokens of the lobby are bound to."""


async def watch_lobby(spectators: Spectators, writer: Writer, call: Call) -> None:
    """Serve WatchLobby."""
    await _LobbyWatch(spectators, writer, call).run()


class Unsent(NamedTuple):
    """An announcement that the watcher has not been sent."""

    number: int
    """Counts those that were heard, so that the oldest is found."""
    before: str
    """The id of the announcement before it."""


class _LobbyWatch:
    """One watcher of the lobby."""

    def __init__(self, spectators: Spectators, writer: Writer, call: Call) -> None:
        request = call.request(pb.WatchLobbyRequest)
        self._spectators = spectators
        self._matches = spectators.matches
        self._writer = writer
        self._call = call
        self._wanted = match_filter_of(request.filter, call.identity)
        self._language = language_of(request.filter)
        self._token = request.resume_token
        self._last_id = ""
        """The id of the newest announcement that was heard."""
        self._early: list[Sequence[Announcement] | None] | None = None
        """What was heard while earlier announcements are read; ``None`` otherwise."""
        self._heard = 0
        """How many announcements were heard."""
        self._waiting: dict[str, Unsent] = {}
        """The index keys of announced matches that are to be read, and since when."""
        self._due: dict[str, Unsent] = {}
        """Those of delayed matches, a change of which may be seen now."""
        self._timers: dict[asyncio.TimerHandle, Unsent] = {}
        """Those of delayed matches, a change of which may be seen later."""
        self._shown: set[str] = set()
        """Matches that the watcher has been sent."""
        self._lost = False
        self._news = asyncio.Event()

    async def run(self) -> None:
        """Send what is new until the caller closes the stream."""
        matches, hub = self._matches, self._matches.hub
        key = matches.server_key
        resumed = read_page_token(key, self._token, _LISTING) if self._token else ""
        if resumed:
            self._early = []
        self._last_id = await matches.announcements.listen(self._on_announcements)
        draining = asyncio.create_task(hub.drained.wait())
        draining.add_done_callback(lambda _: self._news.set())
        try:
            if resumed:
                await self._catch_up(resumed)
            updates: list[pb.LobbyUpdate] = []
            while not hub.draining:
                token = page_token(key, self._resume_id(), _LISTING)
                message = pb.WatchLobbyResponse(updates=updates, resume_token=token)
                await self._call.write(message.SerializeToString())
                updates = await self._next()
            raise Draining
        finally:
            matches.announcements.ignore(self._on_announcements)
            draining.cancel()
            for timer in self._timers:
                timer.cancel()

    async def _catch_up(self, last_id: str) -> None:
        """Take what was announced after *last_id*, then what was heard meanwhile."""
        newest, self._last_id = self._last_id, last_id
        while True:
            found = await self._matches.store.announcements(self._last_id, PAGE)
            if not found:
                break
            self._take_up([read_announcement(*each) for each in found])
        early, self._early = self._early or [], None
        if found is None:
            self._last_id = newest
            self._on_announcements(None)
        for news in early:
            self._on_announcements(news)

    def _on_announcements(self, news: Sequence[Announcement] | None) -> None:
        if self._early is not None:
            self._early.append(news)
            return
        if news is None:
            self._lost = True
        else:
            self._take_up(news)
        self._news.set()

    def _take_up(self, news: Sequence[Announcement]) -> None:
        for each in news:
            self._heard += 1
            self._waiting.setdefault(each.index_key, Unsent(self._heard, self._last_id))
            self._last_id = each.id
        self._news.set()

    def _resume_id(self) -> str:
        """Return the id of the announcement after which everything is still to be sent."""
        unsent = (*self._waiting.values(), *self._due.values(), *self._timers.values())
        return min(unsent).before if unsent else self._last_id

    async def _next(self) -> list[pb.LobbyUpdate]:
        """Return what is new; nothing if that takes until a heartbeat is due."""
        due = asyncio.get_running_loop().time() + self._matches.limits.heartbeat_seconds
        while True:
            try:
                async with asyncio.timeout_at(due):
                    await self._news.wait()
            except TimeoutError:
                return []
            self._news.clear()
            updates = await self._take()
            if updates or self._matches.hub.draining:
                return updates

    async def _take(self) -> list[pb.LobbyUpdate]:
        updates = []
        if self._lost:
            self._lost = False
            updates.append(pb.LobbyUpdate(lost=True))
        waiting, self._waiting = self._waiting, {}
        due, self._due = self._due, {}
        for index_key in due | waiting:
            update = await self._update_of(index_key, waiting.get(index_key), index_key in due)
            if update is not None:
                updates.append(update)
        return updates

    async def _update_of(
        self, index_key: str, announced: Unsent | None, due: bool
    ) -> pb.LobbyUpdate | None:
        """Return how the caller sees a match now, ``None`` if there is nothing to say.

        When a match changes is as hidden from delayed spectators as how it does: what is
        *announced* of theirs is looked at later, and what is *due* now.
        """
        match_id = match_of(index_key)
        match = await seen_in_list(self._spectators, self._call.identity, index_key)
        if match is not None and match.as_of and match.origin.spectators.delay_ms:
            if announced is not None:
                later = match.origin.spectators.delay_ms + MARGIN_MS
                self._update_later(index_key, announced, later)
            if not due:
                return None
        if match is not None and self._wanted.lets_through(match):
            self._shown.add(match_id)
            return pb.LobbyUpdate(match=self._writer.match(match, self._language))
        if match is not None or match_id in self._shown:
            self._shown.discard(match_id)
            return pb.LobbyUpdate(gone_match_id=match_id)
        return None

    def _update_later(self, index_key: str, announced: Unsent, ms: int) -> None:
        def fall_due() -> None:
            self._due[index_key] = min(self._timers.pop(timer), self._due.get(index_key, announced))
            self._news.set()

        timer = asyncio.get_running_loop().call_later(ms / 1000, fall_due)
        self._timers[timer] = announced
