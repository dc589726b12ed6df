"""People at a table, and those who watch them."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Sequence
from typing import Any, Final, Self

from taflhall.v1 import match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_client import errors
from taflhall_client.load.calls import Caller, request_id
from taflhall_client.load.lag import Lag
from taflhall_client.load.measures import COMMAND
from taflhall_client.load.pace import Pace
from taflhall_client.load.watches import Stream

_OVER: Final = (match_pb2.MATCH_STATUS_FINISHED, match_pb2.MATCH_STATUS_ABANDONED)


def decisions_of(message: Any) -> Sequence[table_pb2.Decision]:
    """Return the pending decisions that a message of a watch shows."""
    kind = message.WhichOneof("update")
    return getattr(message, kind).decisions if kind in ("snapshot", "change") else ()


def is_over(message: Any) -> bool:
    """Return whether a message of a watch says that the match is over."""
    kind = message.WhichOneof("update")
    if kind == "snapshot":
        return message.snapshot.match.status in _OVER
    if kind == "change":
        return message.change.status in _OVER
    return kind == "end" and message.end.match.status in _OVER


def watch(caller: Caller, match_id: str, secret: str | None) -> Stream:
    """Return a watch of a match as a page has it: with view and options."""

    def open_from(token: str) -> pb.WatchMatchRequest:
        return pb.WatchMatchRequest(
            match_id=match_id, resume_token=token, with_view=True, with_options=secret is not None
        )

    return Stream(caller.matches.WatchMatch, "WatchMatch", open_from, caller.measures, secret)


class MatchLost(Exception):
    """The server refuses to show a match that is not over: nobody can play it to its end."""


class Spectator:
    """Somebody without a seat who watches a match to its end."""

    def __init__(self, caller: Caller, match_id: str, lag: Lag) -> None:
        self.stream: Final = watch(caller, match_id, None)
        self._lag: Final = lag

    async def run(self) -> None:
        """Watch until the match is over."""
        async with contextlib.aclosing(self.stream.messages()) as messages:
            async for message in messages:
                if message.HasField("change"):
                    self._lag.received(message.revision, time.perf_counter())
                if is_over(message):
                    return


class Person:
    """Somebody with a seat: watches the match, thinks, answers with a random option."""

    def __init__(
        self, caller: Caller, match_id: str, secret: str, lag: Lag, pace: Pace, rng: random.Random
    ) -> None:
        self.stream: Final = watch(caller, match_id, secret)
        self._caller: Final = caller
        self._match_id: Final = match_id
        self._secret: Final = secret
        self._lag: Final = lag
        self._pace: Final = pace
        self._rng: Final = rng
        self._asked: Final[asyncio.Queue[table_pb2.Decision]] = asyncio.Queue()
        self._answered: Final[set[str]] = set()

    @classmethod
    async def join(
        cls, caller: Caller, match_id: str, seat: int, lag: Lag, pace: Pace, rng: random.Random
    ) -> Self:
        """Take *seat* of a match."""
        request = pb.JoinMatchRequest(
            match_id=match_id, seats=[seat], name=f"Person {seat + 1}", request_id=request_id()
        )
        joined = await caller.call(caller.matches.JoinMatch, "JoinMatch", request)
        return cls(caller, match_id, joined.seat_secret, lag, pace, rng)

    async def run(self) -> None:
        """Play until the match is over; raise :exc:`MatchLost` if it cannot be watched so long."""
        answering = asyncio.create_task(self._answer_all())
        try:
            async with contextlib.aclosing(self.stream.messages()) as messages:
                async for message in messages:
                    if message.HasField("change"):
                        self._lag.received(message.revision, time.perf_counter())
                    for decision in decisions_of(message):
                        if decision.options:
                            self._asked.put_nowait(decision)
                    if is_over(message):
                        return
            raise MatchLost
        finally:
            answering.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await answering

    async def resign(self) -> None:
        """Leave the match, unless it is over."""
        request = pb.ResignSeatRequest(match_id=self._match_id, request_id=request_id())
        with contextlib.suppress(errors.Refused):
            await self._caller.call(
                self._caller.matches.ResignSeat, "ResignSeat", request, self._secret
            )

    async def _answer_all(self) -> None:
        while True:
            decision: table_pb2.Decision | None = await self._asked.get()
            while decision is not None and decision.options and decision.id not in self._answered:
                self._answered.add(decision.id)
                decision = await self._answer(decision)

    async def _answer(self, decision: table_pb2.Decision) -> table_pb2.Decision | None:
        """Answer *decision* when it is due; return the next one of this seat, if it is known."""
        request = pb.SubmitAnswersRequest(
            match_id=self._match_id,
            decision_id=decision.id,
            request_id=request_id(),
            answers=[pb.DecisionAnswer(option=self._rng.randrange(len(decision.options)))],
            with_options=True,
        )
        due = self._pace.next()
        try:
            await asyncio.sleep(due - time.perf_counter())
            sent = time.perf_counter()
            submit = self._caller.matches.SubmitAnswers
            reply = await self._caller.call(submit, "SubmitAnswers", request, self._secret)
        except errors.Refused:  # counted; the watch shows what is asked now
            return None
        finally:  # also if the match is over before it is due
            self._pace.done(due)
        self._caller.measures.record(COMMAND, time.perf_counter() - due)
        if reply.first_revision:
            first = reply.first_revision  # the match may be further if the answer is a repeated one
            self._lag.committed(range(first, first + reply.applied), sent)
        following: table_pb2.Decision = reply.decision
        return following
