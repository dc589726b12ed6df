"""Announcements: which matches have opened, filled, started or ended, on any server.

Each change of what lists show of a match is announced in the store. A server reads on in them
while it has listeners, and nothing otherwise. An announcement names the match
and the accounts it concerns, not what has changed: interested listeners read the match.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

import structlog

from taflhall_service.app.errors import Refused
from taflhall_service.app.ports.match_store import MatchStore

LOOK_SECONDS: Final = 0.1
"""From one read of announcements to the next, while there are listeners."""

PAGE: Final = 500
"""Announcements that are read at once."""

_log = structlog.get_logger("announcements")


class Announcement(NamedTuple):
    """A match that lists show differently now."""

    id: str
    """Its place among all announcements."""
    index_key: str
    """The key of the match in indexes."""
    accounts: frozenset[str]
    """The accounts that sit, or sat, in it, are invited to it, or created it."""


def announcement_text(index_key: str, accounts: Sequence[str]) -> bytes:
    """Return an announcement as it is stored."""
    return " ".join((index_key, *accounts)).encode()


def read_announcement(announcement_id: str, text: bytes) -> Announcement:
    """Return the announcement that is stored as *text*."""
    index_key, *accounts = text.decode("ascii", "replace").split() or [""]
    return Announcement(announcement_id, index_key, frozenset(accounts))


AnnouncementListener = Callable[[Sequence[Announcement] | None], None]
"""Called with new announcements, oldest first; ``None``: some have been lost."""


Spawn = Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]
"""Runs work in the background until the server stops."""


class Announcements:
    """Reads the announcements of all servers for the listeners of this one."""

    def __init__(self, store: MatchStore, spawn: Spawn, look_seconds: float = LOOK_SECONDS) -> None:
        self._store = store
        self._spawn = spawn
        self._look_seconds = look_seconds
        self._listeners: list[AnnouncementListener] = []
        self._last_id = ""
        self._reader: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()

    async def listen(self, listener: AnnouncementListener) -> str:
        """Call *listener* with what is announced after the one whose id is returned."""
        if not self._listeners:
            self._last_id = await self._store.last_announcement()
        self._listeners.append(listener)
        if self._reader is None:
            self._reader = self._spawn(self._read_always())
        return self._last_id

    def ignore(self, listener: AnnouncementListener) -> None:
        """Call *listener* no longer."""
        with suppress(ValueError):
            self._listeners.remove(listener)
        if not self._listeners and self._reader is not None:
            self._reader.cancel()
            self._reader = None

    def look(self) -> None:
        """Read at once: something has been announced by this server."""
        self._wanted.set()

    async def _read_always(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._look_seconds):
                    await self._wanted.wait()
            self._wanted.clear()
            try:
                await self._read()
            except Refused as refused:
                _log.warning("announcements_unread", why=type(refused).__name__)

    async def _read(self) -> None:
        while True:
            found = await self._store.announcements(self._last_id, PAGE)
            if found is None:
                self._last_id = await self._store.last_announcement()
                self._notify(None)
                return
            if not found:
                return
            self._last_id = found[-1].id
            self._notify([read_announcement(*each) for each in found])

    def _notify(self, news: Sequence[Announcement] | None) -> None:
        for listener in list(self._listeners):
            listener(news)
