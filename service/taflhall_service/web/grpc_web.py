"""The gRPC-Web protocol: responses and trailers are envelopes of the body."""

from __future__ import annotations

import re
from typing import Final

from taflhall_service.web.asgi import Exchange
from taflhall_service.web.call import WebCall
from taflhall_service.web.codecs import Codec
from taflhall_service.web.envelopes import TRAILERS, envelope, only_message
from taflhall_service.web.methods import WebMethod
from taflhall_service.web.status import CallEnded, grpc_trailers, malformed, unimplemented

_TIMEOUT: Final = re.compile("([0-9]{1,8})([HMSmun])")
_SECONDS: Final = {"H": 3600.0, "M": 60.0, "S": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9}


async def serve(
    method: WebMethod, exchange: Exchange, codec: Codec, limit: int
) -> CallEnded | None:
    """Serve a unary call or a stream, and return how it ended: unset for the status OK."""

    async def write(response: bytes) -> None:
        await exchange.write(envelope(0, await codec.response(method.answers, response)))

    call = WebCall(exchange.headers.items(), exchange.peer, write)
    headers = [("content-type", f"application/grpc-web+{codec.name}")]
    ended: CallEnded | None = None
    body = b""
    try:
        if exchange.headers.get("grpc-encoding", "identity") != "identity":
            unimplemented("requests are sent uncompressed")
        timeout = timeout_of(exchange)
        request = codec.request(only_message(await exchange.body(limit)))
        if method.server_streaming:
            await exchange.start(200, headers)
        response = await call.run(method, request, exchange.disconnected(), timeout)
        if not method.server_streaming:
            body = envelope(0, await codec.response(method.answers, response))
    except CallEnded as end:
        ended = end
    body += envelope(TRAILERS, grpc_trailers(ended))
    if exchange.started:
        await exchange.finish(body)
    else:
        await exchange.respond(200, headers, body)
    return ended


def timeout_of(exchange: Exchange) -> float | None:
    """Return how many seconds the client waits."""
    text = exchange.headers.get("grpc-timeout")
    if text is None:
        return None
    found = _TIMEOUT.fullmatch(text)
    if found is None:
        malformed("grpc-timeout is a number of at most eight digits and a unit")
    return int(found[1]) * _SECONDS[found[2]]
