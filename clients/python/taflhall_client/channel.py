"""A channel to a hall, with the retries that the contract asks of every client."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

import grpc

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
    ("grpc.max_reconnect_backoff_ms", 5_000),
    ("grpc.primary_user_agent", "taflhall-python"),
]


def connect(address: str, credentials: grpc.ChannelCredentials | None = None) -> grpc.aio.Channel:
    """Return a channel to *address* (``host:port``), in the clear without *credentials*."""
    if credentials is None:
        return grpc.aio.insecure_channel(address, options=OPTIONS)
    return grpc.aio.secure_channel(address, credentials, options=OPTIONS)
