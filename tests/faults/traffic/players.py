"""Players who trust nothing: an answer is sent, to any server, until its outcome is definite.

Request ids are short and the same at every seat, so an answer kept for the wrong seat shows.
Lists are longer than what a seat may answer, so the first refusal ends them in the middle.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any, Final

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from tests.faults.history import digest
from tests.faults.traffic.calls import PATIENCE, PAUSE, Caller, Outcome, Stuck

DROPPED: Final = 0.25
"""Share of attempts whose reply nobody waits for."""

LATE: Final = 0.15
"""Share of requests after which an old one is sent once more."""


RIVALS: Final = 0.15
"""Share of decisions that are answered twice at once, under two ids: only one can win."""


class Seat:
    """The place of one player: the match, the secret and how far it is known to be."""

    def __init__(self, match_id: str, secret: str, seats: list[int], people: int) -> None:
        self.match_id: Final = match_id
        self.secret: Final = secret
        self.seats: Final = seats
        self.people: Final = people
        self.revision = 0
        """The newest revision of any answer."""
        self.over = False

    @property
    def scope(self) -> int:
        return self.seats[0]


class Player:
    """Plays one seat, or several with one secret; *steady*: always with long lists of answers."""

    def __init__(
        self,
        caller: Caller,
        seat: Seat,
        longest: int = 64,
        patience: float = PATIENCE,
        steady: bool = False,
    ) -> None:
        self.seat: Final = seat
        self.settled = 0
        """Requests that have a definite answer."""
        self._caller = caller
        self._rng = caller.rng
        self._longest = longest
        self._patience = patience
        self._steady = steady
        self._old: list[pb.SubmitAnswersRequest] = []
        self._number = 0

    async def play(self, stop: asyncio.Event) -> None:
        """Answer decisions until the match is over or *stop* is set."""
        decision: Any = None
        while not stop.is_set() and not self.seat.over:
            if decision is None:
                decision = await self._pending()
            if decision is None:
                await asyncio.sleep(0.02)
                continue
            requests = [self._request(decision)]
            if self._rng.random() < RIVALS:
                requests.append(self._request(decision))
            outcomes = await asyncio.gather(*[self.settle(request) for request in requests])
            decision = None
            for outcome in outcomes:
                if outcome.kind == "ok" and outcome.answer.HasField("decision"):
                    decision = outcome.answer.decision
            if self._old and self._rng.random() < LATE:
                await self._again()

    async def settle(self, request: pb.SubmitAnswersRequest, calm: bool = False) -> Outcome:
        """Send *request* until its answer is definite; *calm*: one at a time, none dropped."""
        end = time.monotonic() + self._patience
        while time.monotonic() < end:
            copies = 1 if calm else 1 + min(3, int(self._rng.expovariate(1.2)))
            drops = [not calm and self._rng.random() < DROPPED for _ in range(copies)]
            outcomes = await asyncio.gather(*[self._attempt(request, drop) for drop in drops])
            definite = [outcome for outcome in outcomes if outcome.kind != "unknown"]
            if definite:
                self.settled += 1
                self._old.append(request)
                self._learn(definite)
                return definite[0]
            await asyncio.sleep(self._rng.uniform(*PAUSE))
        raise Stuck(f"{request.request_id} of seat {self.seat.scope} in {request.match_id}")

    async def _attempt(
        self, request: pb.SubmitAnswersRequest, drop: bool, server: str = ""
    ) -> Outcome:
        return await self._caller.call(
            "SubmitAnswers",
            request,
            self.seat.secret,
            hang_up=self._rng.uniform(0.0005, 0.02) if drop else 0.0,
            server=server,
            match=request.match_id,
            scope=self.seat.scope,
            request=request.request_id,
            body=digest(request),
            answers=len(request.answers),
        )

    def _learn(self, outcomes: list[Outcome]) -> None:
        for outcome in outcomes:
            if outcome.kind == "ok":
                self.seat.revision = max(self.seat.revision, outcome.answer.revision)
                if outcome.answer.status == match_pb2.MATCH_STATUS_FINISHED:
                    self.seat.over = True

    async def _again(self) -> None:
        """Send an old request once more, sometimes with another body under its id."""
        request = self._rng.choice(self._old)
        if self._rng.random() < 0.3:
            other = pb.SubmitAnswersRequest()
            other.CopyFrom(request)
            other.with_options = not other.with_options
            request = other
        await self._attempt(request, False)

    def _request(self, decision: Any) -> pb.SubmitAnswersRequest:
        self._number += 1
        kind = 1 if self._steady else self._rng.random()
        longest = 1 if kind < 0.15 else min(8, self._longest) if kind < 0.25 else self._longest
        first = self._rng.randrange(len(decision.options)) if decision.options else 0
        return pb.SubmitAnswersRequest(
            match_id=self.seat.match_id,
            decision_id=decision.id,
            request_id=f"r{self._number}",
            answers=[pb.DecisionAnswer(option=first)]
            + [pb.DecisionAnswer(option=0)] * (longest - 1),
            with_options=True,
        )

    async def _pending(self) -> Any:
        """Return a decision of ours that is pending, with its options; ``None`` if none is."""
        request = pb.GetMatchRequest(match_id=self.seat.match_id, with_options=True)
        impatient = self._rng.random() < DROPPED
        outcome = await self._caller.call(
            "GetMatch",
            request,
            self.seat.secret,
            hang_up=self._rng.uniform(0.0005, 0.01) if impatient else 0.0,
            match=self.seat.match_id,
        )
        if outcome.kind != "ok":
            self.seat.over = self.seat.over or outcome.reason == "MATCH_NOT_FOUND"
            return None
        self.seat.revision = max(self.seat.revision, outcome.answer.match.revision)
        self.seat.over = outcome.answer.match.status == match_pb2.MATCH_STATUS_FINISHED
        for decision in outcome.answer.decisions:
            if decision.seat in self.seat.seats:
                return decision
        return None
