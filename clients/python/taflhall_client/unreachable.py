"""Why no server can be reached, in one plain sentence."""

from __future__ import annotations

import asyncio
import socket
from typing import Final

from taflhall_client.addresses import endpoint
from taflhall_client.errors import TaflhallError, TimedOut, Unreachable
from taflhall_client.tls import why_closed

_NO_SERVER: Final = ("no server listens at {address}", "auf {address} antwortet kein Server")
_NO_HOST: Final = (
    "the host name in {address} is unknown",
    "der Rechnername in {address} ist unbekannt",
)
_NO_GRPC: Final = (
    "{address} does not speak gRPC: is it the right port?",
    "{address} spricht kein gRPC: ist es der richtige Port?",
)
_MUTE: Final = (
    "{address} accepts connections but does not answer: is it the right port?",
    "{address} nimmt Verbindungen an, antwortet aber nicht: ist es der richtige Port?",
)
_SILENT: Final = ("{address} does not answer", "{address} antwortet nicht")
_PROXY: Final = (
    "the HTTP proxy of this environment does not connect to {address}: no_proxy goes past it",
    "der HTTP-Proxy dieser Umgebung verbindet nicht mit {address}: no_proxy umgeht ihn",
)

_SIGNS: Final = {
    "http1.x": _NO_GRPC,
    "Failed parsing HTTP/2": _NO_GRPC,
    "HTTP proxy returned": _PROXY,
    "resolving": _NO_HOST,
    "resolution failed": _NO_HOST,
    "refused": _NO_SERVER,
    "failed to connect": _SILENT,
}
"""By a phrase of gRPC's message: the sentence in English and German."""

PROBE_SECONDS: Final = 1.0


async def explain(
    address: str, secure: bool, failure: TaflhallError, *, reached: bool = True
) -> TaflhallError:
    """Return *failure* with a sentence that says why *address* cannot be reached.

    *secure* says whether TLS was tried, *reached* whether the server has answered before. A
    failure with another cause is returned as it is.
    """
    if not isinstance(failure, Unreachable) and (reached or not isinstance(failure, TimedOut)):
        return failure
    tls = await why_closed(address, secure, failure.message)
    if tls is not None:
        return tls
    found = next((text for sign, text in _SIGNS.items() if sign in failure.message), None)
    if found is None and not reached:
        found = await asyncio.to_thread(_probe, address) or _SILENT
    return failure if found is None else _with_text(failure, address, found, reached=reached)


def _with_text(
    failure: Unreachable | TimedOut, address: str, text: tuple[str, str], *, reached: bool
) -> Unreachable:
    addresses = ", ".join(part.strip() for part in address.split(","))
    metadata = {"details": failure.message} | ({} if reached else {"addresses": addresses})
    return Unreachable(
        text[0].format(address=addresses),
        message_de=text[1].format(address=addresses),
        reason="UNAVAILABLE",
        metadata=metadata,
        retry_after=failure.retry_after,
    )


def _probe(address: str) -> tuple[str, str] | None:
    """Return what keeps *address* from answering; ``None`` if it cannot be tried."""
    where = endpoint(address)
    if where is None:
        return None
    try:
        socket.create_connection(where, PROBE_SECONDS).close()
    except socket.gaierror:
        return _NO_HOST
    except ConnectionRefusedError:
        return _NO_SERVER
    except OSError:
        return _SILENT
    return _MUTE
