"""A server that says what its script says, and remembers what it heard."""

import asyncio
from collections.abc import Callable
from typing import Any

import grpc
import pytest

from taflhall.v1 import match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as rpc
from taflhall.v1.match_service_pb2_grpc import (
    MatchServiceServicer,
    add_MatchServiceServicer_to_server,
)
from taflhall_client import async_client
from taflhall_client.backoff import Timing
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import options, waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_wire.translate import translator
from tests.waiting import take

GAME = registry.game("yggdrasil")
WIRE = translator(GAME)
UNAVAILABLE = grpc.StatusCode.UNAVAILABLE
RESIGNED = object()
"""A step of a play stream: wait until a seat has resigned."""


Servicer: Any = MatchServiceServicer


class Scripted(Servicer):  # type: ignore[misc]
    """Answers each call with the next entry of its script, and remembers every request.

    A call for which the script has nothing is refused, so that nobody tries for ever.
    """

    def __init__(self, *script: Any) -> None:
        self.script = list(script)
        self.heard: list[Any] = []
        self.open = 0
        self.resigned = asyncio.Event()

    async def GetMatch(self, request, context):
        return rpc.GetMatchResponse(match=info())

    async def SubmitAnswers(self, request, context):
        return await self._next(request, context)

    async def CreateMatch(self, request, context):
        return await self._next(request, context)

    async def ResignSeat(self, request, context):
        self.heard.append(request)
        self.resigned.set()
        return rpc.ResignSeatResponse(match=info())

    async def _step(self, context):
        if not self.script:
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, "the script is over")
        return self.script.pop(0)

    async def _next(self, request, context):
        self.heard.append(request)
        step = await self._step(context)
        if isinstance(step, grpc.StatusCode):
            await context.abort(step, "as the script says")
        if isinstance(step, float):
            await take(step)
            await context.abort(UNAVAILABLE, "late")
        return step

    async def WatchMatch(self, request, context):
        self.heard.append(request.resume_token)
        self.open += 1
        try:
            for step in await self._step(context):
                if isinstance(step, grpc.StatusCode):
                    await context.abort(step, "as the script says")
                elif isinstance(step, float):
                    await take(step)
                else:
                    yield step
        finally:
            self.open -= 1

    async def Play(self, requests, context):
        stream = aiter(requests)
        self.heard.append(await anext(stream))
        for step in await self._step(context):
            if isinstance(step, grpc.StatusCode):
                await context.abort(step, "as the script says")
            elif step is Ellipsis:
                self.heard.append(await anext(stream))
            elif step is RESIGNED:
                await self.resigned.wait()
            elif isinstance(step, float):
                await take(step)
            else:
                yield step


def info(status=match_pb2.MATCH_STATUS_PLAYING, **fields):
    setup = WIRE.setup_to(GAME.setup_kind(seats=2))
    return match_pb2.Match(id="m", game="yggdrasil", setup=setup, status=status, **fields)


def change(revision, seat):
    event = table_pb2.Event(resigned=table_pb2.ResignedEvent(seat=seat))
    return rpc.WatchMatchResponse(
        revision=revision,
        resume_token=f"t{revision}",
        change=rpc.MatchChange(events=[event], status=match_pb2.MATCH_STATUS_PLAYING),
    )


def snapshot(revision, cause=rpc.SNAPSHOT_CAUSE_UNSPECIFIED):
    shot = rpc.MatchSnapshot(match=info(revision=revision), cause=cause)
    return rpc.WatchMatchResponse(revision=revision, resume_token=f"t{revision}", snapshot=shot)


def ended(cause, revision=9):
    end = rpc.StreamEnd(cause=cause, match=info(match_pb2.MATCH_STATUS_FINISHED))
    return rpc.WatchMatchResponse(revision=revision, resume_token="t9", end=end)


FINISHED = ended(rpc.STREAM_END_CAUSE_FINISHED)
HEARTBEAT = rpc.WatchMatchResponse(revision=1, resume_token="t1", heartbeat=rpc.StreamHeartbeat())

Serve = Callable[..., Any]


@pytest.fixture
async def serve():
    """Start a scripted server; return it and a match of it, as seat 0's owner sees it."""
    running = []

    async def start(*script, silence=60.0, deadline=30.0):
        server = grpc.aio.server()
        scripted = Scripted(*script)
        add_MatchServiceServicer_to_server(scripted, server)
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        timing = Timing(silence=silence, first_pause=0.01, longest_pause=0.02)
        client = async_client.Client(f"127.0.0.1:{port}", deadline=deadline, timing=timing)
        running.append((client, server))
        return scripted, client.match("m", "secret")

    yield start
    for client, server in running:
        await client.close()
        await server.stop(0)


def prompt(decision_id="d1"):
    s = GAME.new(GAME.setup_kind(seats=2), FastChance(2))
    step = waiting(s)
    assert step is not None
    return rpc.PlayResponse(
        prompt=rpc.PlayPrompt(
            decision=WIRE.decision_to(step, 0, decision_id, options(s, 0)),
            view=WIRE.view_to(GAME.view(s, 0)),
        )
    )


def refused(reason, decision_id="d1"):
    return rpc.PlayResponse(rejection=rpc.PlayRejection(reason=reason, decision_id=decision_id))


def over(cause=rpc.STREAM_END_CAUSE_FINISHED):
    end = rpc.StreamEnd(cause=cause, match=info(match_pb2.MATCH_STATUS_FINISHED))
    return rpc.PlayResponse(end=end)
