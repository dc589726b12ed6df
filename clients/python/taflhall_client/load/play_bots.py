"""Bots that play over ``Play`` streams."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from typing import Any, Final

import grpc

from taflhall.v1 import match_service_pb2 as pb
from taflhall_client import errors
from taflhall_client.backoff import Backoff
from taflhall_client.channel import metadata
from taflhall_client.error_decoding import from_call
from taflhall_client.load.calls import REOPENED_AFTER, Caller, request_id
from taflhall_client.load.measures import BOT_COMMAND
from taflhall_client.load.people import MatchLost
from taflhall_client.load.plan import Plan
from taflhall_client.load.tables import open_match, play_on


class BotTable:
    """Opens matches and lets one bot play all seats of each, answering with random options."""

    def __init__(self, plan: Plan, caller: Caller, rng: random.Random) -> None:
        self._plan: Final = plan
        self._caller: Final = caller
        self._rng: Final = rng

    async def run(self) -> None:
        """Play one match after another until cancelled; the last one is abandoned."""
        await asyncio.sleep(self._rng.uniform(0, self._plan.warm_up))
        await play_on(self._play, self._caller.measures)

    async def _play(self) -> None:
        caller = self._caller
        match_id = await open_match(caller, self._plan)
        join = pb.JoinMatchRequest(
            match_id=match_id,
            seats=range(self._plan.seats),
            name="Bot",
            request_id=request_id(),
        )
        joined = await caller.call(caller.matches.JoinMatch, "JoinMatch", join)
        try:
            await self._answer_all(match_id, joined.seat_secret)
        except asyncio.CancelledError:
            abandon = pb.AbandonMatchRequest(match_id=match_id, request_id=request_id())
            with contextlib.suppress(errors.Refused):
                await caller.call(
                    caller.matches.AbandonMatch, "AbandonMatch", abandon, joined.seat_secret
                )
            raise

    async def _answer_all(self, match_id: str, secret: str) -> None:
        """Play to the end of the match; open the stream again whenever it breaks.

        Raise :exc:`MatchLost` if the server refuses that.
        """
        backoff = Backoff()
        while True:
            stream = self._caller.matches.Play(metadata=metadata(secret))
            try:
                enter = pb.PlayEnter(match_id=match_id, with_view=True)
                await _write(stream, pb.PlayRequest(enter=enter))
                if await self._follow(stream, backoff):
                    return
                pause = backoff.pause()
            except grpc.aio.AioRpcError as error:
                failure = from_call(error)
                self._caller.measures.failed("Play", failure.reason)
                if isinstance(failure, errors.MatchOver):
                    return
                if not isinstance(failure, REOPENED_AFTER):
                    raise MatchLost from None
                pause = backoff.pause_for(failure)
            finally:
                stream.cancel()
            await asyncio.sleep(pause)

    async def _follow(self, stream: Any, backoff: Backoff) -> bool:
        """Answer each prompt; return whether the match is over when the stream ends."""
        sent = 0.0
        while (message := await stream.read()) is not grpc.aio.EOF:
            kind = message.WhichOneof("response")
            if kind == "end":
                return bool(message.end.HasField("match"))
            if kind != "prompt":
                continue
            backoff.reset()
            if sent:
                self._caller.measures.record(BOT_COMMAND, time.perf_counter() - sent)
            await asyncio.sleep(self._plan.bot_think)
            decision = message.prompt.decision
            answer = pb.DecisionAnswer(option=self._rng.randrange(len(decision.options)))
            sent = time.perf_counter()
            given = pb.PlayAnswer(decision_id=decision.id, answers=[answer])
            await _write(stream, pb.PlayRequest(answer=given))
        return False


async def _write(stream: Any, request: pb.PlayRequest) -> None:
    """Write *request*; if the stream has ended, reading says why."""
    with contextlib.suppress(asyncio.InvalidStateError, grpc.aio.AioRpcError):
        await stream.write(request)
