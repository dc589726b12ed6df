"""Calls of a load: timed, repeated while the server asks for it, failures counted by reason."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Final
from uuid import uuid4

import grpc

from taflhall.v1.lobby_service_pb2_grpc import LobbyServiceStub
from taflhall.v1.match_service_pb2_grpc import MatchServiceStub
from taflhall_client import errors
from taflhall_client.addresses import target_of
from taflhall_client.backoff import Backoff
from taflhall_client.channel import OPTIONS, metadata
from taflhall_client.error_decoding import from_call
from taflhall_client.load.measures import Measures
from taflhall_client.resuming import TEMPORARY

STREAMS_PER_CHANNEL: Final = 80
"""A server with ``--public`` takes 100 calls at once from a connection."""
REOPENED_AFTER: Final = (*TEMPORARY, errors.TooManyStreams)
"""Failures after which a stream is opened again: the match is still there."""
_ATTEMPT_SECONDS: Final = 10.0


class Channels:
    """Connections to a server: as many as the streams of this process need."""

    def __init__(
        self, address: str, credentials: grpc.ChannelCredentials | None, streams: int
    ) -> None:
        # Each channel gets a connection of its own; gRPC would share one otherwise.
        options = [*OPTIONS, ("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0)]
        target = target_of(address)
        self._channels: Final = [
            grpc.aio.insecure_channel(target, options)
            if credentials is None
            else grpc.aio.secure_channel(target, credentials, options)
            for _ in range(1 + streams // STREAMS_PER_CHANNEL)
        ]
        self._taken = 0

    def next(self) -> grpc.aio.Channel:
        """Return a connection; all are used equally."""
        self._taken += 1
        return self._channels[self._taken % len(self._channels)]

    async def close(self) -> None:
        """Close all connections."""
        await asyncio.gather(*[channel.close() for channel in self._channels])


class Caller:
    """Somebody who calls over one of the connections; *key* is the API key of an account."""

    def __init__(
        self, channel: grpc.aio.Channel, measures: Measures, key: str | None = None
    ) -> None:
        self.matches: Final[Any] = MatchServiceStub(channel)
        self.lobby: Final[Any] = LobbyServiceStub(channel)
        self.measures: Final = measures
        self._key: Final = key

    async def call(self, method: Any, name: str, request: Any, secret: str | None = None) -> Any:
        """Return the reply to *request*; repeat it while its outcome is unknown.

        Each attempt that fails is counted; raise :exc:`~taflhall_client.errors.TaflhallError` for
        a refusal. Without a *secret* the caller's key proves who calls.
        """
        proof = metadata(secret or self._key)
        backoff = Backoff()
        while True:
            sent = time.perf_counter()
            try:
                reply = await method(request, timeout=_ATTEMPT_SECONDS, metadata=proof)
            except grpc.aio.AioRpcError as error:
                failure = from_call(error)
                self.measures.failed(name, failure.reason)
                if not isinstance(failure, errors.Uncertain | errors.RateLimited):
                    raise failure from None
                await asyncio.sleep(backoff.pause_for(failure))
            else:
                self.measures.record(name, time.perf_counter() - sent)
                return reply


def request_id() -> str:
    """Return a new request id."""
    return uuid4().hex
