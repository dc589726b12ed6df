"""Streams of a load, without a server."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import grpc

from taflhall.v1 import match_service_pb2 as pb
from taflhall_client.backoff import Timing
from taflhall_client.load.measures import RESUMED, Measures
from taflhall_client.load.watches import Stream
from tests.waiting import take


class _Call:
    """A stream that yields *message*, or ends."""

    def __init__(self, message: Any) -> None:
        self._message = message

    async def read(self) -> Any:
        return self._message

    def cancel(self) -> None:
        pass


async def test_a_cut_does_not_shorten_how_long_a_stream_was_broken_already():
    measures = Measures(begins=0.0)
    calls = [_Call(grpc.aio.EOF), _Call(pb.WatchMatchResponse())]
    stream = Stream(lambda request, metadata: calls.pop(0), "WatchMatch", str, measures)
    async with contextlib.aclosing(stream.messages()) as messages:
        resuming = asyncio.ensure_future(anext(messages))
        await take(Timing().first_pause / 2)  # the pause after the end is not over
        stream.cut()
        await resuming
    assert measures.take().milliseconds(RESUMED, 0) >= Timing().first_pause * 1000 * 0.99
