"""Places where one match after another is played, with people in the seats and spectators."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from taflhall.v1 import match_service_pb2 as pb
from taflhall.v1 import table_pb2
from taflhall_client import errors
from taflhall_client.backoff import Backoff
from taflhall_client.load.calls import Caller, request_id
from taflhall_client.load.lag import Lag
from taflhall_client.load.measures import Measures
from taflhall_client.load.pace import Pace
from taflhall_client.load.people import MatchLost, Person, Spectator
from taflhall_client.load.plan import Plan
from taflhall_client.load.watches import Stream


class Streams:
    """The open streams of this process, so that all can be cut at once."""

    def __init__(self) -> None:
        self._open: Final[set[Stream]] = set()

    def add(self, stream: Stream) -> None:
        """Let the next storm cut *stream* too."""
        self._open.add(stream)

    def remove(self, stream: Stream) -> None:
        """Forget *stream*."""
        self._open.discard(stream)

    def cut(self) -> None:
        """Cut all of them."""
        for stream in self._open:
            stream.cut()


class Table:
    """Opens matches for people and plays them to the end; *watchers* spectators watch each."""

    def __init__(
        self,
        plan: Plan,
        caller: Callable[[], Caller],
        measures: Measures,
        streams: Streams,
        watchers: int,
        rng: random.Random,
    ) -> None:
        self._plan: Final = plan
        self._caller: Final = caller
        self._measures: Final = measures
        self._streams: Final = streams
        self._watchers: Final = watchers
        self._rng: Final = rng
        self._pace: Pace | None = None

    async def run(self) -> None:
        """Play one match after another until cancelled; the people resign from the last one."""
        await asyncio.sleep(self._rng.uniform(0, self._plan.warm_up))
        self._pace = pace = Pace(self._rng, self._plan.think, time.perf_counter())
        await play_on(lambda: self._play(pace), self._measures)

    def charge(self, now: float) -> None:
        """Count the commands that are due and not answered when the load ends at *now*."""
        for due in self._pace.unanswered(now) if self._pace else ():
            self._measures.unanswered(now - due)

    async def _play(self, pace: Pace) -> None:
        match_id = await open_match(self._caller(), self._plan)
        lag = Lag(self._measures)
        people = [
            await Person.join(self._caller(), match_id, seat, lag, pace, self._rng)
            for seat in range(self._plan.seats)
        ]
        everybody: list[Person | Spectator] = [
            *people,
            *(Spectator(self._caller(), match_id, lag) for _ in range(self._watchers)),
        ]
        for one in everybody:
            self._streams.add(one.stream)
        try:
            await _all([one.run() for one in everybody])
        except asyncio.CancelledError:
            for person in people:
                await person.resign()
            raise
        finally:
            for one in everybody:
                self._streams.remove(one.stream)


async def _all(parts: list[Coroutine[Any, Any, None]]) -> None:
    """Run *parts* together; raise :exc:`MatchLost` as soon as one of them does."""
    try:
        async with asyncio.TaskGroup() as group:
            for part in parts:
                group.create_task(part)
    except* MatchLost:
        raise MatchLost from None


async def play_on(play: Callable[[], Awaitable[None]], measures: Measures) -> None:
    """*play* one match after another until cancelled.

    A match that the server refuses or no longer shows is counted as lost, and another follows
    after a pause. Raise :exc:`~taflhall_client.errors.Refused` if it refuses the first one.
    """
    backoff, begun = Backoff(), False
    while True:
        try:
            await play()
        except (errors.Refused, MatchLost) as error:
            if isinstance(error, errors.Refused) and not begun:
                raise
            measures.count("matches lost")
            await asyncio.sleep(backoff.pause())
        else:
            measures.count("matches finished")
            backoff.reset()
        begun = True


async def open_match(host: Caller, plan: Plan) -> str:
    """Create a match that starts when it is full; return its id."""
    setup = table_pb2.Setup(game=plan.game, seats=plan.seats)
    request = pb.CreateMatchRequest(
        setup=setup, start_when_full=True, request_id=request_id(), title="load"
    )
    created = await host.call(host.matches.CreateMatch, "CreateMatch", request)
    match_id: str = created.match.id
    return match_id
