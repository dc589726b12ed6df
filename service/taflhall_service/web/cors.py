"""Which pages may call: the answers to browsers that ask for another origin (CORS)."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from taflhall_service.rpc.call import DETAILS, PUSHBACK
from taflhall_service.web.asgi import EncodedHeaders

ALLOWED_HEADERS: Final = (
    "authorization",
    "connect-protocol-version",
    "connect-timeout-ms",
    "content-type",
    "grpc-timeout",
    "x-grpc-web",
    "x-user-agent",
)
EXPOSED_HEADERS: Final = (
    "grpc-message",
    "grpc-status",
    DETAILS,
    PUSHBACK,
    "retry-after",
    f"trailer-{PUSHBACK}",
)
DAY_SECONDS: Final = 86_400


class Origins:
    """The origins whose pages may call; without any, only pages from the same host and port."""

    def __init__(self, listed: str = "") -> None:
        self._listed = frozenset(filter(None, (part.strip() for part in listed.split(","))))

    def allow(self, headers: dict[str, str]) -> bool:
        """Return whether the page that a request comes from may call; other programs may."""
        origin = headers.get("origin")
        if origin is None or "*" in self._listed or origin in self._listed:
            return True
        return urlsplit(origin).netloc == headers.get("host")

    def response_headers(self, headers: dict[str, str]) -> EncodedHeaders:
        """Return what lets the page of another origin read a response."""
        origin = headers.get("origin")
        if origin is None:
            return ()
        if "*" in self._listed:
            return ((b"access-control-allow-origin", b"*"), _EXPOSED)
        if origin not in self._listed:
            return ()
        return (
            (b"access-control-allow-origin", origin.encode("latin-1")),
            (b"vary", b"origin"),
            _EXPOSED,
        )


PREFLIGHT: Final = (
    ("access-control-allow-methods", "GET, POST"),
    ("access-control-allow-headers", ", ".join(ALLOWED_HEADERS)),
    ("access-control-max-age", str(DAY_SECONDS)),
)
"""Headers of a preflight response in addition to those of every response."""

_EXPOSED: Final = (b"access-control-expose-headers", ", ".join(EXPOSED_HEADERS).encode())
