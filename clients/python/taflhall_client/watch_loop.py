"""The loop behind :meth:`taflhall_client.async_client.Match.watch`: a watch that reconnects."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, Final

from taflhall.v1 import match_service_pb2 as rpc
from taflhall_client import errors
from taflhall_client.channel import Transport
from taflhall_client.messages import MessageDecoder
from taflhall_client.results import Status, Update
from taflhall_client.resuming import updates

OVER: Final = (rpc.STREAM_END_CAUSE_FINISHED, rpc.STREAM_END_CAUSE_ABANDONED)
"""Why a stream ends that is not to be opened again: so does the match."""


def watch(
    transport: Transport,
    decoder_of: Callable[[], Awaitable[MessageDecoder]],
    request: rpc.WatchMatchRequest,
    secret: str | None,
    patience: float,
) -> AsyncGenerator[Update, None]:
    """Yield the updates that *request* asks for until the match is over.

    Each change comes once: one that is repeated is dropped, and where one is missing the stream
    is opened again.
    """
    return updates(transport, _MatchSource(transport, decoder_of, request, secret), patience)


class _MatchSource:
    def __init__(
        self,
        transport: Transport,
        decoder_of: Callable[[], Awaitable[MessageDecoder]],
        request: rpc.WatchMatchRequest,
        secret: str | None,
    ) -> None:
        self.over = False
        self._transport = transport
        self._decoder_of = decoder_of
        self._request = request
        self._secret = secret
        self._at: int | None = None
        self._status = Status.UNKNOWN

    async def open(self) -> Any:
        self._decoder = await self._decoder_of()
        method = self._transport.match_stub.WatchMatch
        return self._transport.open(method, self._request, secret=self._secret)

    def take(self, message: rpc.WatchMatchResponse) -> list[Update]:
        kind = message.WhichOneof("update")
        if kind == "change" and self._at is not None and message.revision != self._at + 1:
            if message.revision <= self._at:
                return []
            raise errors.Unreachable(f"the stream skipped revision {self._at + 1}")
        if kind in ("snapshot", "change"):
            self._at = message.revision
        self._request.resume_token = message.resume_token or self._request.resume_token
        if kind == "end":
            return [self._last(message)]
        decoder = self._decoder
        update = decoder.update(message) or decoder.live_update(message, self._status)
        if update is None:
            return []
        self._status = update.status
        return [update]

    def _last(self, message: rpc.WatchMatchResponse) -> Update:
        """Return the update with which the match is over, or raise why the stream has ended."""
        end = message.end
        if end.cause == rpc.STREAM_END_CAUSE_REPLACED:
            raise errors.Replaced("another caller holds this seat now")
        if end.cause not in OVER:
            raise errors.Draining("the server closed the stream")
        self.over = True
        info = self._decoder.match(end.match)
        return Update(message.revision, [], [], None, info.status, message.resume_token, match=info)
