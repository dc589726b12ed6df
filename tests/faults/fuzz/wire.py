"""Fuzzing over a real socket, of a real process: calls, streams, metadata, and bare bytes.

The server must be the same process afterwards, must answer, and must have logged no fault.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from contextlib import suppress
from typing import Any, Final

import grpc
from google.protobuf.message import Message

from taflhall.v1 import match_service_pb2 as pb
from taflhall_client.ports import HOST
from tests.faults.control.rig import Rig
from tests.faults.fuzz.messages import Maker
from tests.faults.fuzz.pool import Pool
from tests.faults.fuzz.volume import FORBIDDEN, judge, metadata_for, spoilt, unary_methods
from tests.faults.inside import Answer, reason_in
from tests.faults.scenarios.verdict import Verdict

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS: Final = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
SOCKETS: Final = 16
"""One bare connection for that many calls."""

WATCH: Final = "/taflhall.v1.MatchService/WatchMatch"
PLAY: Final = "/taflhall.v1.MatchService/Play"
AT_ONCE: Final = 16


class Outside:
    """Calls methods through a channel."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._channel = channel

    async def call(
        self, method: str, data: bytes, metadata: tuple[tuple[str, Any], ...] = ()
    ) -> Answer:
        send: Any = self._channel.unary_unary(method)
        try:
            body = await send(data, metadata=metadata, timeout=10)
        except grpc.aio.AioRpcError as error:
            return _answer(error)
        return Answer(grpc.StatusCode.OK, "", b"", body)

    async def stream(
        self, method: str, data: bytes, metadata: tuple[tuple[str, Any], ...]
    ) -> Answer:
        """Send *data* to a streaming method and return how it answered at first."""
        kind: Any = self._channel.unary_stream if method == WATCH else self._channel.stream_stream
        call = kind(method)(data if method == WATCH else _one(data), metadata=metadata, timeout=10)
        try:
            body = await call.read()
            return Answer(grpc.StatusCode.OK, "", b"", b"" if body is grpc.aio.EOF else body)
        except grpc.aio.AioRpcError as error:
            return _answer(error)
        finally:
            call.cancel()


async def _one(data: bytes) -> Any:
    yield data


def _answer(error: grpc.aio.AioRpcError) -> Answer:
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            return Answer(error.code(), reason_in(value), value, b"")
    return Answer(error.code(), "", b"", b"")


async def wire(messages: int, seed: int = 0, seconds: float = 1e9) -> Verdict:
    """Send *messages* messages, or as many as fit into *seconds*."""
    verdict, maker = Verdict(), Maker(seed)
    end = time.monotonic() + seconds
    async with Rig(1) as rig:
        server = rig.servers[0]
        assert server.child is not None
        async with grpc.aio.insecure_channel(server.address) as channel:
            outside = Outside(channel)
            pool = await Pool.filled(outside, maker, ("yggdrasil",))
            methods: dict[str, type[Message]] = unary_methods()
            methods |= {WATCH: pb.WatchMatchRequest, PLAY: pb.PlayRequest}
            for sent in range(0, messages, AT_ONCE):
                if time.monotonic() > end:
                    break
                if sent % (AT_ONCE * SOCKETS) == 0:
                    await _bare(server.port, maker)
                    await pool.refresh()
                await asyncio.gather(
                    *[_one_message(verdict, outside, pool, maker, methods) for _ in range(AT_ONCE)]
                )
                verdict.figures["fuzzed messages over a socket"] += AT_ONCE
        if await server.child.ended(0):
            verdict.blame("G14 fuzz", f"the server ended with {server.child.status}")
        elif await server.health() is None:
            verdict.blame("G14 fuzz", "the server answers no more")
        lines = rig.logs().splitlines()
        for line in lines:
            if '"fault"' in line or line.startswith("Traceback"):
                verdict.blame("G14 fuzz", line)
    return verdict


async def _one_message(
    verdict: Verdict, outside: Outside, pool: Pool, maker: Maker, methods: dict[str, type[Message]]
) -> None:
    path = maker.rng.choice(list(methods))
    data = spoilt(maker, pool, path, methods[path])
    metadata = _sendable(metadata_for(maker, pool, data))
    if path not in (WATCH, PLAY):
        answer = await outside.call(path, data, metadata)
        judge(verdict, path, methods[path], data, answer)
        return
    answer = await outside.stream(path, data, metadata)
    if answer.code in FORBIDDEN:
        verdict.blame("G14 fuzz", f"{path} {data[:200].hex()} gave {answer.code.name}")


def _sendable(metadata: tuple[tuple[str, Any], ...]) -> tuple[tuple[str, Any], ...]:
    """Return what of *metadata* a client can send at all."""
    found: Counter[str] = Counter()
    kept = []
    for name, value in metadata:
        if name.endswith("-bin"):
            value = value if isinstance(value, bytes) else value.encode()  # noqa: PLW2901
        elif isinstance(value, bytes) or not value.isascii() or not value.isprintable():
            continue
        if name == "grpc-timeout" or found[name]:
            continue
        found[name] += 1
        kept.append((name, value))
    return tuple(kept)


async def _bare(port: int, maker: Maker) -> None:
    """Open a connection and send invalid HTTP/2."""
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(2):
            _, writer = await asyncio.open_connection(HOST, port)
            frame = bytes([0, 0, maker.rng.randrange(256), maker.rng.randrange(12)])
            noise = frame + maker.rng.randbytes(maker.rng.choice((5, 50, 500)))
            start = maker.rng.choice((b"", PREFACE, PREFACE + SETTINGS))
            writer.write(start + noise)
            await writer.drain()
            writer.close()
