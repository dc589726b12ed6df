"""Change notifications: which matches may have changed, received on sharded channels.

A notification is only a wake-up: it may be lost, repeated or out of date. Its receiver reads
the store, and a poll makes up for lost ones. The same channels carry signals, which begin with a
letter and are kept nowhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import structlog

from taflhall_service.app.periodic import end_tasks
from taflhall_service.app.ports.match_store import NONCE_BITS, ChangeListener, SignalListener
from taflhall_service.store.redis.client import RedisClient

RECONNECT_SECONDS: Final = 0.5
"""Pause before listening again after the connection broke."""

NODE_SECONDS: Final = 0.05
"""How long to listen to one node of a cluster before turning to the next."""

_log = structlog.get_logger("store")


class ChangeNotifications:
    """Listens on the channels of the matches that are watched in this process."""

    def __init__(self, client: RedisClient, cluster: bool) -> None:
        self._pubsub = client.pubsub()
        self._cluster = cluster
        self._subscribed: set[str] = set()
        self._callback: ChangeListener = _ignore
        self._signalled: SignalListener = _ignore_signal
        self._reader: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()
        """Held by the task that uses the connection: two would read each other's replies."""
        self._wait: asyncio.Timeout | None = None
        """The reader's wait for a message; it ends when another task wants its turn."""
        self._broken = False
        """Some channel may not be subscribed: the reader makes up for that."""

    def on_change(self, hint: ChangeListener) -> None:
        self._callback = hint

    def on_signal(self, listener: SignalListener) -> None:
        self._signalled = listener

    async def listen(self, match_id: str) -> None:
        self._subscribed.add(match_id)
        if not self._broken:
            await self._try(self._pubsub.ssubscribe, match_id)
        if self._reader is None:
            self._reader = asyncio.create_task(self._read())

    async def ignore(self, match_id: str) -> None:
        self._subscribed.discard(match_id)
        if not self._broken:
            await self._try(self._pubsub.sunsubscribe, match_id)

    async def _try(self, change: Callable[..., Awaitable[None]], *match_ids: str) -> None:
        """Subscribe or unsubscribe; a notification is never worth a failed request."""
        if self._wait is not None:
            self._wait.reschedule(0)
            self._wait = None
        try:
            async with self._turn:
                await change(*[channel_of(match_id) for match_id in match_ids])
        except Exception as error:
            self._broken = True
            _log.warning("notifications_lost", kind=type(error).__name__)

    async def close(self) -> None:
        await end_tasks(self._reader)
        await self._pubsub.aclose()

    async def _read(self) -> None:
        while True:
            if self._broken and self._subscribed:
                self._broken = False
                await self._try(self._pubsub.ssubscribe, *self._subscribed)
            try:
                message = await self._next()
            except Exception as error:
                self._broken = True
                _log.warning("notifications_lost", kind=type(error).__name__)
                await asyncio.sleep(RECONNECT_SECONDS)
                continue
            if message is None:
                await asyncio.sleep(0)  # the library may not have waited
            elif message["type"] == "smessage":
                self._receive(message["channel"], message["data"])

    def _receive(self, channel: bytes, data: bytes) -> None:
        match_id = match_of(channel)
        if data[:1].isalpha():
            self._signalled(match_id, data)
            return
        with suppress(ValueError):  # not a message of this service
            revision, change_id = (int(part) for part in data.split())
            self._callback(match_id, revision, change_id >> NONCE_BITS)

    async def _next(self) -> Mapping[str, Any] | None:
        if not self._subscribed:
            await asyncio.sleep(NODE_SECONDS)  # a connection without a channel cannot be read
            return None
        async with self._turn:
            try:
                async with asyncio.timeout(None) as self._wait:
                    if self._cluster:
                        return await self._pubsub.get_sharded_message(timeout=NODE_SECONDS)
                    return await self._pubsub.get_message(timeout=RECONNECT_SECONDS)
            except TimeoutError:
                return None
            finally:
                self._wait = None


def _ignore(match_id: str, revision: int, changes: int) -> None:
    """Drop a notification."""


def _ignore_signal(match_id: str, text: bytes) -> None:
    """Drop a signal."""


def channel_of(match_id: str) -> str:
    return f"taflhall:{{{match_id}}}:n"


def match_of(channel: bytes) -> str:
    return channel[len(b"taflhall:{") : -len(b"}:n")].decode()
