"""A channel to a server, with the retries that the contract asks of every client."""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Callable
from importlib.resources import files
from typing import Any, Final, Protocol

import grpc

from taflhall_client import errors
from taflhall_client.addresses import is_loopback, target_of
from taflhall_client.backoff import Timing
from taflhall_engine.kernel.game import Game

SERVICE_CONFIG: Final = (files("taflhall_client") / "service_config.json").read_text("utf-8")
"""The gRPC service config: stock clients in any language can use it as it is."""

MAX_MESSAGE: Final = 16 * 1024 * 1024
"""Bytes of a message that this client accepts."""

OPTIONS: Final = [
    ("grpc.service_config", SERVICE_CONFIG),
    ("grpc.enable_retries", 1),
    ("grpc.max_receive_message_length", MAX_MESSAGE),
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.min_reconnect_backoff_ms", 5_000),
    ("grpc.max_reconnect_backoff_ms", 5_000),
    ("grpc.primary_user_agent", "taflhall-python"),
]


def connect(address: str, credentials: grpc.ChannelCredentials | None = None) -> grpc.aio.Channel:
    """Return a channel to *address* (see :mod:`taflhall_client.addresses`).

    Without *credentials* it is in the clear. An address of this machine is never reached through a
    proxy of the environment. Raise :exc:`~taflhall_client.errors.ForkedProcess` where gRPC cannot
    work, and :exc:`~taflhall_client.errors.InvalidAddress` for what is not an address.
    """
    _FORK.check()
    target = target_of(address)
    options = [*OPTIONS, ("grpc.enable_http_proxy", 0)] if is_loopback(address) else OPTIONS
    if credentials is None:
        return grpc.aio.insecure_channel(target, options=options)
    return grpc.aio.secure_channel(target, credentials, options=options)


class _ForkGuard:
    """Remembers the process that first used gRPC: it does not survive a fork."""

    def __init__(self) -> None:
        self._owner: int | None = None

    def check(self) -> None:
        """Raise :exc:`~taflhall_client.errors.ForkedProcess` in a child of that process."""
        if self._owner is None:
            self._owner = os.getpid()
        elif self._owner != os.getpid():
            raise errors.ForkedProcess(
                "this process was forked from one that had used a client, and gRPC does not "
                "survive a fork: start it with the method 'spawn' or 'forkserver' of "
                "multiprocessing, or fork before the first client is made"
            )


_FORK: Final = _ForkGuard()


def check_process() -> None:
    """Raise :exc:`~taflhall_client.errors.ForkedProcess` if gRPC would hang in this process."""
    _FORK.check()


class Transport(Protocol):
    """How a hosted match reaches its server; :class:`taflhall_client.async_client.Client` is one.

    *secret* proves a seat; without it the client's own key does.
    """

    game: Callable[[str], Game]
    """Return the engine's game of an id."""

    @property
    def timing(self) -> Timing:
        """How long single steps take."""
        ...

    @property
    def silence(self) -> float:
        """For how many seconds a stream may be silent: fewer before a server has answered."""
        ...

    def notice(self) -> None:
        """Remember that a server has answered."""
        ...

    def patience_for(self, seconds: float) -> float:
        """Return how long to wait for a server: *seconds*, but less before one has answered."""
        ...

    @property
    def key(self) -> str | None:
        """The API key of the client's account."""
        ...

    @property
    def lobby_stub(self) -> Any:
        """The stub of ``LobbyService``."""
        ...

    @property
    def match_stub(self) -> Any:
        """The stub of ``MatchService``."""
        ...

    async def call(self, method: Any, request: Any, secret: str | None = None) -> Any:
        """Make one call; repeat it while its outcome is unknown."""
        ...

    def open(self, method: Any, *request: Any, secret: str | None = None) -> Any:
        """Open a stream; the caller cancels it."""
        ...

    async def failure(self, error: grpc.aio.AioRpcError) -> errors.TaflhallError:
        """Return the client's error for a call that failed with *error*."""
        ...

    async def explained(self, failure: errors.TaflhallError) -> errors.TaflhallError:
        """Return *failure* with a sentence that says why no server can be reached."""
        ...


def metadata(secret: str | None) -> list[tuple[str, str]]:
    """Return the metadata that proves *secret*, and lets the server continue a current trace.

    Raise ``SecretInvalid`` if the secret cannot be sent.
    """
    if secret is None:
        return _trace_context()
    if not (secret.isascii() and secret.isprintable()):
        raise errors.SecretInvalid("a secret has plain letters and digits only")
    return [("authorization", f"Bearer {secret}"), *_trace_context()]


def _trace_context() -> list[tuple[str, str]]:
    """Return the current span of OpenTelemetry as headers, ``traceparent`` for one.

    A program that has not imported OpenTelemetry has no current span.
    """
    if "opentelemetry.trace" not in sys.modules:
        return []
    from opentelemetry import propagate

    headers: dict[str, str] = {}
    propagate.inject(headers)
    return list(headers.items())


def new_request_id() -> str:
    """Return a fresh request id."""
    return uuid.uuid4().hex
