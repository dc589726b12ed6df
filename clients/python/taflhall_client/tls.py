"""TLS to a server, and why it fails if it does."""

from __future__ import annotations

import asyncio
import socket
import ssl
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc

from taflhall_client.addresses import endpoint
from taflhall_client.errors import TlsFailed

PROBE_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class TLS:
    """How to speak TLS; without anything, as a browser does.

    *ca*: whom to trust (PEM), instead of the authorities that gRPC knows. *cert* and *key*:
    our own certificate chain and its key (PEM), for servers that want one.
    """

    ca: Path | str | None = None
    cert: Path | str | None = None
    key: Path | str | None = None

    def credentials(self) -> grpc.ChannelCredentials:
        """Return the credentials of a channel; raise :exc:`OSError` if a file cannot be read."""
        if (self.cert is None) != (self.key is None):
            raise ValueError("a certificate needs its key, and a key its certificate")
        ca, cert, key = (_read(path) for path in (self.ca, self.cert, self.key))
        return grpc.ssl_channel_credentials(ca, key, cert)


def _read(path: Path | str | None) -> bytes | None:
    return None if path is None else Path(path).read_bytes()


async def why_closed(address: str, secure: bool, details: str) -> TlsFailed | None:
    """Return the TLS fault of a failed connection, if TLS is the cause.

    *secure* says whether it was tried with TLS; *details* is gRPC's message.
    """
    if "last error" not in details:
        return None  # there was a connection
    if secure:
        for sign, text in _SIGNS.items():
            if sign in details:
                return TlsFailed(text)
    if "Socket closed" not in details and "reset" not in details:
        return None
    found = await _probe(address)
    if not secure and found:
        return TlsFailed("the server speaks TLS only: connect with TLS")
    if secure and found == "CLOSED":
        return TlsFailed("the server wants a certificate of this client, signed by its authority")
    return None


_SIGNS: Final = {
    "CERTIFICATE_VERIFY_FAILED": "the server's certificate is signed by nobody whom this client "
    "trusts, or it has expired",
    "Hostname Verification": "the server's certificate is for another host name",
    "WRONG_VERSION_NUMBER": "the server does not speak TLS: connect without",
}


async def _probe(address: str) -> str:
    """Return a server's TLS behaviour: ``OK``, ``CLOSED`` if it requires a client certificate, an
    error, or nothing if it does not speak TLS.
    """
    where = endpoint(address)
    return "" if where is None else await asyncio.to_thread(_greet, *where)


def _greet(host: str, port: int) -> str:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # nothing is sent: it is only asked whether it is TLS
    context.set_alpn_protocols(["h2"])
    try:
        raw = socket.create_connection((host, port), PROBE_SECONDS)
        with raw, context.wrap_socket(raw, server_hostname=host) as link, suppress(TimeoutError):
            if not link.recv(1):  # a server that accepts the handshake speaks first
                return "CLOSED"
    except ssl.SSLError as error:
        reason = (error.reason or "").upper()
        if "WRONG_VERSION" in reason or "RECORD_LAYER" in reason:
            return ""
        return "CLOSED" if "ALERT" in reason or "EOF" in reason else reason
    except OSError as error:
        return "CLOSED" if isinstance(error, ConnectionResetError) else ""
    return "OK"
