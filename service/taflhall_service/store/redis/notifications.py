"""Hints: which matches may have changed, heard on sharded channels.

A hint is only a wake-up: it may be lost, come twice or say nothing new. Whoever gets it reads
the store; a poll heals what is lost.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import structlog

from taflhall_service.app.ports.match_store import Hint

PAUSE: Final = 0.5
"""Seconds before listening again after the connection broke."""

TURN: Final = 0.05
"""Seconds to listen to one node of a cluster before turning to the next."""

_log = structlog.get_logger("store")


class Hints:
    """Listens on the channels of the matches that somebody here watches."""

    def __init__(self, client: Any, cluster: bool) -> None:
        self._pubsub: Any = client.pubsub()
        self._cluster = cluster
        self._heard: set[str] = set()
        self._hint: Hint = _nobody
        self._reader: asyncio.Task[None] | None = None
        self._broken = False
        """Some channel may not be subscribed."""

    def on_hint(self, hint: Hint) -> None:
        self._hint = hint

    async def listen(self, match_id: str) -> None:
        self._heard.add(match_id)
        await self._tell(self._pubsub.ssubscribe, match_id)
        if self._reader is None:
            self._reader = asyncio.create_task(self._read())

    async def ignore(self, match_id: str) -> None:
        self._heard.discard(match_id)
        await self._tell(self._pubsub.sunsubscribe, match_id)

    async def _tell(self, subscribe: Any, *match_ids: str) -> None:
        """Subscribe, or no longer; what fails now is made good when the connection is back.

        The reader may be at the same connection, which is being closed or made anew: then the
        library raises whatever it stumbles over. A hint is never worth a failed call.
        """
        try:
            await subscribe(*[channel_of(match_id) for match_id in match_ids])
        except Exception as error:
            self._broken = True
            _log.warning("hints_lost", kind=type(error).__name__)

    async def close(self) -> None:
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
        await self._pubsub.aclose()

    async def _read(self) -> None:
        while True:
            try:
                message = await self._next()
            except Exception as error:
                self._broken = True
                _log.warning("hints_lost", kind=type(error).__name__)
                await asyncio.sleep(PAUSE)
                continue
            if self._broken and self._heard:
                self._broken = False
                await self._tell(self._pubsub.ssubscribe, *self._heard)
            if message is not None and message["type"] == "smessage":
                revision, _, changes = message["data"].partition(b" ")
                self._hint(match_of(message["channel"]), int(revision), int(changes))

    async def _next(self) -> Any:
        if not self._heard:
            await asyncio.sleep(TURN)  # without a channel the connection may not be read
            return None
        if self._cluster:
            message = await self._pubsub.get_sharded_message(timeout=TURN)
            if message is None:
                await asyncio.sleep(0)
            return message
        return await self._pubsub.get_message(timeout=PAUSE)


def _nobody(match_id: str, revision: int, changes: int) -> None:
    """Give a hint to nobody."""


def channel_of(match_id: str) -> str:
    return f"taflhall:{{{match_id}}}:n"


def match_of(channel: bytes) -> str:
    return channel[len(b"taflhall:{") : -len(b"}:n")].decode()
