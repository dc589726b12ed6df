"""The Connect protocol: unary calls by POST and GET, and streams of responses."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from binascii import Error as Base64Error
from math import ceil
from typing import Any, Final
from urllib.parse import parse_qs

from taflhall_service.rpc.call import DETAILS
from taflhall_service.web.asgi import Exchange, Headers
from taflhall_service.web.call import WebCall
from taflhall_service.web.codecs import CODECS, Codec
from taflhall_service.web.envelopes import END_STREAM, envelope, only_message
from taflhall_service.web.methods import WebMethod
from taflhall_service.web.status import (
    CallEnded,
    json_bytes,
    malformed,
    metadata_text,
    unimplemented,
)

_TIMEOUT: Final = re.compile("[0-9]{1,10}")


async def unary(
    method: WebMethod, exchange: Exchange, codec: Codec, limit: int
) -> CallEnded | None:
    """Serve a unary call by POST, and return how it ended: unset for the status OK."""
    try:
        if exchange.headers.get("content-encoding", "identity") != "identity":
            unimplemented("requests are sent uncompressed")
        await _respond(method, exchange, codec, await exchange.body(limit))
    except CallEnded as ended:
        await refuse(exchange, ended)
        return ended
    return None


async def get(method: WebMethod, exchange: Exchange, limit: int) -> CallEnded | None:
    """Serve a unary call without side effects by GET: the request is in the query."""
    try:
        codec, message = _in_query(exchange.query)
        await exchange.body(limit)
        await _respond(method, exchange, codec, message)
    except CallEnded as ended:
        await refuse(exchange, ended)
        return ended
    return None


def _in_query(query: bytes) -> tuple[Codec, bytes]:
    found = parse_qs(query.decode("latin-1"), keep_blank_values=True, encoding="latin-1")
    given = {name: values[-1] for name, values in found.items()}
    codec = CODECS.get(given.get("encoding", ""))
    if codec is None:
        malformed("encoding is json or proto")
    if given.get("connect", "v1") != "v1":
        malformed("connect is v1")
    if given.get("compression", "identity") != "identity":
        unimplemented("requests are sent uncompressed")
    message = given.get("message", "").encode("latin-1")
    if given.get("base64") == "1":
        try:
            message = urlsafe_b64decode(message + b"=" * (-len(message) % 4))
        except Base64Error:
            malformed("message is not base64")
    return codec, message


async def _respond(method: WebMethod, exchange: Exchange, codec: Codec, message: bytes) -> None:
    call = WebCall(exchange.headers.items(), exchange.peer)
    request, timeout = codec.request(message), timeout_of(exchange)
    response = await call.run(method, request, exchange.disconnected(), timeout)
    headers = [("content-type", f"application/{codec.name}"), ("cache-control", "no-store")]
    await exchange.respond(200, headers, await codec.response(method.answers, response))


async def stream(
    method: WebMethod, exchange: Exchange, codec: Codec, limit: int
) -> CallEnded | None:
    """Serve a call with a stream of responses; its end is an envelope of its own."""
    headers = [("content-type", f"application/connect+{codec.name}")]

    async def write(response: bytes) -> None:
        await exchange.write(envelope(0, await codec.response(method.answers, response)))

    call = WebCall(exchange.headers.items(), exchange.peer, write)
    ended: CallEnded | None = None
    try:
        if exchange.headers.get("connect-content-encoding", "identity") != "identity":
            unimplemented("requests are sent uncompressed")
        timeout = timeout_of(exchange)
        request = codec.request(only_message(await exchange.body(limit)))
        await exchange.start(200, headers)
        await call.run(method, request, exchange.disconnected(), timeout)
    except CallEnded as end:
        ended = end
    if not exchange.started:
        await exchange.start(200, headers)
    end_of_stream = envelope(END_STREAM, json_bytes(stream_end(ended)))
    await exchange.finish(end_of_stream)
    return ended


async def refuse(
    exchange: Exchange, ended: CallEnded, status: int = 0, headers: Headers = ()
) -> None:
    """Answer with an error in JSON; *status* stands in for the HTTP status of its code."""
    found = [
        ("content-type", "application/json"),
        *((f"trailer-{name}", value) for name, value in _trailers(ended)),
        *headers,
    ]
    if ended.pause_ms:
        found.append(("retry-after", str(ceil(ended.pause_ms / 1000))))
    await exchange.respond(status or ended.http_status, found, json_bytes(ended.error()))


def stream_end(ended: CallEnded | None) -> dict[str, Any]:
    """Return Connect's EndStreamResponse; *ended* is unset for the status OK."""
    if ended is None:
        return {}
    metadata = {name: [value] for name, value in _trailers(ended)}
    return {"error": ended.error()} | ({"metadata": metadata} if metadata else {})


def timeout_of(exchange: Exchange) -> float | None:
    """Return how many seconds the client waits."""
    text = exchange.headers.get("connect-timeout-ms")
    if text is None:
        return None
    if not _TIMEOUT.fullmatch(text):
        malformed("connect-timeout-ms is a number of at most ten digits")
    return int(text) / 1000


def _trailers(ended: CallEnded) -> list[tuple[str, str]]:
    """Return the trailers of a call but for the details of its error, which are in the error."""
    return [(name, metadata_text(value)) for name, value in ended.trailers if name != DETAILS]
