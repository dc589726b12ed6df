"""WatchLobby: the matches that a filter lets through, as they change.

An announcement only says that a match is to be looked at. Those of one match that come while the
watcher is behind count as one, so what waits for it is bounded by the number of matches.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

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
        self._position = ""
        self._waiting: dict[str, None] = {}
        """The marks of matches that were announced and are to be looked at, in order."""
        self._due: dict[str, None] = {}
        """Those of delayed matches, a change of which may be seen now."""
        self._timers: set[asyncio.TimerHandle] = set()
        self._shown: set[str] = set()
        """Matches that the watcher has been sent."""
        self._lost = False
        self._news = asyncio.Event()

    async def run(self) -> None:
        """Send what is new until the caller closes the stream."""
        matches, hub = self._matches, self._matches.hub
        key = matches.server_key
        resumed = read_page_token(key, self._token, _LISTING) if self._token else ""
        self._position = await matches.announcements.listen(self._hear)
        draining = asyncio.create_task(hub.drained.wait())
        draining.add_done_callback(lambda _: self._news.set())
        try:
            if resumed:
                await self._catch_up(resumed)
            updates: list[pb.LobbyUpdate] = []
            while not hub.draining:
                token = page_token(key, self._position, _LISTING)
                message = pb.WatchLobbyResponse(updates=updates, resume_token=token)
                await self._call.write(message.SerializeToString())
                updates = await self._next()
            raise Draining
        finally:
            matches.announcements.ignore(self._hear)
            draining.cancel()
            for timer in self._timers:
                timer.cancel()

    async def _catch_up(self, position: str) -> None:
        """Take what was announced after *position*."""
        while True:
            found = await self._matches.store.announcements(position, PAGE)
            if found is None:
                self._hear(None)
                return
            if not found:
                return
            position = found[-1].position
            self._hear([read_announcement(*each) for each in found])

    def _hear(self, news: Sequence[Announcement] | None) -> None:
        if news is None:
            self._lost = True
        else:
            self._waiting.update(dict.fromkeys(each.mark for each in news))
            self._position = news[-1].position
        self._news.set()

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
        for mark in due | waiting:
            update = await self._look(mark, mark in waiting, mark in due)
            if update is not None:
                updates.append(update)
        return updates

    async def _look(self, mark: str, announced: bool, due: bool) -> pb.LobbyUpdate | None:
        """Return how the caller sees a match now, ``None`` if there is nothing to say.

        When a match changes is as hidden from delayed spectators as how it does: what is
        *announced* of theirs is looked at later, and what is *due* now.
        """
        match_id = match_of(mark)
        match = await seen_in_list(self._spectators, self._call.identity, mark)
        if match is not None and match.as_of and match.origin.spectators.delay_ms:
            if announced:
                self._look_later(mark, match.origin.spectators.delay_ms + MARGIN_MS)
            if not due:
                return None
        if match is not None and self._wanted.lets_through(match):
            self._shown.add(match_id)
            return pb.LobbyUpdate(match=self._writer.match(match, self._language))
        if match is not None or match_id in self._shown:
            self._shown.discard(match_id)
            return pb.LobbyUpdate(gone_match_id=match_id)
        return None

    def _look_later(self, mark: str, ms: int) -> None:
        def look() -> None:
            self._timers.discard(timer)
            self._due[mark] = None
            self._news.set()

        timer = asyncio.get_running_loop().call_later(ms / 1000, look)
        self._timers.add(timer)
